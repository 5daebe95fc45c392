import { StorageError } from '../sandbox/ledger.ts';
import { Soon } from './soon.ts';

/** The time until the next attempt after a failure, in milliseconds. */
const retryMs = 1000;

/** The failures to store a sandbox, and when it is tried again. */
export class Failures {
  /** Why something could not be stored; null if everything is stored. */
  reason: string | null = null;
  /** The number of failures so far. */
  count = 0;
  readonly #retry: Soon;

  constructor(tryAgain: () => void) {
    this.#retry = new Soon(retryMs, tryAgain);
  }

  /** Throws StorageError while something is not stored. */
  requireNone(): void {
    if (this.reason !== null) throw notStored(this.reason);
  }

  /** Adds a failure, and tries again soon. Returns the error for who requested the change. */
  add(error: unknown): StorageError {
    this.reason = error instanceof Error ? error.message : String(error);
    this.count += 1;
    this.retrySoon();
    return notStored(this.reason);
  }

  /** Everything is stored. */
  clear(): void {
    this.reason = null;
  }

  retrySoon(): void {
    this.#retry.request();
  }

  end(): void {
    this.#retry.cancel();
  }
}

function notStored(reason: string): StorageError {
  return new StorageError(
    `The change could not be stored, so it had no effect: ${reason}. The server tries again every second.`,
  );
}
