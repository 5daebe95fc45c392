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
  /**
   * What is missing from the state file that is being written: counters of refused changes, or a file lost
   * since then.
   */
  #since: { counters: boolean; files: boolean } = { counters: false, files: false };
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
    if (this.reason === null) return;
    this.#since.counters = true;
    throw notStored(this.reason);
  }

  /**
   * Adds a failure, and tries again soon. `needsState` says whether lines cannot continue the files. Returns
   * the error for the requester of the change.
   */
  add(error: unknown, needsState: boolean): StorageError {
    const isFirst = this.reason === null;
    this.reason = error instanceof Error ? error.message : String(error);
    this.needsState ||= needsState;
    this.#since.counters = true;
    this.#since.files ||= needsState;
    (isFirst ? this.#firstRetry : this.#retry).request();
    return notStored(this.reason);
  }

  /** Begins to write the state file. What fails or is refused from now on is not in it. */
  beginState(): void {
    this.#since = { counters: false, files: false };
  }

  /** The state file is written. */
  endState(): void {
    if (this.#since.files) return;
    this.needsState = false;
    if (!this.#since.counters) this.reason = null;
    else if (this.reason !== null) this.#tryAgain();
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
