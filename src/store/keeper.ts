import type { SlicedWork } from '../base/sliced-work.ts';
import { stopwatch, wallClock } from '../sandbox/clock.ts';
import type { LargeEntry, Ledger, LedgerEntry, SmallEntry, StorageError } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { endOfLine, entryTexts, inPieces, isSmall } from './change-texts.ts';
import { DeletedError } from './deleted-error.ts';
import { Failures } from './failures.ts';
import type { SandboxFiles } from './locations.ts';
import { LogSync } from './log-sync.ts';
import { presentMs, type LogFiles } from './log-files.ts';
import type { KeeperOptions } from './keeper-options.ts';
import { baseOf, lasting, savedOf } from './saved-parts.ts';
import type { SavedLine } from './saved.ts';
import { Soon } from './soon.ts';
import type { StatePort } from './state-port.ts';
import { maxStored, requireRoom } from './stored-room.ts';

/** A log of this size is folded into the state file, in bytes; a large state is written less often. */
const minFoldedBytes = 1_048_576;
const lateCheckMs = 1000;

/**
 * Stores a sandbox: each change as a line of its log, before it is acknowledged, and from time to time all of it
 * in its state file.
 */
export class Keeper implements Ledger {
  readonly #sandbox: Sandbox;
  readonly #port: StatePort;
  readonly #log: LogFiles;
  readonly #options: KeeperOptions;
  #lastLine: number;
  /** Whether the log or the state file has the state that the lines change. */
  #hasBase: boolean;
  #isFolded: boolean;
  /** The last stored facts as JSON, without what every call changes. */
  #facts: string | null = null;
  readonly #sync: LogSync;
  #folding: Promise<void> | null = null;
  readonly #failures = new Failures(() => this.#foldNow());
  /** How long nobody looks again at the state file, from `stopwatch`. */
  #presentUntil = 0;
  /** Looks at the files after the last of several changes: somebody may just have deleted them. */
  readonly #lateCheck = new Soon(lateCheckMs, () => void (this.#isOver || this.verify()));
  #isOver = false;

  constructor(sandbox: Sandbox, port: StatePort, log: LogFiles, options: KeeperOptions) {
    this.#sandbox = sandbox;
    this.#port = port;
    this.#log = log;
    this.#options = options;
    this.#lastLine = options.lastLine;
    this.#sync = new LogSync(log, options.sync, options.lastLine, {
      lastLine: () => this.#lastLine,
      onError: (error) => void (this.#isOver || this.#failed(error)),
    });
    this.#isFolded = options.isFolded;
    this.#hasBase = options.isStored;
    log.begin(this.#lastLine + 1);
    port.guard(() => options.requireLock?.(true));
    sandbox.ledger = this;
  }

