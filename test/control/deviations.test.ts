import { describe, expect, it } from 'vitest';
import { deviationsIn } from '../../src/console/status-bar/deviations.ts';
import type { components } from '../../src/contract/generated/control.ts';
import { askControl } from '../support/control.ts';
import { world, type World } from '../support/world.ts';

type Deviations = components['schemas']['Deviations'];

async function deviationsOf({ url, sandbox }: World): Promise<Deviations> {
  const { body } = await askControl(url, 'GET', `/control/sandboxes/${sandbox.id}/deviations`);
  return body as Deviations;
}

describe('what is unusual in a sandbox', () => {
  it('is nothing at first', async () => {
    const own = await world();
    const deviations = await deviationsOf(own);
    expect(deviations).toMatchObject({
      clock: { mode: 'real', aheadSeconds: 0 },
      scenario: null,
      rules: 0,
      assumptions: [],
      limits: { scale: 1, own: 0 },
    });
    expect(deviationsIn(deviations)).toEqual([]);
  });

  it('is no rule that can no longer fire', async () => {
    const own = await world();
    await own.sandbox.faults.add({ fault: 'http-error', with: { status: 503 }, when: { times: 1 } });
    expect(await deviationsOf(own)).toMatchObject({ rules: 1 });
    expect((await own.call('get-all-instructors')).status).toBe(503);
    expect(await deviationsOf(own)).toMatchObject({ rules: 0 });
  });

  it('is no rule for a key that no call to the sandbox can have', async () => {
    const own = await world();
    await own.sandbox.faults.add({ fault: 'timeout', match: { key: 'sbx_another_riverside' } });
    expect(await deviationsOf(own)).toMatchObject({ rules: 0 });
  });

  it('is the clock, the scenario, the rules, the assumptions and the limits', async () => {
    const own = await world({ scenario: 'bad-gateway', assumptions: { missingKey: 'http-403' } });
    const { sandbox } = own;
    await sandbox.faults.add({ fault: 'timeout' });
    await sandbox.clock.advance({ seconds: -90_061 });
    await sandbox.limits.set({ scale: 0.5, operations: { 'list-assignments': 4 } });
    const deviations = await deviationsOf(own);
    expect(deviations).toMatchObject({
      clock: { mode: 'real', aheadSeconds: -90_061 },
      scenario: 'bad-gateway',
      rules: 1,
      assumptions: ['missingKey'],
      limits: { scale: 0.5, own: 1 },
    });
    expect(deviationsIn(deviations).map(({ text }) => text)).toEqual([
      'Clock 1 day 1 h behind',
      'Scenario bad-gateway',
      '1 fault rule',
      '1 changed assumption',
      'Rate limits × 0.5, 1 custom limit',
    ]);
  });

  it('is a clock that stands still, and limits that are off', async () => {
    const own = await world({ clock: { mode: 'frozen', now: '2001-02-03T04:05:06.000Z' } });
    await own.sandbox.limits.set({ scale: null });
    const deviations = await deviationsOf(own);
    expect(deviations.clock).toMatchObject({ mode: 'frozen', now: '2001-02-03T04:05:06.000Z' });
    expect(deviations.clock.aheadSeconds).toBeLessThan(0);
    expect(deviationsIn(deviations).map(({ text }) => text)).toEqual([
      'Clock frozen at 2001-02-03 04:05 UTC',
      'Rate limits off',
    ]);
  });
});
