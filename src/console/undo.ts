import { ask, asProblem } from './api.ts';

/** An action that has been done, and how to undo it. */
export interface Done {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Null if it cannot be undone. */
  readonly undo: (() => Promise<unknown>) | null;
}

/** Window event: something was done. Its detail is a `Done`. */
export const doneEvent = 'console-done';

/** Reports an action above all panels, where it can be undone until the next one. */
export function report(text: string, undo: Done['undo']): void {
  dispatchEvent(new CustomEvent<Done>(doneEvent, { detail: { text, undo } }));
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
  report(text, async () => {
    await ask('post', `${place}/restore`, at);
    await ask('delete', place, at);
  });
}
