import { messageOf } from '../base/message-of.ts';
import { stopwatch } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import { Soon } from './soon.ts';

/** The time until the next attempt after a failure, in milliseconds. */
const retryMs = 1000;

/** The first failure may come from a change that is too large, so that the next one succeeds. */
const firstRetryMs = 10;

/** How long a change that was refused for its size keeps the server from being ready, in milliseconds. */
const refusedMs = 60_000;

/** A change that was refused, although smaller ones may be stored. */
interface Refused {
  readonly reason: string;
  readonly bytes: number;
  /** From `stopwatch`. */
  readonly until: number;
}

/** The failures to store a sandbox, and when it is tried again. */
export class Failures {
  /** Why something could not be stored; null if everything is stored. */
  reason: string | null = null;
  /** Whether lines cannot continue the files, so that the state file has to be written first. */
  needsState = false;
  /** Whether a file was lost since the state file is being written. */
  #isFileLost = false;
  #refused: Refused | null = null;
  readonly #roomRetry = new Soon(retryMs, () => this.#lookForRoom());
  readonly #firstRetry: Soon;
  readonly #retry: Soon;
  readonly #tryAgain: () => void;
  readonly #hasRoom: (bytes: number) => boolean;

  /** `hasRoom` returns whether a change of this size could be stored now. */
  constructor(tryAgain: () => void, hasRoom: (bytes: number) => boolean) {
    this.#hasRoom = hasRoom;
    this.#firstRetry = new Soon(firstRetryMs, tryAgain);
    this.#retry = new Soon(retryMs, tryAgain);
    this.#tryAgain = tryAgain;
  }

  /** Why changes are refused, or the last one was and would be again; null if all can be stored. */
  get shown(): string | null {
    return this.reason ?? this.#refused?.reason ?? null;
  }

  /** Throws StorageError while something is not stored. */
  requireNone(): void {
    if (this.reason !== null) throw notStored(this.reason);
  }

  /**
   * Adds a failure, and tries again soon. `needsState` says whether lines cannot continue the files; `bytes` is the
   * size of what could not be stored. Returns the error for the requester of the change.
   */
  add(error: unknown, needsState: boolean, bytes: number): StorageError {
    const isFirst = this.reason === null;
    this.reason = messageOf(error);
    if (bytes > 0)
      this.#refused = {
        reason: this.reason,
        bytes: Math.max(bytes, this.#refused?.bytes ?? 0),
        until: stopwatch() + refusedMs,
      };
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
    this.#lookForRoom();
  }

  /** A line of another size was stored since the last change was refused. */
  #lookForRoom(): void {
    if (this.reason !== null || this.#refused === null) return;
    const { bytes, until } = this.#refused;
    if (stopwatch() > until || this.#hasRoom(bytes)) this.#refused = null;
    else this.#roomRetry.request();
  }

  retrySoon(): void {
    this.#retry.request();
  }

  end(): void {
    this.#firstRetry.cancel();
    this.#retry.cancel();
    this.#roomRetry.cancel();
  }
}

function notStored(reason: string): StorageError {
  return new StorageError(
    `The change could not be stored, so it had no effect: ${reason}. The server tries again every second.`,
  );
}
