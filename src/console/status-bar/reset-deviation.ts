import { ask, exchange, type Schemas } from '../api.ts';
import { report, warnIfChanged, warnOfChanges } from '../undo.ts';
import { deleteRules, endScenario } from '../undo-faults.ts';
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
      exchange('post', '/control/sandboxes/{sandboxId}/clock/advance', { sandboxId }, { seconds });
    const done = await advance(-clock.aheadSeconds);
    const undo = () => {
      const { mode, now } = before;
      return mode === 'frozen'
        ? ask('put', '/control/sandboxes/{sandboxId}/clock', { sandboxId }, { mode, now })
        : advance(before.aheadSeconds);
    };
    report('Set the clock to real time.', undo, { alsoUndoes: warnOfChanges(sandboxId, done, ['clock']) });
  },
  scenario: endScenario,
  // The rules of the scenario stay, and those that no longer fire.
  rules: async (sandboxId) => {
    await deleteRules(sandboxId, {
      choose: (rules) => rules.filter(({ scenario, canFire }) => scenario === null && canFire),
      act: async (ids) => {
        for (const ruleId of ids)
          await ask('delete', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId, ruleId });
      },
      textOf: (ids) => `Deleted ${ids.join(', ')}.`,
    });
  },
  assumptions: async (sandboxId) => {
    const { assumptions } = await ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId });
    const choose = (option: 'default' | 'chosen') =>
      exchange(
        'patch',
        '/control/sandboxes/{sandboxId}/assumptions',
        { sandboxId },
        Object.fromEntries(assumptions.map((one) => [one.name, one[option]])),
      );
    const alsoUndoes = warnOfChanges(sandboxId, await choose('default'), ['assumptions']);
    report('Reset all assumptions to their defaults.', () => choose('chosen'), { alsoUndoes });
  },
  limits: async (sandboxId) => {
    const place = '/control/sandboxes/{sandboxId}/limits';
    const read = async () => chosenIn(await ask('get', place, { sandboxId }));
    const { scale, own } = await read();
    const left = await ask('put', place, { sandboxId }, { scale: 1 });
    const alsoUndoes = warnIfChanged('the limits', chosenIn(left), read);
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

/** Returns the limits without their counters, which change with each call. */
function chosenIn({ scale, operations }: Schemas['Limits']) {
  const own = Object.entries(operations).flatMap(([name, limit]) =>
    limit.own === null ? [] : [[name, limit.own] as const],
  );
  return { scale, own };
}
