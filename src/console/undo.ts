import { ask, asProblem, send, contentOf, type Schemas } from './api.ts';

/** An action that has been done, and how to undo it. */
export interface Done {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Null if it cannot be undone. */
  readonly undo: (() => Promise<unknown>) | null;
  /** Returns what else the undoing would undo, as a sentence; null if nothing. */
  readonly alsoUndoes?: () => Promise<string | null>;
}

/** Window event: something was done. Its detail is a `Done`. */
export const doneEvent = 'console-done';

/** Reports an action above all panels, where it can be undone until the next one. */
export function report(text: string, undo: Done['undo'], more: Pick<Done, 'alsoUndoes'> = {}): void {
  dispatchEvent(new CustomEvent<Done>(doneEvent, { detail: { text, undo, ...more } }));
}

/** The snapshot that the console takes before an action. Each action replaces the one before. */
const undoSnapshot = 'console-undo';

/** Takes a snapshot, acts, and offers to restore the snapshot. Throws as the action does. */
export async function withSnapshot(
  sandboxId: string,
  text: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const at = { sandboxId, name: undoSnapshot };
  const place = '/control/sandboxes/{sandboxId}/snapshots/{name}';
  // A sandbox can be full of snapshots; the action must not depend on that.
  const problem = await ask('put', place, at).then(() => null, asProblem);
  await act();
  if (problem !== null) return report(`${text} This cannot be undone. ${problem.message}`, null);
  const last = (await listJournal(sandboxId, { limit: '1' })).entries.at(-1);
  report(
    text,
    async () => {
      await ask('post', `${place}/restore`, at);
      await ask('delete', place, at);
    },
    { alsoUndoes: () => describeWritesSince(sandboxId, last?.requestId ?? beginning) },
  );
}

/** Earlier than any time of a sandbox's clock. */
const beginning = '0001-01-01T00:00:00Z';

/** Describes the calls since an entry that changed records, because a snapshot undoes them, too. */
async function describeWritesSince(sandboxId: string, since: string): Promise<string | null> {
  const { entries, more } = await listJournal(sandboxId, { since });
  const writes = entries.filter(
    ({ operation, outcome }) => !/^(get|list)-/.test(operation) && /^(ok|element-error)$/.test(outcome),
  );
  if (writes.length === 0 && !more) return null;
  const names = [...new Set(writes.map(({ operation }) => operation))].join(', ');
  const calls = `${writes.length}${more ? ' or more' : ''} ${writes.length === 1 && !more ? 'call' : 'calls'}`;
  return `Since then, ${calls} changed records${names === '' ? '' : ` (${names})`}. Undo discards these changes, too.`;
}

async function listJournal(
  sandbox: string,
  query: Readonly<Record<string, string>>,
): Promise<Schemas['JournalPage']> {
  const asked = new URLSearchParams(query).toString();
  return contentOf(await send('get', `/control/sandboxes/${encodeURIComponent(sandbox)}/journal?${asked}`));
}
