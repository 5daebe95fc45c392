import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { steps, type StepName } from '../../src/console/demo/script.ts';
import type { SandboxHandle, SandboxServer } from '../../src/index.ts';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { serve } from '../support/serve.ts';

const open = withBrowser();

/** Presses Tab until the focus is on the element with this text, and then Enter. */
async function press(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (String(await page.evaluate('document.activeElement?.textContent ?? ""')).trim() === text)
      return page.keyboard.press('Enter');
  }
  throw new Error(`Tab does not lead to ${JSON.stringify(text)}.`);
}

/** Starts a demo, and returns its sandbox. */
async function begin(page: Page, server: SandboxServer): Promise<SandboxHandle> {
  await page.getByRole('button', { name: 'Start demo' }).click();
  await page.getByText('Step 1 of 10').waitFor();
  const sandbox = await server.sandbox(new URL(page.url()).pathname.split('/')[2] ?? '');
  if (sandbox === null) throw new Error('The demo has no sandbox.');
  return sandbox;
}

async function goTo(page: Page, name: StepName): Promise<void> {
  const step = steps.find((one) => one.name === name);
  await page.getByRole('link', { name: step?.title ?? name }).click();
  await page.getByRole('heading', { name: step?.title ?? name, level: 1 }).waitFor();
}

async function doStep(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Do it/ }).click();
  await page.locator('.result .notice').waitFor();
}

/** What *Look* shows after each step. */
const looks: Readonly<Record<StepName, string>> = {
  'live-events': 'Rivers as Ecosystems',
  instructor: '1 of 10 instructors',
  answers: '4 of 5 correct',
  mistake: 'did you mean "quizId"?',
  outage: '13 requests',
  'lost-response': 'fired after the operation took effect',
  'rate-limit': 'Move it instead of waiting',
  recording: 'Get playback data',
  report: 'The client violated the contract once',
  reset: 'No instructors with “Noor Haddad”.',
};

