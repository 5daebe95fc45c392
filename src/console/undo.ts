import { ask, asProblem, send, contentOf, type Schemas } from './api.ts';
import { writing } from './parts/writing.ts';
import { isLeftBehind, newUndoName } from './undo-name.ts';

/** An action that has been done, and how to undo it. */
export interface Done {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Null if it cannot be undone. */
  readonly undo: (() => Promise<unknown>) | null;
  /**
   * Returns what else the undoing would undo, as a sentence; null if nothing. The next time, only what has
   * changed in between counts.
   */
  readonly alsoUndoes?: () => Promise<string | null>;
  /** Called once the action can no longer be undone. */
  readonly forget?: () => void;
}

/** Window event: something was done. Its detail is a `Done`. */
export const doneEvent = 'console-done';

/** Reports an action above all panels, where it can be undone until the next one. */
export function report(text: string, undo: Done['undo'], more: Omit<Done, 'text' | 'undo'> = {}): void {
  dispatchEvent(new CustomEvent<Done>(doneEvent, { detail: { text, undo, ...more } }));
}

const snapshotPath = '/control/sandboxes/{sandboxId}/snapshots/{name}';

/** Takes a snapshot, acts, and offers to restore the snapshot. Throws as the action does. */
export async function withSnapshot(
  sandboxId: string,
  text: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const at = { sandboxId, name: newUndoName() };
  let isKept = true;
  const forget = (): void => {
    if (!isKept) return;
    isKept = false;
    // The page may be about to close.
    void send(
      'delete',
      `/control/sandboxes/${encodeURIComponent(sandboxId)}/snapshots/${at.name}`,
      undefined,
      {
        keepalive: true,
      },
    ).catch(() => {});
  };
  await deleteLeftBehind(sandboxId).catch(() => {});
  // A sandbox can be full of snapshots; the action must not depend on that.
  const problem = await ask('put', snapshotPath, at).then(() => null, asProblem);
  try {
    await act();
  } catch (error) {
    forget();
    throw error;
  }
  if (problem !== null) return report(`${text} This cannot be undone. ${problem.message}`, null);
  const alsoUndoes = await warnOfChanges(sandboxId);
  const undo = async (): Promise<void> => {
    await ask('post', `${snapshotPath}/restore`, at);
    isKept = false;
    await ask('delete', snapshotPath, at);
  };
  report(text, undo, { alsoUndoes, forget });
}

/** Deletes the snapshots that other tabs have left behind. */
async function deleteLeftBehind(sandboxId: string): Promise<void> {
  const { snapshots } = await ask('get', '/control/sandboxes/{sandboxId}/snapshots', { sandboxId });
  for (const { name } of snapshots)
    if (isLeftBehind(name)) await ask('delete', snapshotPath, { sandboxId, name });
}

/** Returns a check for `alsoUndoes`: everything that the restore of a snapshot would undo since now. */
async function warnOfChanges(sandboxId: string): Promise<() => Promise<string | null>> {
  const read = () => ask('get', '/control/sandboxes/{sandboxId}/revision', { sandboxId });
  let seen = await read().catch(() => null);
  const last = await listJournal(sandboxId, { limit: '1' }).catch(() => null);
  return async () => {
    const before = seen;
    const now = (seen = await read());
    if (before?.loadedAt !== now.loadedAt)
      return 'The server may have changed the sandbox since, for example by a restart. Undo discards all changes since then, too.';
    const changed = parts.filter(([name]) => before[name] !== now[name]).map(([, words]) => words);
    if (changed.length === 0) return null;
    const since = last?.entries.at(-1)?.requestId ?? beginning;
    const calls = before?.records === now.records ? [] : await writesSince(sandboxId, since);
    const such = calls.length === 0 ? '' : `, such as by ${calls.join(', ')}`;
    return `Since then, ${new Intl.ListFormat('en').format(changed)} changed${such}. Undo discards these changes, too.`;
  };
}

/** What a snapshot restores, by the names in a revision. */
const parts = [
  ['records', 'records'],
  ['clock', 'the clock'],
  ['assumptions', 'the assumptions'],
  ['rules', 'the fault rules'],
] as const;

/** Earlier than any time of a sandbox's clock. */
const beginning = '0001-01-01T00:00:00Z';

/** Returns the names of the writing operations called since an entry, if the journal still has the calls. */
async function writesSince(sandboxId: string, since: string): Promise<readonly string[]> {
  const { entries } = await listJournal(sandboxId, { since }).catch(() => ({ entries: [] }));
  return [...new Set(entries.map(({ operation }) => operation))].filter((operation) =>
    writing.test(operation),
  );
}

async function listJournal(
  sandbox: string,
  query: Readonly<Record<string, string>>,
): Promise<Pick<Schemas['JournalPage'], 'entries'>> {
  const asked = new URLSearchParams(query).toString();
  return contentOf(await send('get', `/control/sandboxes/${encodeURIComponent(sandbox)}/journal?${asked}`));
}

/**
 * Returns a check for `alsoUndoes`: warns that something, such as `the clock`, has changed if `read` no longer
 * returns the same as now.
 */
export async function warnIfChanged(
  what: string,
  read: () => Promise<unknown>,
): Promise<() => Promise<string | null>> {
  const readText = async (): Promise<string> => JSON.stringify(await read());
  // The action has succeeded, whatever becomes of this.
  let seen = await readText().catch(() => null);
  return async () => {
    const before = seen;
    seen = await readText();
    return seen === before ? null : `Since then, ${what} changed again. Undo discards this change, too.`;
  };
}
