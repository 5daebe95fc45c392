import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's status bar${whereSkipped}`, () => {
  it('shows what is unusual in every panel, leads to it, and resets each by its button', async () => {
    const { url, sandbox } = await world({
      scenario: 'bad-gateway',
      assumptions: { missingKey: 'http-403' },
      clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' },
    });
    const page = await open(`${url}/console/${sandbox.id}/journal`, { width: 375, colorScheme: 'dark' });
    const bar = page.getByRole('region', { name: 'Unusual in this sandbox' });
    await bar.getByText('Clock frozen at 2026-02-11 09:30 UTC').waitFor();
    await expectAccessible(page);
    await sandbox.faults.add({ fault: 'timeout' });
    await sandbox.limits.set({ scale: null });
    await bar.getByRole('link', { name: '1 changed assumption' }).click();
    await page.getByRole('article', { name: 'missingKey' }).getByText('differs from the default').waitFor();
    for (const name of [
      'Set clock to real time',
      'End scenario bad-gateway',
      'Delete 1 fault rule',
      'Reset 1 changed assumption',
      'Restore documented limits',
    ]) {
      await bar.getByRole('button', { name }).click();
      await bar.getByRole('button', { name }).waitFor({ state: 'detached' });
    }
    expect(await bar.count()).toBe(0);
    await page.getByText('0 differ from the default').waitFor();
    const { scenario, clock } = await sandbox.describe();
    expect([scenario, clock.mode, await sandbox.faults.list()]).toEqual([null, 'real', []]);
    expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(60_000);
  });
});
