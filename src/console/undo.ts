import { parseKnown } from './parse-known.ts';
import { ask, asProblem, send, contentOf, type Exchanged, type Schemas } from './api.ts';
import { writing } from './parts/writing.ts';
import { isLeftBehind, newUndoName } from './undo-name.ts';

/** An action that has been done, and how to undo it. */
export interface Done {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Null if it cannot be undone. */
  readonly undo: (() => Promise<unknown>) | null;
  /**
   * Returns, as a sentence, what else would be undone; null if nothing. The next time, only what has
   * changed in between counts.
   */
  readonly alsoUndoes?: () => Promise<string | null>;
  /** Called once the action can no longer be undone. */
  readonly forget?: () => void;
}

/** Window event: something was done. Its detail is a `Done`. */
export const doneEvent = 'console-done';

declare global {
  interface WindowEventMap {
    [doneEvent]: CustomEvent<Done>;
  }
}

/** Reports an action above all panels, where it can be undone until the next one. */
export function report(text: string, undo: Done['undo'], more: Omit<Done, 'text' | 'undo'> = {}): void {
  dispatchEvent(new CustomEvent<Done>(doneEvent, { detail: { text, undo, ...more } }));
}

const snapshotPath = '/control/sandboxes/{sandboxId}/snapshots/{name}';

/** Takes a snapshot, acts, and offers to restore the snapshot. Throws as the action does. */
export async function withSnapshot(
  sandboxId: string,
  text: string,
  act: () => Promise<Exchanged<unknown>>,
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
  const since = await newestEntry(sandboxId);
  const done = await act().catch((error: unknown) => {
    forget();
    throw error;
  });
  if (problem !== null) return report(`${text} This cannot be undone. ${problem.message}`, null);
  const alsoUndoes = warnOfChanges(sandboxId, done, parts, since);
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

/** A part of a sandbox that its revision counts. */
export type Part = Exclude<keyof Schemas['Revision'], 'loadedAt'>;

/**
 * Returns a check for `alsoUndoes`: what has changed in parts of a sandbox since an action. The response to the
 * action has the revision, so that a change by somebody else right after it is not missed. `since` is the entry of
 * the journal after which a call may have changed records.
 */
export function warnOfChanges(
  sandboxId: string,
  { headers }: Pick<Exchanged<unknown>, 'headers'>,
  watched: readonly Part[],
  since: string | null = null,
): () => Promise<string | null> {
  let seen = parseKnown<Partial<Schemas['Revision']>>(headers.get('Sandbox-Revision') ?? '{}');
  return async () => {
    const before = seen;
    const now = (seen = await ask('get', '/control/sandboxes/{sandboxId}/revision', { sandboxId }));
    if (before.loadedAt !== now.loadedAt)
      return 'The server may have changed the sandbox since, for example by a restart. Undo discards all changes since then, too.';
    const changed = watched.filter((name) => before[name] !== now[name]).map((name) => words[name]);
    if (changed.length === 0) return null;
    const calls = since === null || before.records === now.records ? [] : await writesSince(sandboxId, since);
    const such = calls.length === 0 ? '' : `, such as by ${calls.join(', ')}`;
    return `Since then, ${new Intl.ListFormat('en').format(changed)} changed${such}. Undo discards these changes, too.`;
  };
}

/** What a snapshot restores. */
const parts = ['records', 'clock', 'assumptions', 'rules'] as const;

const words: Readonly<Record<Part, string>> = {
  records: 'records',
  clock: 'the clock',
  assumptions: 'the assumptions',
  rules: 'the fault rules',
};

/** Earlier than any time of a sandbox's clock. */
const beginning = '0001-01-01T00:00:00Z';

/** Returns the value of `since` for the newest journal entry. */
async function newestEntry(sandboxId: string): Promise<string> {
  const last = await listJournal(sandboxId, { limit: '1' }).catch(() => null);
  return last?.entries.at(-1)?.requestId ?? beginning;
}

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
 * Returns a check for `alsoUndoes`: warns that something, such as `the scenario`, has changed if `read` no longer
 * returns what the action left.
 */
export function warnIfChanged(
  what: string,
  left: unknown,
  read: () => Promise<unknown>,
): () => Promise<string | null> {
  let seen = JSON.stringify(left);
  return async () => {
    const before = seen;
    seen = JSON.stringify(await read());
    return seen === before ? null : `Since then, ${what} changed again. Undo discards this change, too.`;
  };
}