  /** The files that exist. */
  get files(): SandboxFiles {
    return { file: this.#port.file, logs: this.#log.files };
  }

  /** Why the last change could not be stored; null if it could. */
  get failure(): string | null {
    return this.#failures.reason;
  }

  append(entry: LedgerEntry): void {
    if (this.#isOver) return;
    const facts = entry.facts === undefined ? null : lasting(entry.facts);
    // Most requests to the control plane change nothing besides the records.
    if (facts !== null && facts === this.#facts && Object.keys(entry).length === 1) return;
    this.#requireWorking();
    if (entry.changes !== undefined) requireRoom(this.#port.bytes + this.#log.bytes, maxStored.small);
    const line: SavedLine = {
      line: this.#lastLine + 1,
      ...(this.#hasBase ? {} : baseOf(this.#sandbox)),
      ...entry,
    };
    this.#try(() => this.#log.append(`${JSON.stringify(line)}\n`));
    this.#appended(entry, facts);
  }

  *appendLarge(large: LargeEntry, rest: () => SmallEntry): SlicedWork<void> {
    if (isSmall(large)) return this.append({ ...large, ...rest() });
    const pieces: string[] = [];
    let length = 0;
    for (const piece of inPieces(entryTexts(large))) {
      pieces.push(piece);
      length += piece.length;
      yield;
    }
    if (!this.#isOver) requireRoom(this.#port.bytes + this.#log.bytes + length, maxStored.large);
    for (const pauses of [true, false]) if (yield* this.#appendPieces(pieces, rest, pauses)) return;
  }

  /** Returns false if another line came between the pieces, which cannot happen without pauses. */
  *#appendPieces(pieces: readonly string[], rest: () => SmallEntry, pauses: boolean): SlicedWork<boolean> {
    if (this.#isOver) {
      rest();
      return true;
    }
    // The line continues a state that is in lines before it.
    if (!this.#hasBase) this.append({});
    const line = this.#log.beginLine();
    try {
      let text = `{"line":${this.#lastLine + 1}`;
      for (const piece of pieces.slice(0, -1)) {
        this.#requireWorking();
        if (!this.#try(() => this.#log.addPiece(line, text + piece))) return false;
        text = '';
        if (pauses) yield;
      }
      this.#requireWorking();
      if (!this.#log.isUnfinished(line)) return false;
      const small = rest();
      this.#try(() => this.#log.endLine(line, `${text}${pieces.at(-1) ?? ''}${endOfLine(small)}`));
      this.#appended(small, small.facts === undefined ? null : lasting(small.facts));
      return true;
    } finally {
      this.#log.discardLine(line);
    }
  }

  /** Throws StorageError after a failure: lines may be missing, so all of it has to be written first. */
  #requireWorking(): void {
    this.#isFolded = false;
    this.#failures.requireNone();
  }

  /** Writes to the log. Throws StorageError. */
  #try<T>(write: () => T): T {
    try {
      this.#options.requireLock?.();
      if (stopwatch() > this.#presentUntil) {
        this.#port.check();
        this.#presentUntil = stopwatch() + presentMs;
      }
      return write();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #appended({ counts }: SmallEntry, facts: string | null): void {
    this.#lastLine += 1;
    this.#hasBase = true;
    // A call counts in facts that a request may then reset to what they were.
    this.#facts = counts === undefined ? (facts ?? this.#facts) : null;
    this.#sync.soon();
    this.#lateCheck.request();
    if (this.#log.bytes > Math.max(minFoldedBytes, this.#port.bytes)) this.#foldNow();
  }

  get isSafe(): boolean {
    return this.#isOver || this.#sync.isSafe(this.#lastLine);
  }

  whenSafe(done: (isSafe: boolean) => void): void {
    this.#sync.whenSafe(done);
  }

  /** Writes the state file if the log has lines, or if a file is missing. Rejects if that fails. */
  async finish(): Promise<void> {
    this.verify();
    if (!this.#isFolded) await this.fold();
  }

  /** Returns whether the files are as they were written. If not, all of it is written again. */
  verify(): boolean {
    if (this.#failures.reason !== null) return false;
    if (!this.#hasBase) return true;
    try {
      this.#port.check();
      this.#log.check();
      return true;
    } catch (error) {
      this.#isFolded = false;
      this.#failed(error);
      return false;
    }
  }

  /** Like `finish`, but reports a failure, and tries again later. */
  async settle(): Promise<void> {
    if (!this.#isFolded) this.#foldNow();
    await this.#folding;
  }

  /** Writes the state file, and then deletes the log. Rejects if that fails. */
  async fold(): Promise<void> {
    await this.#folding;
    if (this.#isOver) return;
    this.#options.requireLock?.(true);
    // Number 0 marks files of development versions, whose next line has a state that nothing has replaced.
    const upTo = (this.#lastLine = Math.max(1, this.#lastLine));
    const failures = this.#failures.count;
    this.#sync.beforeFold(upTo);
    this.#log.begin(upTo + 1);
    this.#sandbox.numbers.endReservation();
    this.#port.data = savedOf(this.#sandbox, upTo);
    await this.#port.write();
    this.#hasBase = true;
    if (this.#isOver) return;
    this.#log.deleteOlder();
    this.#options.onWritten?.();
    // What failed while this was written is not in it.
    if (this.#failures.count > failures) return;
    this.#isFolded = this.#lastLine === upTo;
    this.#failures.clear();
  }

  /** Stops storing. */
  end(): void {
    this.#isOver = true;
    this.#failures.end();
    this.#lateCheck.cancel();
    this.#sync.end();
    this.#sandbox.ledger = null;
    this.#port.discard();
    this.#log.close();
  }

  #foldNow(): void {
    this.#folding ??= this.fold()
      .catch((error: unknown) => void (this.#isOver || this.#failed(error)))
      .finally(() => {
        this.#folding = null;
        if (this.#failures.reason !== null && !this.#isOver) this.#failures.retrySoon();
      });
  }

  /** Everything is written again as soon as that is possible, because counters may be missing. */
  #failed(error: unknown): StorageError {
    // The numbers of the requests until then are not stored, and must not be issued again after a crash.
    const isFirst = this.#failures.reason === null;
    if (isFirst) this.#sandbox.numbers.skipTo(wallClock());
    const refusal = this.#failures.add(error);
    this.#options.onError(error, isFirst);
    // Until then, a crash would lose all of it.
    if (error instanceof DeletedError) this.#foldNow();
    return refusal;
  }
}
