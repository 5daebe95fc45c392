import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's clock and limits${whereSkipped}`, () => {
  it('freezes the clock, moves it on, sets it, and lets it run', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByRole('button', { name: 'Freeze clock' }).click();
    await page.getByText('frozen', { exact: true }).waitFor();
    await page.getByLabel('Date (UTC)').fill('2026-02-10');
    await page.getByRole('button', { name: 'Set clock', exact: true }).click();
    await page.getByText('2026-02-10 00:00:00').waitFor();
    await page.getByLabel('Date (UTC)').fill('2026-02-11');
    await page.getByLabel('Time (optional)').fill('09:30');
    await page.getByRole('button', { name: 'Set clock', exact: true }).click();
    await page.getByText('2026-02-11 09:30:00').waitFor();
    await page.getByRole('button', { name: 'Advance 1 day' }).click();
    await page.getByText('2026-02-12 09:30:00').waitFor();
    expect(await sandbox.clock.now()).toBe('2026-02-12T09:30:00.000Z');
    await page.getByLabel('Date (UTC)').fill('');
    await page.getByLabel('Time (optional)').fill('');
    await page.getByRole('button', { name: 'Set clock', exact: true }).click();
    await page.getByText('✗ The date is missing. Choose one.').waitFor();
    expect(await page.getByLabel('Date (UTC)').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Run clock' }).click();
    await page.getByText('2026-02-12 09:30:02').waitFor();
  });

  it('shows a window as it fills, says when it is full, and starts it anew', async () => {
    const { url, sandbox, call } = await world({
      clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' },
    });
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByLabel('Scale').fill('0.05');
    await page.getByRole('button', { name: 'Scale limits' }).click();
    const row = page.getByRole('row', { name: /list-assignments/ });
    await row.getByText('3 in 60 s').waitFor();
    await call('list-assignments');
    await row.getByText('1 of 3').waitFor();
    await call('list-assignments');
    await call('list-assignments');
    await row.getByText('full').waitFor();
    expect((await call('list-assignments')).status).toBe(429);
    await page.getByRole('button', { name: 'Reset counters' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset counters' }).click();
    await row.getByText('unused').waitFor();
    expect((await call('list-assignments')).status).toBe(200);
    await page.getByRole('button', { name: 'Turn off limits' }).click();
    await page.getByText('Rate limits are off.').waitFor();
  });

  it('gives a single operation a limit of its own, which a scale leaves alone, and takes it away again', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    const row = page.getByRole('row', { name: /list-assignments/ });
    const other = page.getByRole('row', { name: /get-quiz-details/ });
    await row.getByLabel('Custom limit for list-assignments').fill('2');
    await row.getByRole('button', { name: 'Set limit for list-assignments' }).click();
    await row.getByText('2 in 60 s').waitFor();
    await other.getByLabel('Custom limit for get-quiz-details').fill('8');
    await other.getByRole('button', { name: 'Set limit for get-quiz-details' }).click();
    await other.getByText('8 in 60 s').waitFor();
    for (const status of [200, 200, 429]) expect((await call('list-assignments')).status).toBe(status);
    await page.getByLabel('Scale').fill('0.5');
    await page.getByRole('button', { name: 'Scale limits' }).click();
    await row.getByText('1 in 60 s').waitFor();
    await row.getByRole('button', { name: 'Clear limit for list-assignments' }).click();
    await row.getByText('30 in 60 s').waitFor();
    await other.getByText('4 in 60 s').waitFor();
    await page.getByText('Restore documented limits', { exact: true }).click();
    await other.getByText('60 in 60 s').waitFor();
    await page.getByRole('button', { name: 'Turn off limits' }).click();
    await page.getByText('Rate limits are off.').waitFor();
    expect(await row.getByLabel('Custom limit for list-assignments').isDisabled()).toBe(true);
  });

  it('keeps the focus on the button that was pressed, and near one that goes away', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const focused = () =>
      page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()');
    for (const [name, shows] of [
      ['Advance 1 h', 'Clock 1 h ahead'],
      ['Freeze clock', 'frozen'],
      ['Run clock', 'running'],
      ['Turn off limits', 'Rate limits are off.'],
      ['Restore documented limits', 'The documented limits × 1.'],
    ] as const) {
      await page.getByRole('main').getByRole('button', { name, exact: true }).press('Enter');
      await page.getByText(shows).first().waitFor();
      expect(await focused()).toBe(name);
    }
    await page.getByLabel('Custom limit for list-assignments').fill('2');
    await button('Set limit for list-assignments').press('Enter');
    await button('Clear limit for list-assignments').press('Enter');
    await button('Clear limit for list-assignments').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Set limit for list-assignments');
    await sandbox.faults.add({ fault: 'timeout' });
    await button('Delete 1 fault rule').waitFor();
    await button('Set clock to real time').press('Enter');
    await button('Set clock to real time').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Delete 1 fault rule');
    await button('Delete 1 fault rule').press('Enter');
    await button('Delete 1 fault rule').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('panel');
    await button('Reset counters').press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset counters' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Reset counters');
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
    [2560, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox, call } = await world();
    await call('list-assignments');
    const page = await open(`${url}/console/${sandbox.id}/clock`, { width, colorScheme });
    await page.getByText('1 of 60').waitFor();
    await page.getByLabel('Custom limit for list-assignments').fill('40');
    await page.getByRole('button', { name: 'Set limit for list-assignments' }).click();
    await page.getByRole('button', { name: 'Clear limit for list-assignments' }).waitFor();
    await expectAccessible(page);
  });
});
