import { StorageError } from '../sandbox/ledger.ts';
import { Soon } from './soon.ts';

/** The time until the next attempt after a failure, in milliseconds. */
const retryMs = 1000;

/** The first failure may be that of a change that is too large, so that the next one succeeds. */
const firstRetryMs = 10;

/** The failures to store a sandbox, and when it is tried again. */
export class Failures {
  /** Why something could not be stored; null if everything is stored. */
  reason: string | null = null;
  /** Whether lines cannot continue the files, so that the state file has to be written first. */
  needsState = false;
  /** Whether a file was lost since the state file is being written. */
  #isFileLost = false;
  readonly #firstRetry: Soon;
  readonly #retry: Soon;
  readonly #tryAgain: () => void;

  constructor(tryAgain: () => void) {
    this.#firstRetry = new Soon(firstRetryMs, tryAgain);
    this.#retry = new Soon(retryMs, tryAgain);
    this.#tryAgain = tryAgain;
  }

  /** Throws StorageError while something is not stored. */
  requireNone(): void {
    if (this.reason !== null) throw notStored(this.reason);
  }

  /**
   * Adds a failure, and tries again soon. `needsState` says whether lines cannot continue the files. Returns
   * the error for the requester of the change.
   */
  add(error: unknown, needsState: boolean): StorageError {
    const isFirst = this.reason === null;
    this.reason = error instanceof Error ? error.message : String(error);
    this.needsState ||= needsState;
    this.#isFileLost ||= needsState;
    (isFirst ? this.#firstRetry : this.#retry).request();
    return notStored(this.reason);
  }

  /** Begins to write the state file. */
  beginState(): void {
    this.#isFileLost = false;
  }

  /** The state file is written. The failure lasts until a line can follow. */
  endState(): void {
    if (this.#isFileLost) return;
    this.needsState = false;
    if (this.reason !== null) this.#tryAgain();
  }

  /** Everything is stored. */
  clear(): void {
    this.reason = null;
  }

  retrySoon(): void {
    this.#retry.request();
  }

  end(): void {
    this.#firstRetry.cancel();
    this.#retry.cancel();
  }
}

function notStored(reason: string): StorageError {
  return new StorageError(
    `The change could not be stored, so it had no effect: ${reason}. The server tries again every second.`,
  );
}