describe.skipIf(!browserIsThere)(`the guided demo${whereSkipped}`, () => {
  it('leads through all steps by keyboard, and each ends as its script says, whatever the defaults of the server are', async () => {
    const server = await serve({ seed: 'empty', limits: 0.1, profile: 'strict', scenario: 'long-outage' });
    const page = await open(`${server.url}/demo`);
    await page.getByRole('button', { name: 'Start demo' }).waitFor();
    await expectAccessible(page);
    await press(page, 'Start demo');
    for (const { name, title, look } of steps) {
      const heading = page.getByRole('heading', { name: title, level: 1 });
      await heading.waitFor();
      await expect.poll(() => heading.evaluate((element) => element.matches(':focus'))).toBe(true);
      await press(page, 'Do it');
      await page.locator('.result .notice').waitFor();
      expect(await page.locator('.notice.warn, .notice.bad').allTextContents()).toEqual([]);
      await press(page, 'Look');
      const side = page.getByRole('complementary', { name: look.at });
      await side.frameLocator('iframe').getByText(looks[name]).first().waitFor();
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Close');
      await page.keyboard.press('Escape');
      await side.waitFor({ state: 'detached' });
      if (name !== 'reset') await press(page, 'Next step');
    }
  }, 180_000);

  it('says that the server is gone, rather than that the client did something wrong', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    await page.route(/\/(?:public|control|healthz)/, (route) => route.abort());
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('The server does not respond. Is it still running?').waitFor();
    expect(await page.getByText('This is not what the script expects').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Do it again' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Look' }).click();
    await page.getByRole('button', { name: 'Try to look again' }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.result .notice.good').waitFor();
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.frameLocator('iframe').getByText('Rivers as Ecosystems').first().waitFor();
  });

  it('returns the focus to the button that opened the page, and to Look if that button is gone', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    await goTo(page, 'mistake');
    await doStep(page);
    const look = page.getByRole('button', { name: 'Look' });
    const entry = page.getByRole('button', { name: /^Show .* in the journal$/ }).first();
    const side = page.getByRole('complementary', { name: 'Console › Journal' });
    const isFocused = (button: typeof look) => button.and(page.locator(':focus')).waitFor();
    await look.click();
    await side.waitFor();
    await entry.click();
    await isFocused(side.getByRole('button', { name: 'Close' }));
    await page.keyboard.press('Escape');
    await side.waitFor({ state: 'detached' });
    await isFocused(entry);
    await entry.click();
    await side.waitFor();
    await page.getByRole('button', { name: 'Do it again' }).click();
    await page.locator('.result .notice.good').waitFor();
    await side.getByRole('button', { name: 'Close' }).click();
    await side.waitFor({ state: 'detached' });
    await isFocused(look);
  });

  it('waits for no response once the server is gone during a step', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    await goTo(page, 'outage');
    await page.route(/\/faults$|\/healthz/, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('There was no response.').waitFor();
    expect(await page.getByText('Waiting for the response').count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.result .notice.good').waitFor();
  });

  it('offers a new demo if the server has started again without its sandbox', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    const sandbox = await begin(page, server);
    await sandbox.remove();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText(`There is no demo ${sandbox.id}.`).waitFor();
    await page.getByRole('button', { name: 'Start demo' }).waitFor();
  });

  it('loads less than 200 kB before the first step', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    const sizes = 'performance.getEntriesByType("resource").map(({ decodedBodySize }) => decodedBodySize)';
    const loaded = (await page.evaluate(sizes)) as readonly number[];
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.reduce((sum, size) => sum + size)).toBeLessThan(200_000);
  });

  it('restores its sandbox with Reset, and leaves the others as they are', async () => {
    const server = await serve();
    const before = await server.default.state.export();
    const page = await open(`${server.url}/demo`);
    const sandbox = await begin(page, server);
    await doStep(page);
    await goTo(page, 'instructor');
    await doStep(page);
    await sandbox.limits.set({ scale: 5 });
    await sandbox.scenario.play('slow-day');
    await sandbox.clock.set({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
    await sandbox.assumptions.choose({ batchProcessing: 'first-only' });
    await goTo(page, 'reset');
    await doStep(page);
    await page.getByText('No record differs from the seed').waitFor();
    expect(await sandbox.state.changes()).toEqual([]);
    expect(await sandbox.faults.list()).toEqual([]);
    expect(await sandbox.journal.list()).toEqual([]);
    expect((await sandbox.limits.read()).scale).toBe(1);
    expect(Math.abs(Date.parse(await sandbox.clock.now()) - Date.now())).toBeLessThan(60_000);
    const options = (await sandbox.assumptions.list()).filter(
      ({ chosen, default: usual }) => chosen !== usual,
    );
    expect(options).toEqual([]);
    expect(await server.default.state.export()).toEqual(before);
    expect(await server.default.journal.list()).toEqual([]);
  });

  it('repeats a step as if for the first time, also after a reload', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    await goTo(page, 'instructor');
    await doStep(page);
    await page.reload();
    await page.getByText(/You did this step at \d\d:\d\d, before this page was loaded/).waitFor();
    await page.getByRole('button', { name: 'Do it again' }).click();
    await page.getByText('Removed Noor Haddad').waitFor();
    await page.getByText('one more instructor, not two').waitFor();
    await page.goto(`${server.url}/demo`);
    await page.getByRole('link', { name: 'Continue the last demo (1 of 10 steps done)' }).click();
    await page.getByText('Step 1 of 10').waitFor();
  });

  it('says what is missing if steps were skipped', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    await page.getByRole('link', { name: 'Skip step' }).click();
    await page.getByText('Step 2 of 10').waitFor();
    await goTo(page, 'report');
    await doStep(page);
    await page.getByText('There is nothing to report yet').waitFor();
    await goTo(page, 'live-events');
    await doStep(page);
    await goTo(page, 'report');
    await doStep(page);
    await page.getByText('it is about these steps alone').waitFor();
    await page.getByText('Not exercised: an outage. Do the step “Outage”.').waitFor();
    await expectAccessible(page);
  });

  it('shows the answers of the step at once, and the wrong one among them', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    await begin(page, server);
    await goTo(page, 'answers');
    await doStep(page);
    await page.getByRole('button', { name: 'Look' }).click();
    await page.frameLocator('iframe').locator('.option.bad').first().waitFor({ state: 'visible' });
  });

  it.each(['nonsense', 'report/more'])('says so where there is no step %s', async (at) => {
    const server = await serve();
    const page = await open(`${server.url}/demo/demo-a/${at}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('main').getByRole('link').count()).toBe(steps.length);
  });

  it('stops a step that is left', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`);
    const sandbox = await begin(page, server);
    await goTo(page, 'outage');
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('The client waits for 1 s.').waitFor();
    await goTo(page, 'recording');
    await doStep(page);
    const operations = (await sandbox.journal.list()).map(({ operation }) => operation);
    expect(operations.filter((name) => name === 'list-assignments')).toHaveLength(1);
  });

  it('offers a new demo if its sandbox is gone, or is not that of a demo', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo/default/reset`);
    await page.getByText('The sandbox default is not that of a demo').waitFor();
    const sandbox = await begin(page, server);
    await sandbox.remove();
    await page.reload();
    await page.getByText(`There is no demo ${sandbox.id}.`).waitFor();
    await page.getByText('deleted: after an hour without use').waitFor();
    await expectAccessible(page);
  });

  it('uses its sandbox every few minutes, so that the server does not delete it', async () => {
    const server = await serve();
    const page = await open(`${server.url}/demo`, { prepare: ({ clock }) => clock.install() });
    const sandbox = await begin(page, server);
    await page.getByRole('button', { name: 'Do it' }).waitFor();
    const use = page.waitForRequest(`${server.url}/control/sandboxes/${sandbox.id}`);
    await page.clock.fastForward(300_000);
    await use;
  });

  it('asks for the control token, and passes it on to what Look opens', async () => {
    const { url } = await serve({ controlToken: 'secret-token' });
    const page = await open(`${url}/demo`);
    await page.getByLabel('Token', { exact: true }).fill('secret-token');
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByRole('button', { name: 'Start demo' }).click();
    await page.getByRole('button', { name: 'Look' }).click();
    await page.frameLocator('iframe').getByText('Rivers as Ecosystems').first().waitFor();
  });

  it('says that it cannot run where the public API has another origin', async () => {
    const { control } = await serve({ controlPort: 0 });
    const page = await open(`${control.url}/demo`);
    await page.getByRole('heading', { name: 'The demo cannot run here' }).waitFor();
    await expectAccessible(page);
  });

  it.each([
    [375, 'dark'],
    [2560, 'dark'],
    [2560, 'light'],
  ] as const)(
    'is accessible at %i pixels, %s',
    async (width, colorScheme) => {
      const server = await serve();
      const page = await open(`${server.url}/demo`, { width, colorScheme });
      await expectAccessible(page);
      await begin(page, server);
      for (const name of [
        'live-events',
        'instructor',
        'mistake',
        'outage',
        'rate-limit',
        'report',
      ] as const) {
        await goTo(page, name);
        await expectAccessible(page);
        await doStep(page);
        await expectAccessible(page);
      }
      await page.getByRole('button', { name: 'Look' }).click();
      await page.frameLocator('iframe').getByText('The client violated the contract once').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.locator('iframe').waitFor({ state: 'detached' });
    },
    120_000,
  );
});
