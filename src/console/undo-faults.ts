import { ask, type Schemas } from './api.ts';
import { asAsked } from './panels/failures/rule-from.ts';
import { report, withSnapshot } from './undo.ts';

type Rule = Schemas['FaultRule'];

/**
 * Deletes rules, acts, and offers to undo that. Rules are added again; a snapshot would restore the records
 * too, and would arm rules that have fired. Only a snapshot knows the whole key of a rule, and the rules that
 * belong to a scenario.
 */
export async function deleteRules(
  sandboxId: string,
  text: string,
  rules: readonly Rule[],
  act: () => Promise<unknown>,
): Promise<void> {
  if (rules.some(({ scenario, match }) => scenario !== null || match?.key !== undefined))
    return withSnapshot(sandboxId, text, act);
  await act();
  report(text, async () => {
    for (const rule of rules)
      await ask('post', '/control/sandboxes/{sandboxId}/faults', { sandboxId }, asAsked(rule));
  });
}

/** Changes the scenario and offers to play the one before again. */
export async function changeScenario(
  sandboxId: string,
  text: string,
  before: string | null,
  act: () => Promise<unknown>,
): Promise<void> {
  const place = '/control/sandboxes/{sandboxId}/scenario';
  const { scenarios } = await ask('get', '/control/scenarios', {});
  // A scenario from a script has no file to play it from.
  if (before !== null && !scenarios.some(({ name }) => name === before))
    return withSnapshot(sandboxId, text, act);
  await act();
  report(text, () =>
    before === null
      ? ask('delete', place, { sandboxId })
      : ask('put', place, { sandboxId }, { name: before }),
  );
}
