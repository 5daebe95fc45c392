import { ask } from '../api.ts';
import type { Deviation } from './deviations.ts';

type Resets = Readonly<Record<Deviation['kind'], (sandbox: string) => Promise<unknown>>>;

const resets: Resets = {
  // By the distance that the server knows: the clock of the browser may be wrong.
  clock: async (sandboxId) => {
    await ask('put', '/control/sandboxes/{sandboxId}/clock', { sandboxId }, { mode: 'real' });
    const { clock } = await ask('get', '/control/sandboxes/{sandboxId}/deviations', { sandboxId });
    const seconds = -clock.aheadSeconds;
    await ask('post', '/control/sandboxes/{sandboxId}/clock/advance', { sandboxId }, { seconds });
  },
  scenario: (sandboxId) => ask('delete', '/control/sandboxes/{sandboxId}/scenario', { sandboxId }),
  // The rules of the scenario stay.
  rules: async (sandboxId) => {
    const { rules } = await ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId });
    for (const { id: ruleId, scenario } of rules) {
      if (scenario === null)
        await ask('delete', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId, ruleId });
    }
  },
  assumptions: async (sandboxId) => {
    const { assumptions } = await ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId });
    const defaults = assumptions.map((one): [string, string] => [one.name, one.default]);
    await ask(
      'patch',
      '/control/sandboxes/{sandboxId}/assumptions',
      { sandboxId },
      Object.fromEntries(defaults),
    );
  },
  limits: (sandboxId) => ask('put', '/control/sandboxes/{sandboxId}/limits', { sandboxId }, { scale: 1 }),
};

/** Makes one thing usual again. */
export function resetDeviation(kind: Deviation['kind'], sandbox: string): Promise<unknown> {
  return resets[kind](sandbox);
}
