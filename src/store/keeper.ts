import { after, wallClock } from '../sandbox/clock.ts';
import { factsOf, stateFacts, type Facts } from '../sandbox/facts.ts';
import { StorageError, type Ledger, type LedgerEntry } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { savedSnapshot } from '../sandbox/snapshot.ts';
import type { SandboxFiles } from './locations.ts';
import type { DataSync, LogFiles } from './log-files.ts';
import { format, version, type Saved, type SavedLine } from './saved.ts';
import type { StatePort } from './state-port.ts';

/** A log of this size is folded into the state file, in bytes; a large state is written less often. */
const minFoldedBytes = 1_048_576;

/** The time until the next attempt after a failure, in milliseconds. */
const retryMs = 1000;

const syncMs = 1000;

export interface KeeperOptions {
  readonly sync: DataSync;
  /** The number of the last line that was read. */
  readonly lastLine: number;
  /** Whether the state file has everything that was read. */
  readonly isFolded: boolean;
  /** Called for each failed attempt. `isFirst` says whether the one before succeeded. */
  readonly onError: (error: unknown, isFirst: boolean) => void;
  readonly onWritten?: () => void;
  /** Throws an error if another server has the files now. */
  readonly requireLock?: () => void;
}

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
  /** The last line that is safely on the disk. */
  #safeUpTo: number;
  #unsafe: ((isSafe: boolean) => void)[] = [];
  #isMakingSafe = false;
  #folding: Promise<void> | null = null;
  #retry: { cancel(): void } | null = null;
  #syncing: { cancel(): void } | null = null;
  #failure: string | null = null;
  /** The number of failures so far. */
  #failures = 0;
  #isOver = false;

  constructor(sandbox: Sandbox, port: StatePort, log: LogFiles, options: KeeperOptions) {
    this.#sandbox = sandbox;
    this.#port = port;
    this.#log = log;
    this.#options = options;
    this.#lastLine = options.lastLine;
    this.#safeUpTo = options.lastLine;
    this.#isFolded = options.isFolded;
    this.#hasBase = options.lastLine > 0 || !options.isFolded;
    log.begin(this.#lastLine + 1);
    sandbox.ledger = this;
  }

  /** The files that exist. */
  get files(): SandboxFiles {
    return { file: this.#port.file, logs: this.#log.files };
  }

  /** Why the last change could not be stored; null if it could. */
  get failure(): string | null {
    return this.#failure;
  }

  append(entry: LedgerEntry): void {
    if (this.#isOver) return;
    const facts = entry.facts === undefined ? null : lasting(entry.facts);
    // Most requests to the control plane change nothing besides the records.
    if (facts !== null && facts === this.#facts && Object.keys(entry).length === 1) return;
    this.#isFolded = false;
    // Lines before this one may be missing, so all of it has to be written first.
    if (this.#failure !== null) throw notStored(this.#failure);
    const line: SavedLine = { line: this.#lastLine + 1, ...(this.#hasBase ? {} : this.#base()), ...entry };
    try {
      this.#options.requireLock?.();
      this.#log.append(`${JSON.stringify(line)}\n`);
    } catch (error) {
      throw this.#failed(error);
    }
    this.#lastLine += 1;
    this.#hasBase = true;
    // A call counts in facts that a request may then reset to what they were.
    this.#facts = entry.counts === undefined ? (facts ?? this.#facts) : null;
    if (this.#options.sync !== 'never') this.#syncSoon();
    if (this.#log.bytes > Math.max(minFoldedBytes, this.#port.bytes)) this.#foldNow();
  }

  get isSafe(): boolean {
    return this.#options.sync !== 'always' || this.#isOver || this.#safeUpTo === this.#lastLine;
  }

  whenSafe(done: (isSafe: boolean) => void): void {
    // All that wait while the disk is busy share the next write.
    this.#unsafe.push(done);
    if (!this.#isMakingSafe) this.#makeSafe();
  }

  #makeSafe(): void {
    const upTo = this.#lastLine;
    const waiting = this.#unsafe;
    this.#unsafe = [];
    this.#isMakingSafe = true;
    this.#log.sync((error) => {
      this.#isMakingSafe = false;
      if (error === null) this.#safeUpTo = Math.max(this.#safeUpTo, upTo);
      else if (!this.#isOver) this.#failed(error);
      for (const done of waiting) done(error === null);
      if (this.#unsafe.length > 0) this.#makeSafe();
    });
  }

  /** Writes the state file if the log has lines. Rejects if that fails. */
  async finish(): Promise<void> {
    if (!this.#isFolded) await this.fold();
  }

  /** Begins to write the state file if the log has lines. */
  foldSoon(): void {
    if (!this.#isFolded) this.#foldNow();
  }

  /** Writes the state file, and then deletes the log. Rejects if that fails. */
  async fold(): Promise<void> {
    await this.#folding;
    if (this.#isOver) return;
    this.#options.requireLock?.();
    const upTo = this.#lastLine;
    const failures = this.#failures;
    if (this.#options.sync === 'always') {
      this.#log.syncNow();
      this.#safeUpTo = upTo;
    }
    this.#log.begin(upTo + 1);
    this.#sandbox.numbers.endReservation();
    this.#port.data = this.#saved(upTo);
    await this.#port.write();
    this.#hasBase = true;
    if (this.#isOver) return;
    this.#log.deleteOlder();
    this.#options.onWritten?.();
    // What failed while this was written is not in it.
    if (this.#failures > failures) return;
    this.#isFolded = this.#lastLine === upTo;
    this.#failure = null;
  }

  /** Stops storing. */
  end(): void {
    this.#isOver = true;
    this.#retry?.cancel();
    if (this.#syncing !== null) this.#log.sync(() => {});
    this.#syncing?.cancel();
    this.#sandbox.ledger = null;
    this.#port.discard();
    this.#log.close();
  }

  #foldNow(): void {
    this.#folding ??= this.fold()
      .catch((error: unknown) => void (this.#isOver || this.#failed(error)))
      .finally(() => {
        this.#folding = null;
        if (this.#failure !== null && !this.#isOver) this.#retrySoon();
      });
  }

  #retrySoon(): void {
    this.#retry ??= after(retryMs, () => {
      this.#retry = null;
      this.#foldNow();
    });
  }

  /** Everything is written again as soon as that is possible, because counters may be missing. */
  #failed(error: unknown): StorageError {
    const reason = error instanceof Error ? error.message : String(error);
    // The numbers of the requests until then are not stored, and must not be issued again after a crash.
    if (this.#failure === null) this.#sandbox.numbers.skipTo(wallClock());
    this.#options.onError(error, this.#failure === null);
    this.#failure = reason;
    this.#failures += 1;
    this.#retrySoon();
    return notStored(reason);
  }

  #syncSoon(): void {
    this.#syncing ??= after(syncMs, () => {
      this.#syncing = null;
      this.#log.sync((error) => {
        if (error !== null && !this.#isOver) this.#failed(error);
      });
    });
  }

  #base(): LedgerEntry {
    return { state: stateFacts(this.#sandbox.state), facts: factsOf(this.#sandbox) };
  }

  #saved(upTo: number): Saved {
    const { id, state, snapshots } = this.#sandbox;
    return {
      format,
      version,
      sandbox: id,
      upTo,
      state: stateFacts(state),
      facts: factsOf(this.#sandbox),
      snapshots: Object.fromEntries([...snapshots].map(([name, one]) => [name, savedSnapshot(one)])),
      changes: state.changes(),
    };
  }
}

function notStored(reason: string): StorageError {
  return new StorageError(
    `The change could not be stored, so it had no effect: ${reason}. The server tries again every second.`,
  );
}

/** Returns the facts that a request to the control plane can change, as JSON. */
function lasting(facts: Facts): string {
  return JSON.stringify({ ...facts, lastNumber: 0, usedAt: 0 });
}
