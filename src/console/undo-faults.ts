import { ask, type Schemas } from './api.ts';
import { report, warnIfChanged } from './undo.ts';

const listPath = '/control/sandboxes/{sandboxId}/faults';
const restorePath = '/control/sandboxes/{sandboxId}/faults/restore';
const scenarioPath = '/control/sandboxes/{sandboxId}/scenario';

type RuleList = Schemas['FaultRuleList'];

/** Which rules to delete, and how. */
interface Deletion {
  readonly choose: (rules: RuleList['rules']) => RuleList['rules'];
  readonly act: (ids: readonly string[]) => Promise<unknown>;
  /** Returns what was done, as a sentence. */
  readonly textOf: (ids: readonly string[]) => string;
  /** Whether it ends the scenario, too. */
  readonly endsScenario?: boolean;
}

/** Deletes rules, and offers to put them back. The server knows their places, counters and whole keys. */
export async function deleteRules(
  sandboxId: string,
  { choose, act, textOf, endsScenario = false }: Deletion,
): Promise<void> {
  const { scenario, rules } = await ask('get', listPath, { sandboxId });
  const deleted = choose(rules);
  const ids = deleted.map(({ id }) => id);
  await act(ids);
  const undo = () => ask('post', restorePath, { sandboxId }, { ids });
  if (deleted.every((rule) => rule.scenario === null)) return report(textOf(ids), undo);
  const left = {
    scenario: endsScenario ? null : scenario,
    rules: rules.filter((rule) => !deleted.includes(rule)),
  };
  // The rules of a scenario come back with it, in place of another one. Rules that were added alone stay.
  report(textOf(ids), undo, { alsoUndoes: warnIfScenarioChanged(sandboxId, left) });
}

/** Changes the scenario, and offers to go on with the one before as it was. `act` returns what it leaves. */
export async function changeScenario(
  sandboxId: string,
  text: string,
  act: () => Promise<RuleList>,
): Promise<void> {
  const { rules } = await ask('get', listPath, { sandboxId });
  const ids = rules.filter(({ scenario }) => scenario !== null).map(({ id }) => id);
  const left = await act();
  const undo = () =>
    ids.length === 0
      ? ask('delete', scenarioPath, { sandboxId })
      : ask('post', restorePath, { sandboxId }, { ids });
  report(text, undo, { alsoUndoes: warnIfScenarioChanged(sandboxId, left) });
}

/** Ends the scenario, and offers to go on with it. */
export function endScenario(sandboxId: string): Promise<void> {
  return changeScenario(sandboxId, 'Ended the scenario.', async () => {
    await ask('delete', scenarioPath, { sandboxId });
    return { scenario: null, rules: [] };
  });
}

function warnIfScenarioChanged(sandboxId: string, left: RuleList): () => Promise<string | null> {
  return warnIfChanged('the scenario', scenarioIn(left), async () =>
    scenarioIn(await ask('get', listPath, { sandboxId })),
  );
}

/** Returns the scenario and its rules without their counters, which change with each call. */
function scenarioIn({ scenario, rules }: RuleList) {
  const own = rules.filter((rule) => rule.scenario !== null);
  return [scenario, own.map(({ matched: _matched, fired: _fired, canFire: _canFire, ...rule }) => rule)];
}
