import { ask } from '../api.ts';
import { report, warnIfChanged } from '../undo.ts';
import { changeScenario, deleteRules } from '../undo-faults.ts';
import type { Deviation } from './deviations.ts';

type Resets = Readonly<Record<Deviation['kind'], (sandboxId: string) => Promise<unknown>>>;

/** Each makes one thing usual again, and offers to undo that. */
const resets: Resets = {
  // By the distance that the server knows: the clock of the browser may be wrong.
  clock: async (sandboxId) => {
    const { clock: before } = await ask('get', '/control/sandboxes/{sandboxId}/deviations', { sandboxId });
    await ask('put', '/control/sandboxes/{sandboxId}/clock', { sandboxId }, { mode: 'real' });
    const { clock } = await ask('get', '/control/sandboxes/{sandboxId}/deviations', { sandboxId });
    const advance = (seconds: number) =>
      ask('post', '/control/sandboxes/{sandboxId}/clock/advance', { sandboxId }, { seconds });
    await advance(-clock.aheadSeconds);
    const undo = () => {
      const { mode, now } = before;
      return mode === 'frozen'
        ? ask('put', '/control/sandboxes/{sandboxId}/clock', { sandboxId }, { mode, now })
        : advance(before.aheadSeconds);
    };
    const alsoUndoes = await warnIfChanged(
      'the clock',
      async () => (await ask('get', '/control/sandboxes/{sandboxId}/revision', { sandboxId })).clock,
    );
    report('Set the clock to real time.', undo, { alsoUndoes });
  },
  scenario: async (sandboxId) => {
    await changeScenario(sandboxId, 'Ended the scenario.', () =>
      ask('delete', '/control/sandboxes/{sandboxId}/scenario', { sandboxId }),
    );
  },
  // The rules of the scenario stay, and those that no longer fire.
  rules: async (sandboxId) => {
    const { rules } = await ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId });
    const own = rules.filter(({ scenario, canFire }) => scenario === null && canFire);
    await deleteRules(sandboxId, `Deleted ${own.map(({ id }) => id).join(', ')}.`, own, async () => {
      for (const { id: ruleId } of own)
        await ask('delete', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId, ruleId });
    });
  },
  assumptions: async (sandboxId) => {
    const { assumptions } = await ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId });
    const choose = (option: 'default' | 'chosen') =>
      ask(
        'patch',
        '/control/sandboxes/{sandboxId}/assumptions',
        { sandboxId },
        Object.fromEntries(assumptions.map((one) => [one.name, one[option]])),
      );
    await choose('default');
    const alsoUndoes = await warnIfChanged(
      'the assumptions',
      async () => (await ask('get', '/control/sandboxes/{sandboxId}/revision', { sandboxId })).assumptions,
    );
    report('Reset all assumptions to their defaults.', () => choose('chosen'), { alsoUndoes });
  },
  limits: async (sandboxId) => {
    const place = '/control/sandboxes/{sandboxId}/limits';
    // Without the counters, which change with each call.
    const read = async () => {
      const { scale, operations } = await ask('get', place, { sandboxId });
      const own = Object.entries(operations).flatMap(([name, limit]) =>
        limit.own === null ? [] : [[name, limit.own] as const],
      );
      return { scale, own };
    };
    const { scale, own } = await read();
    await ask('put', place, { sandboxId }, { scale: 1 });
    const alsoUndoes = await warnIfChanged('the limits', read);
    report(
      'Restored the documented limits.',
      () => ask('put', place, { sandboxId }, { scale, operations: Object.fromEntries(own) }),
      { alsoUndoes },
    );
  },
};

/** Makes one thing usual again. */
export function resetDeviation(kind: Deviation['kind'], sandbox: string): Promise<unknown> {
  return resets[kind](sandbox);
}
