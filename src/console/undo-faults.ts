import { ask, type Schemas } from './api.ts';
import { report, warnIfChanged } from './undo.ts';

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
  report(text, () => ask('post', restorePath, { sandboxId }, { ids: rules.map(({ id }) => id) }));
}

/** Changes the scenario, and offers to go on with the one before as it was. */
export async function changeScenario(
  sandboxId: string,
  text: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const read = () => ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId });
  const { rules } = await read();
  const ids = rules.filter(({ scenario }) => scenario !== null).map(({ id }) => id);
  await act();
  const alsoUndoes = await warnIfChanged('the scenario', async () => (await read()).scenario);
  const undo = () =>
    ids.length === 0
      ? ask('delete', scenarioPath, { sandboxId })
      : ask('post', restorePath, { sandboxId }, { ids });
  report(text, undo, { alsoUndoes });
}
