import { Low } from 'lowdb';
import { DiskSyncs } from './disk-syncs.ts';
import type { Saved } from './saved.ts';
import { StateFile } from './state-file.ts';
import type { TakenError } from './taken-error.ts';

/** The state file of one sandbox: a `Low` of lowdb, with the methods `read` and `write`. */
export class StatePort extends Low<Saved | null> {
  readonly #file: StateFile;

  /** Each write waits until it is on the disk, unless `syncs` is null. */
  constructor(path: string, syncs: DiskSyncs | null = new DiskSyncs()) {
    const file = new StateFile(path, syncs);
    super(file, null);
    this.#file = file;
  }

  get file(): string {
    return this.#file.path;
  }

  /** Sets what is called before a write replaces the file; it throws an error to prevent that. */
  guard(beforeReplacing: () => void): void {
    this.#file.beforeReplacing = beforeReplacing;
  }

  /**
   * Sets how to get the number of the last line of this server. A state file without an id belongs to another server if
   * its line is later.
   */
  countLines(lastLine: () => number): void {
    this.#file.lastLine = lastLine;
  }

  /** This is the id of the file that was loaded. Another server may have replaced it since then. */
  expect(id: string | null): void {
    this.#file.expect(id);
  }

  /** Whether the file had what was read last. If not, it was read from what the file is copied from. */
  get isWhole(): boolean {
    return this.#file.isWhole;
  }

  /** Whether there was a file when it was last read or written. */
  get hasFile(): boolean {
    return this.#file.hasFile;
  }

  /** The size of the file after the last write. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Throws an error if somebody has deleted, changed or replaced the file since it was last read or written. */
  check(): void {
    this.#file.check();
  }

  /** Why the file is of another server now; null if it is not. */
  get taken(): TakenError | null {
    return this.#file.taken;
  }

  /** Whether the file is as it was last read or written. */
  get isUnchanged(): boolean {
    return this.#file.isUnchanged;
  }

  /** Whether `discard` was called. */
  get isDiscarded(): boolean {
    return this.#file.isDiscarded;
  }

  /** Lets no write in progress replace the file any more. */
  discard(): void {
    this.#file.isDiscarded = true;
  }
}
