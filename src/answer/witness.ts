import type { StoredEntry } from '../sandbox/journal-entry.ts';
import type { CallContext } from './call-context.ts';

/**
 * Called with each journal entry after it was appended, such as by the log; with the error if the sandbox
 * failed.
 */
export type Observer = (entry: StoredEntry, error: unknown) => void;

/** Called with an error of the sandbox that no journal shows. */
export type Defect = (error: unknown, requestId: string) => void;

/** Observers of all calls. */
export interface Witness {
  readonly observe: Observer;
  readonly defect: Defect;
}

/** Calls the observer. A failing observer does not affect the call. */
export function notify(
  { observe, defect }: Witness,
  context: CallContext,
  kept: StoredEntry,
  error?: unknown,
): void {
  try {
    observe(kept, error);
  } catch (failure) {
    defect(failure, context.requestId);
  }
}
