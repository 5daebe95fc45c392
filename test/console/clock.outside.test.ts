import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's clock and limits${whereSkipped}`, () => {
  it('freezes the clock, moves it on, sets it, and lets it run', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByText('frozen', { exact: true }).waitFor();
    await page.getByLabel('Set to').fill('2026-02-11T09:30:00.000Z');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('2026-02-11 09:30:00').waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.getByText('2026-02-12 09:30:00').waitFor();
    expect(await sandbox.clock.now()).toBe('2026-02-12T09:30:00.000Z');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('2026-02-12 09:30:02').waitFor();
  });

  it('shows a window as it fills, says when it is full, and starts it anew', async () => {
    const { url, sandbox, call } = await world({ clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' } });
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByLabel('Scale').fill('0.05');
    await page.getByRole('button', { name: 'Scale all' }).click();
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
    await row.getByText('nothing').waitFor();
    expect((await call('list-assignments')).status).toBe(200);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('All limits are switched off.').waitFor();
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox, call } = await world();
    await call('list-assignments');
    const page = await open(`${url}/console/${sandbox.id}/clock`, { width, colorScheme });
    await page.getByText('1 of 60').waitFor();
    await expectAccessible(page);
  });
});
