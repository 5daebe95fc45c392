import type { SlicedWork } from '../base/sliced-work.ts';
import { StorageError } from '../sandbox/ledger.ts';
import type { LargeEntry, Ledger, LedgerEntry, SmallEntry } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { DeletedError } from './deleted-error.ts';
import { lacksRoom } from './disk.ts';
import { Failures } from './failures.ts';
import type { SandboxFiles } from './locations.ts';
import { LineWriter } from './line-writer.ts';
import { LogSync } from './log-sync.ts';
import type { KeeperOptions } from './keeper-options.ts';
import { savedOf } from './saved-parts.ts';
import { Soon } from './soon.ts';
import type { StoredFiles } from './stored-files.ts';

/**
 * Stores a sandbox: each change as a line of its log, before it is acknowledged, and from time to time all of it
 * in its state file.
 */
export class Keeper implements Ledger {
  readonly holdsReads = false;
  readonly #sandbox: Sandbox;
  readonly files: StoredFiles;
  readonly #options: KeeperOptions;
  readonly #lines: LineWriter;
  /** Whether the state file has everything. */
  #isFolded: boolean;
  readonly #sync: LogSync;
  #folding: Promise<void> | null = null;
  readonly #failures = new Failures(
    () => this.#tryAgain(),
    (bytes) => this.files.hasRoom(bytes),
  );
  /** Looks at the files a second after a change: somebody may just have deleted them. */
  readonly #lateCheck = new Soon(1000, () => void (this.#isOver || this.verify()));
  #isOver = false;
  #isClosed = false;

  constructor(sandbox: Sandbox, files: StoredFiles, options: KeeperOptions) {
    this.#sandbox = sandbox;
    this.files = files;
    this.#options = options;
    this.#isFolded = options.isFolded;
    const start = { last: options.lastLine, hasBase: options.isStored };
    this.#lines = new LineWriter(sandbox, files, start, {
      isOver: () => this.#isOver,
      requireWorking: () => {
        this.#isFolded = false;
        this.#failures.requireNone();
      },
      onError: (error, bytes) => this.#failed(error, !lacksRoom(error), bytes),
      onAppended: () => {
        this.#isFolded = false;
        this.#sync.soon();
        this.#lateCheck.request();
        if (files.isLogLong) this.#foldNow();
      },
      onFull: () => void (files.log.bytes === 0 || this.#foldNow()),
    });
    this.#sync = new LogSync(files, options.sync, options.lastLine, {
      lastLine: () => this.#lines.last,
      onError: (error) => void (this.#isOver || this.#failed(error, true)),
    });
    files.state.countLines(() => this.#lines.last);
    // They were loaded from the files.
    if (options.isStored) sandbox.limits.counters.areStored = true;
    sandbox.ledger = this;
  }

  /** Why the last change could not be stored, and would not be now; null if it could. */
  get failure(): string | null {
    return this.#failures.shown;
  }

  /** Whether the state file is of the previous version. */
  get isOutdated(): boolean {
    return this.#lines.last === 0 && this.#options.isStored;
  }

  append(entry: LedgerEntry): void {
    this.#requireOpen();
    if (!this.#isOver) this.#lines.append(entry);
  }

  /** Throws StorageError if the server has stopped: nothing is stored any more. */
  #requireOpen(): void {
    if (this.#isClosed) throw new StorageError('The server has stopped, so the change had no effect.');
  }

  *appendLarge(large: LargeEntry, rest: () => SmallEntry): SlicedWork<void> {
    this.#requireOpen();
    if (this.#isOver) rest();
    else yield* this.#lines.appendLarge(large, rest);
  }

  markGap(): boolean {
    return !this.#isClosed && !this.#isOver && this.files.log.markGap();
  }

  async whenRoomy(): Promise<void> {
    while (this.#folding !== null && !this.#isOver && this.files.isLogVeryLong) await this.#folding;
  }

  get isSafe(): boolean {
    return this.#isOver || this.#sync.isSafe(this.#lines.last);
  }

  whenSafe(done: (isSafe: boolean) => void): void {
    this.#sync.whenSafe(done);
  }

  /** Writes the state file if the log has lines, or if a file is missing. Rejects if something is not stored. */
  async finish(): Promise<void> {
    this.#sync.leave();
    this.verify();
    while (this.#folding !== null) await this.#folding;
    if (this.#isFolded || this.files.state.isDiscarded) return;
    let failure: unknown = null;
    // Others must not begin to write the state file meanwhile.
    this.#folding = this.#fold()
      .catch((error: unknown) => {
        failure = error;
        this.#foldFailed(error);
      })
      .finally(() => void (this.#folding = null));
    await this.#folding;
    if (failure !== null && this.#failures.reason !== null) throw failure;
  }

  /** Abandons the write of the state file if a stop takes long, and the existing files already contain everything. */
  leaveToLog(): void {
    if (this.#isFolded || !this.#lines.hasBase || !this.verify()) return;
    this.files.state.discard();
    this.#sync.hurry();
  }

  /** Ends with the server. Changes that are still in progress are refused. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Returns whether the files are as they were written. If not, schedules a write of the whole state. */
  verify(): boolean {
    if (this.#failures.reason !== null) return false;
    try {
      if (this.#lines.hasBase) this.files.check();
      return true;
    } catch (error) {
      this.#failed(error, true);
      return false;
    }
  }

  /** Returns the files to delete. Throws an error if they cannot be deleted; those that are missing are written again. */
  deletable(): SandboxFiles {
    this.verify();
    return this.files.deletable();
  }

  /** Like `finish`, but reports a failure, and tries again later. */
  async settle(): Promise<void> {
    if (!this.#isFolded) this.#foldNow();
    await this.#folding;
  }

  /** Writes the state file, and then deletes the log. Rejects if that fails. */
  async #fold(): Promise<void> {
    await this.#folding;
    if (this.#isOver) return;
    const { state, log } = this.files;
    // Number 0 marks files of development versions, whose next line has a state that nothing has replaced.
    this.#failures.needsState ||= this.#lines.last === 0;
    const upTo = (this.#lines.last = Math.max(1, this.#lines.last));
    const mark = log.begin(upTo + 1);
    this.#sandbox.numbers.endReservation();
    state.data = savedOf(this.#sandbox, upTo, mark);
    this.#failures.beginState();
    await state.write();
    if (state.isDiscarded) return;
    this.#lines.hasBase = true;
    this.files.deleteSuperseded();
    this.#options.onWritten?.();
    this.#isFolded = this.#lines.last === upTo;
    this.#failures.endState();
  }

  end(): void {
    this.#isOver = true;
    this.#failures.end();
    this.#lateCheck.cancel();
    this.#sync.end();
    if (!this.#isClosed) this.#sandbox.ledger = null;
    this.files.state.discard();
    this.files.log.close();
  }

  #foldNow(): void {
    let hasWritten = false;
    this.#folding ??= this.#fold()
      .then(() => void (hasWritten = true))
      .catch((error: unknown) => this.#foldFailed(error))
      .finally(() => {
        this.#folding = null;
        if (this.#isOver) return;
        if (this.#failures.reason !== null) this.#failures.retrySoon();
        // Lines were appended meanwhile.
        else if (hasWritten && this.files.isLogLong) this.#foldNow();
      });
  }

  /** Logs that have everything need no state file until they have grown more. */
  #foldFailed(error: unknown): void {
    if (this.#isOver) return;
    if (!lacksRoom(error) || this.#failures.needsState) return void this.#failed(error, true);
    if (this.#failures.reason !== null) this.#tryAgain();
    if (this.verify()) this.#options.onPostponed(error);
  }

  #tryAgain(): void {
    if (this.#isOver || this.#failures.reason === null) return;
    if (this.#failures.needsState) return this.#foldNow();
    // Refused changes were undone, but they have counted.
    if (this.#lines.appendFacts()) this.#failures.clear();
  }

  /**
   * `needsState` says whether lines cannot continue the files. Then everything is written again as soon as that is
   * possible; otherwise a line with the facts, because counters may be missing.
   */
  #failed(error: unknown, needsState: boolean, bytes = 0): StorageError {
    this.#isFolded = false;
    const isFirst = this.#failures.reason === null;
    if (needsState) {
      // The line that has reserved the numbers of requests may be lost.
      this.files.log.markGap();
      this.#sandbox.numbers.endReservation();
    }
    const refusal = this.#failures.add(error, needsState, bytes);
    this.#options.onError(error, isFirst);
    // Until then, a crash would lose all of it.
    if (error instanceof DeletedError) this.#foldNow();
    return refusal;
  }
}
