import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { serve } from '../support/serve.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

const sections = ['courses', 'instructors', 'live-events', 'videos', 'coupons', 'labs', 'learners'];

describe.skipIf(!browserIsThere)(`the page of a school${whereSkipped}`, () => {
  it('leads through a course by keyboard, and marks the answers to a quiz', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}`);
    await page.getByRole('link', { name: 'Practical Programming with Python' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Welcome: How This Course Works' }).waitFor();
    await page.getByRole('link', { name: 'Variables, Names and Objects →' }).focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'Variables, Names and Objects' });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.getByRole('link', { name: 'Check Yourself: Variables and Types →' }).click();
    const question = page.getByRole('group', { name: '1. What does this program print?' });
    await question.getByLabel('[1, 2]', { exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Check answers' }).press('Enter');
    await question.getByText('✗ wrong').waitFor();
    await question.getByText('✓ correct, not selected').waitFor();
    await page.getByText('0 of 5 correct').waitFor();
    await expectAccessible(page);
  });

  it('keeps a search in the address, where Back and a reload find it', async () => {
    const { url, sandbox } = await world();
    const at = `${url}/school/${sandbox.id}/riverside`;
    const page = await open(`${at}/courses`);
    const field = page.getByRole('searchbox');
    const courses = page.getByText(/^1 of \d+ courses$/);
    await field.fill('python');
    await page.waitForURL(`${at}/courses?search=python`);
    await page.getByRole('link', { name: 'Practical Programming with Python' }).click();
    await page.getByRole('heading', { name: 'Welcome: How This Course Works' }).waitFor();
    await page.goBack();
    await courses.waitFor();
    expect(await field.inputValue()).toBe('python');
    await page.reload();
    await courses.waitFor();
    await page.getByRole('link', { name: 'Courses' }).click();
    await page.getByText(/^\d+ courses$/).waitFor();
    expect(await field.inputValue()).toBe('');
    await page.goto(`${at}/videos`);
    await field.fill('screencast');
    await page.waitForURL(`${at}/videos?search=screencast`);
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('screencast');
  });

  it('keeps a search in the address if the person leaves right after typing', async () => {
    const { url, sandbox } = await world();
    const at = `${url}/school/${sandbox.id}/riverside`;
    const page = await open(`${at}/courses`);
    const field = page.getByRole('searchbox');
    /** Types, and clicks a link before the page sees that the typing has ended. */
    const leaveBy = async (name: string): Promise<void> => {
      await page.getByRole('link', { name, exact: true }).waitFor();
      await field.waitFor();
      await page.evaluate(`(async () => {
        const field = document.querySelector('input[type=search]');
        field.value = 'python';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
        // Not before this has returned: what runs in a page ends with it.
        setTimeout(() => [...document.links].find(({ textContent }) => textContent === '${name}').click());
      })()`);
    };
    await leaveBy('Practical Programming with Python');
    await page.getByRole('heading', { name: 'Welcome: How This Course Works' }).waitFor();
    await page.goBack();
    await page.waitForURL(`${at}/courses?search=python`);
    await page.getByRole('link', { name: 'Courses' }).click();
    await page.waitForURL(`${at}/courses`);
    await leaveBy('Courses');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.goBack();
    await page.waitForURL(`${at}/courses?search=python`);
    await page.getByRole('link', { name: 'Courses' }).click();
    await page.waitForURL(`${at}/courses`);
    await leaveBy('Console');
    await page.waitForURL(`${url}/console/${sandbox.id}/journal`);
    await page.goBack();
    await page.waitForURL(`${at}/courses?search=python`);
  });

  it.each(['courses/xyz', 'coupons/foo'])('says that there is no page at …/%s', async (deeper) => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/${deeper}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText(`There is no page at /school/${sandbox.id}/riverside/${deeper}`).waitFor();
  });

  it('names a sandbox that does not exist', async () => {
    const { url } = await world();
    const page = await open(`${url}/school/nobody`);
    await page.getByRole('heading', { name: 'Sandbox “nobody” not found' }).waitFor();
    expect(await page.title()).toBe('Sandbox “nobody” not found · Sandbox');
    expect(await page.getByRole('combobox', { name: 'Sandbox' }).inputValue()).toBe('nobody');
    await expectAccessible(page);
  });

  it('says that an address names no section, and lists those that there are', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/coures`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText(`There is no page at /school/${sandbox.id}/riverside/coures`).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Courses' }).click();
    await page.getByRole('link', { name: 'Practical Programming with Python' }).waitFor();
  });

  it('copies a call with its key that works, makes the next one fail, and undoes that', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/instructors`);
    await page.getByRole('button', { name: 'Call that returns this: Mira Okafor' }).click();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(command).toContain(`curl '${url}/public/get-all-instructors'`);
    expect(command).toContain(`SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`);
    await page.getByRole('button', { name: 'Make it fail: Mira Okafor' }).click();
    await page.getByText('The next get-all-instructors of riverside returns 503').waitFor();
    await page.getByRole('button', { name: 'Undo failure: Mira Okafor' }).press('Enter');
    await page.getByText('Undone:').waitFor();
    expect((await call('get-all-instructors')).status).toBe(200);
    await page.getByRole('button', { name: 'Make it fail: Mira Okafor' }).press('Enter');
    await page.getByRole('button', { name: 'Undo failure: Mira Okafor' }).waitFor();
    expect((await call('get-all-instructors')).status).toBe(503);
    await page.getByText('has failed once').first().waitFor();
    expect((await call('get-all-instructors')).status).toBe(200);
  });

  it('plays a recording with the URL that the public API signed, until it expires', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/live-events`);
    await page
      .getByRole('button', { name: /^Play: Python Office Hours/ })
      .first()
      .click();
    await expect
      .poll(() => page.evaluate('document.querySelector("video")?.currentTime ?? 0'), { timeout: 10_000 })
      .toBeGreaterThan(0.4);
    const [{ operation, page: sender } = {}] = await sandbox.journal.list();
    expect([operation, sender]).toEqual(['get-signed-url-data-for-live-event-session-playback', 'player']);
    await page.getByRole('button', { name: 'Expire URL' }).click();
    await page.getByText('The server returned: The URL expired at').waitFor();
    await expectAccessible(page);
    expect((await sandbox.journal.list()).length).toBe(1);
    const expired = Date.parse(await sandbox.clock.now());
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByText('Undone.').waitFor();
    expect(Date.parse(await sandbox.clock.now())).toBeLessThan(expired);
    await expect.poll(async () => (await sandbox.journal.list()).length).toBe(2);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  });

  it("shows a learner's answers as soon as a client sends them", async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/learners`);
    await page.getByRole('button', { name: 'Call that sends answers: Grace Amissah' }).click();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    const { data } = JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? '') as { data: [{ data: object }] };
    expect((await call('submit-user-course-item', data[0].data)).status).toBe(200);
    const card = page.getByRole('listitem').filter({ hasText: 'Grace Amissah' });
    await card.getByText('1 answered item').waitFor();
    await page.getByRole('link', { name: 'Grace Amissah' }).click();
    await page.getByText('5 of 5 correct').waitFor();
    await page.getByText('Answers to').click();
    await page.getByText('✓ correct').first().waitFor();
    await expectAccessible(page);
  });

  it('goes into folders of videos, searches all of them, and shows a record', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/videos`);
    await page.getByRole('link', { name: /^Programming/ }).click();
    await page.getByRole('link', { name: /^Week 1/ }).click();
    await page.getByRole('heading', { name: 'Lesson 1: Your First Program' }).waitFor();
    await page.getByLabel('Search').fill('campus TOUR');
    await page.getByText('1 of 39 videos').waitFor();
    await page.getByRole('button', { name: /^JSON: A Walk Along/ }).click();
    await page.getByRole('dialog').getByText('"status": "CcFailed"').waitFor();
    await page.getByRole('link', { name: 'Edit in the console' }).click();
    await page.getByLabel('The record as JSON').waitFor();
  });

  it('changes the school and the sandbox, and says that there is no such school', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/coupons`);
    await page.getByRole('combobox', { name: 'School' }).selectOption('hillcrest');
    await page.getByRole('heading', { name: 'Hillcrest College' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/school/${sandbox.id}/hillcrest/coupons`);
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('default');
    await page.getByText('sbx_default_riverside').waitFor();
    await page.goto(`${url}/school/default/nowhere`);
    await page.getByRole('heading', { name: 'School “nowhere” not found' }).waitFor();
    await expectAccessible(page);
  });

  it('asks for the control token where there is one', async () => {
    const { url } = await serve({ controlToken: 'secret-token' });
    const page = await open(`${url}/school`);
    await page.getByLabel('Token', { exact: true }).fill('secret-token');
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByRole('heading', { name: 'Riverside Academy' }).waitFor();
  });

  it('turns the pages of 100,000 videos with few elements, and loads only those that it shows', async () => {
    const { url } = await serve({ seed: 'generated:videos=100000,schools=1' });
    const bodies: Promise<Buffer>[] = [];
    const page = await open(`${url}/school/default/riverside/videos`, {
      prepare: async (blank) => {
        blank.on('response', (response) => {
          if (response.url().includes('/control/') && !response.url().includes('/journal'))
            bodies.push(response.body());
        });
      },
    });
    await page.getByText('100,000 videos').waitFor();
    await page.locator('.folders a').first().waitFor();
    const sizes = (await Promise.all(bodies)).map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThan(50_000);
    await page.getByLabel('Search').fill('lesson');
    await page.getByText(/^1–60 of .* videos$/).waitFor();
    await page.getByRole('button', { name: 'Last', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Next', exact: true, disabled: true }).waitFor();
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2000);
    await expectAccessible(page);
  }, 180_000);

  it.each([
    [1280, 'light'],
    [375, 'dark'],
    [2560, 'dark'],
  ] as const)('is accessible in every section at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}`, { width, colorScheme });
    for (const section of sections) {
      await page.goto(`${url}/school/${sandbox.id}/riverside/${section}`);
      await page
        .getByRole('button', { name: /^JSON: / })
        .first()
        .waitFor();
      await expectAccessible(page);
    }
  });
});
