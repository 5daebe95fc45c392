import type { StoredEntry } from '../sandbox/journal-entry.ts';
import type { CallContext } from './call-context.ts';

/** Who is told of each exchange after it was recorded, such as the log; with the error if something of ours failed. */
export type Observer = (exchange: StoredEntry, error: unknown) => void;

/** Told of an error of ours that no journal shows. */
export type Defect = (error: unknown, requestId: string) => void;

/** Who is told what happens to calls. */
export interface Witness {
  readonly observe: Observer;
  readonly defect: Defect;
}

/** Tells of an exchange; an observer that fails does not harm the call. */
export function tell({ observe, defect }: Witness, { requestId }: CallContext, kept: StoredEntry, error?: unknown): void {
  try {
    observe(kept, error);
  } catch (failure) {
    defect(failure, requestId);
  }
}
