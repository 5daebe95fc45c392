import type { DataSync } from './data-sync.ts';
import { Soon } from './soon.ts';
import type { StoredFiles } from './stored-files.ts';

const syncMs = 1000;

/** What `LogSync` needs from the writer of the log. */
interface Writer {
  /** Returns the number of the last line. */
  readonly lastLine: () => number;
  readonly onError: (error: unknown) => void;
}

type LogSyncFiles = Pick<StoredFiles, 'log' | 'requireLock'>;

/** Brings the lines of a log to the disk itself, as often as `--data-sync` says. */
export class LogSync {
  readonly #files: LogSyncFiles;
  readonly #sync: DataSync;
  readonly #writer: Writer;
  /** The last line that is safely on the disk. */
  #safeUpTo: number;
  #waiting: ((isSafe: boolean) => void)[] = [];
  #isMakingSafe = false;
  #hasEnded = false;
  readonly #soon = new Soon(syncMs, () =>
    this.#files.log.sync((error) => {
      if (error !== null) this.#writer.onError(error);
    }),
  );

  constructor(files: LogSyncFiles, sync: DataSync, lastLine: number, writer: Writer) {
    this.#files = files;
    this.#sync = sync;
    this.#safeUpTo = lastLine;
    this.#writer = writer;
  }

  /** Returns whether the line is as safe as replies promise. */
  isSafe(line: number): boolean {
    return this.#sync !== 'always' || this.#safeUpTo === line;
  }

  /** Calls back when all lines so far are safe, or with false if that failed. */
  whenSafe(done: (isSafe: boolean) => void): void {
    // All that wait while the disk is busy share the next write.
    this.#waiting.push(done);
    if (!this.#isMakingSafe) this.#makeSafe();
  }

  #makeSafe(): void {
    const upTo = this.#writer.lastLine();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#isMakingSafe = true;
    this.#files.log.sync((failure) => {
      this.#isMakingSafe = false;
      const error = failure ?? this.#loss();
      if (error === null) this.#safeUpTo = Math.max(this.#safeUpTo, upTo);
      else this.#writer.onError(error);
      for (const done of waiting) done(error === null);
      if (this.#waiting.length > 0) this.#makeSafe();
    });
  }

  /**
   * Returns why the lines are no longer of this server: another one has taken the files while the disk was busy, and
   * may have read them before. This server may have shown since that it runs, so the lock is looked at in any case.
   */
  #loss(): unknown {
    try {
      if (!this.#hasEnded) this.#files.requireLock();
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Makes the lines safe within a second. */
  soon(): void {
    if (this.#sync !== 'never') this.#soon.request();
  }

  /** Leaves the lines to a state file that is about to be written; what it does not get is for `hurry` or `end`. */
  leave(): void {
    this.#soon.cancel();
  }

  /** Makes the lines safe now if that is due, also after `leave`. */
  hurry(): void {
    this.#soon.hurry();
  }

  end(): void {
    this.#hasEnded = true;
    this.#soon.hurry();
  }
}
