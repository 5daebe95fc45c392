import { ask, type Schemas } from './api.ts';
import { report, warnIfChanged } from './undo.ts';

const listPath = '/control/sandboxes/{sandboxId}/faults';

const restorePath = '/control/sandboxes/{sandboxId}/faults/restore';
const scenarioPath = '/control/sandboxes/{sandboxId}/scenario';

/** Deletes rules, and offers to put them back. The server knows their places, counters and whole keys. */
export async function deleteRules(
  sandboxId: string,
  text: string,
  rules: readonly Schemas['FaultRule'][],
  act: () => Promise<unknown>,
): Promise<void> {
  await act();
  const undo = () => ask('post', restorePath, { sandboxId }, { ids: rules.map(({ id }) => id) });
  if (rules.every(({ scenario }) => scenario === null)) return report(text, undo);
  // The rules of a scenario come back with it, in place of another one. Rules that were added alone stay.
  report(text, undo, { alsoUndoes: await warnIfChanged('the scenario', () => readScenario(sandboxId)) });
}

/** Returns the scenario and its rules without their counters, which change with each call. */
async function readScenario(sandboxId: string): Promise<unknown> {
  const { scenario, rules } = await ask('get', listPath, { sandboxId });
  const own = rules.filter((rule) => rule.scenario !== null);
  return [scenario, own.map(({ matched: _matched, fired: _fired, canFire: _canFire, ...rule }) => rule)];
}

/** Changes the scenario, and offers to go on with the one before as it was. */
export async function changeScenario(
  sandboxId: string,
  text: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const { rules } = await ask('get', listPath, { sandboxId });
  const ids = rules.filter(({ scenario }) => scenario !== null).map(({ id }) => id);
  await act();
  const alsoUndoes = await warnIfChanged('the scenario', () => readScenario(sandboxId));
  const undo = () =>
    ids.length === 0
      ? ask('delete', scenarioPath, { sandboxId })
      : ask('post', restorePath, { sandboxId }, { ids });
  report(text, undo, { alsoUndoes });
}
