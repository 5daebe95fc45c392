import { ask, type Schemas } from './api.ts';
import { asAsked } from './panels/failures/rule-from.ts';
import { report, warnIfChanged, withSnapshot } from './undo.ts';

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
  const hasCounted = rules.some(({ matched }) => matched > 0);
  const more = hasCounted ? { butNot: 'The counters of the rules start again at 0.' } : {};
  if (rules.some(({ scenario, match }) => scenario !== null || match?.key !== undefined))
    return withSnapshot(sandboxId, text, act, more);
  await act();
  report(
    text,
    async () => {
      for (const rule of rules)
        await ask('post', '/control/sandboxes/{sandboxId}/faults', { sandboxId }, asAsked(rule));
    },
    more,
  );
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
  const alsoUndoes = await warnIfChanged(
    'the scenario',
    async () => (await ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId })).scenario,
  );
  report(
    text,
    () =>
      before === null
        ? ask('delete', place, { sandboxId })
        : ask('put', place, { sandboxId }, { name: before }),
    { alsoUndoes },
  );
}
