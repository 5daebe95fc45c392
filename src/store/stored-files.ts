import { stopwatch } from '../sandbox/clock.ts';
import { requireUnmarked } from './delete-files.ts';
import { DeletedError } from './deleted-error.ts';
import { hasRoom } from './has-room.ts';
import type { SandboxFiles } from './locations.ts';
import { presentMs, type LogFiles } from './log-files.ts';
import type { Lock } from './lock.ts';
import { isThere } from './own-files.ts';
import { withdraw, type RefusedLine } from './refused-line.ts';
import type { StatePort } from './state-port.ts';

/** A log of this size is folded into the state file, in bytes; a large state is written less often. */
const minFoldedBytes = 1_048_576;

/** Beyond this size of the log, large changes wait for the state file, in bytes. */
const maxWaitingBytes = 67_108_864;

/** Throws DeletedError if a file is missing, such as on a volume that is not mounted now. */
function requireFound(files: readonly string[]): void {
  for (const file of files) if (!isThere(file)) throw new DeletedError(file);
}

type StoredFilesLock = Pick<Lock, 'check' | 'losses' | 'mayBeLost'>;

/** The state file of a sandbox and its log, which others can take away. */
export class StoredFiles {
  readonly state: StatePort;
  readonly log: LogFiles;
  readonly #lock: StoredFilesLock | null;
  /** The losses of the lock after which the files were still the same. */
  #losses: number;
  /** Until the other server has continued the line before. */
  #refused: RefusedLine | null = null;
  /** The time until which the state file is not checked again, from `stopwatch`. */
  #presentUntil = 0;

  constructor(state: StatePort, log: LogFiles, lock: StoredFilesLock | null) {
    this.state = state;
    this.log = log;
    this.#lock = lock;
    this.#losses = lock?.losses ?? 0;
    state.guard(() => {
      this.requireLock(true);
      requireUnmarked(state.file);
    });
  }

  /** Throws an error if another server has the files, or had them and has changed them. `now` looks at the lock itself. */
  requireLock(now = false): void {
    try {
      this.#requireLock(now);
    } catch (error) {
      // That server has other changes, so this one stores nothing until it is restarted, whatever it knows of its log.
      if (this.#refused !== null && withdraw(this.#refused)) this.#refused = null;
      throw error;
    }
  }

  #requireLock(now: boolean): void {
    const lock = this.#lock;
    if (lock === null) return;
    lock.check(now);
    if (lock.losses === this.#losses) return;
    if (!this.state.isUnchanged || !this.log.isUnchanged)
      throw new Error(
        `another server has changed ${this.state.file} or its log while this one did not have the lock of --data. Restart this server to load the changes`,
      );
    this.#losses = lock.losses;
  }

  /** The files that exist. */
  get names(): SandboxFiles {
    return { file: this.state.file, logs: this.log.files };
  }

  get bytes(): number {
    return this.state.bytes + this.log.allBytes;
  }

  /** Whether it is time to write the log into the state file. */
  get isLogLong(): boolean {
    return this.log.bytes > Math.max(minFoldedBytes, this.state.bytes);
  }

  /** Whether clients must wait with large changes until the log is in the state file. */
  get isLogVeryLong(): boolean {
    return this.log.allBytes > Math.max(maxWaitingBytes, this.state.bytes);
  }

  /** Whether a change of this size could be stored in a new log. */
  hasRoom(bytes: number): boolean {
    return hasRoom(this.state.file, bytes);
  }

  /** Throws an error if the files are not to be written, or not as they were written. */
  requireOwn(): void {
    this.requireLock();
    if (stopwatch() <= this.#presentUntil) return;
    this.state.check();
    requireUnmarked(this.state.file);
    this.#presentUntil = stopwatch() + presentMs;
  }

  /**
   * Throws an error if another server may have taken the files while this one wrote, because the disk took long: it
   * may have read them before. `line` is the number of the last one.
   */
  requireStillOwn(line: number): void {
    if (this.#lock?.mayBeLost !== true) return;
    this.#refused = this.log.lastLine(line);
    this.requireLock(true);
    this.#refused = null;
  }

  /** Deletes the logs that the state file replaces. Throws an error if another server may have logs of these names. */
  deleteSuperseded(): void {
    this.requireLock(true);
    this.log.deleteSuperseded();
  }

  /** Returns the files to delete. Throws an error if another server has them, or if they are missing. */
  deletable(): SandboxFiles {
    this.requireLock(true);
    const { taken } = this.state;
    if (taken !== null) throw taken;
    requireFound(this.#stored);
    return { file: this.state.file, logs: this.log.filesToDelete };
  }

  /** Those that have something of the sandbox. */
  get #stored(): readonly string[] {
    const { file, hasFile } = this.state;
    return hasFile ? [file, ...this.log.files] : this.log.files;
  }

  /** Throws an error if a file is not as it was written. Looks at all of them. */
  check(): void {
    this.state.check();
    this.log.check();
  }
}
