import { closeSync, constants, fdatasync, ftruncateSync, lstatSync, openSync, rmSync } from 'node:fs';
import { DiskSyncs } from './disk-syncs.ts';

/** The maximum number of open files: a server can have thousands of sandboxes. */
const maxOpen = 64;

/** A file stays open while it is flushed. The system flushes only a few at the same time. */
const maxFlushing = 32;

/** The open logs of a server; those that were unused for the longest time are closed. */
export class OpenLogs {
  readonly syncs: DiskSyncs;
  readonly #open = new Map<string, number>();
  /** How often each descriptor is being flushed. */
  readonly #flushes = new Map<number, number>();
  #flushing = 0;
  /** Those to flush when others are. */
  readonly #waiting = new Set<{ readonly file: string; readonly done: (error: Error | null) => void }>();
  readonly #atNextFlush: (() => void)[] = [];
  /** Those to close afterwards. */
  readonly #closing = new Set<number>();
  /** Those with nothing but a part of a refused line, to be deleted before others get their names. */
  readonly #refused = new Set<string>();

  constructor(syncs = new DiskSyncs()) {
    this.syncs = syncs;
  }

  /** Returns the file descriptor of a file, opened for appending, or created. Throws the error of the system. */
  descriptor(file: string, isNew = false): number {
    const known = this.#open.get(file);
    if (known !== undefined) {
      this.#open.delete(file);
      this.#open.set(file, known);
      return known;
    }
    for (const [other] of this.#open) {
      if (this.#open.size < maxOpen) break;
      this.close(other);
    }
    if (isNew) this.#deleteRefused(file);
    const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    // A file that exists is not of this sandbox, or is a link.
    const creating = isNew ? O_CREAT | O_EXCL : 0;
    // A power failure may leave a file of this sandbox without its content.
    if (isNew && isEmptyFile(file)) rmSync(file, { force: true });
    // Otherwise, opening a pipe would wait for a reader and block the process.
    const flags = O_APPEND | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
    const opened = openSync(file, flags | creating, 0o600);
    this.#open.set(file, opened);
    return opened;
  }

  /**
   * Removes what follows this many bytes of a file: a part of a line in the middle of a log would make the rest
   * unreadable. Throws the error of the system.
   */
  cutOff(file: string, bytes: number): void {
    if (bytes > 0) return ftruncateSync(this.descriptor(file), bytes);
    this.close(file);
    this.#refused.add(file);
    this.#deleteRefused(file);
  }

  /** Throws the error of the system; then the next call tries again. */
  #deleteRefused(file: string): void {
    if (this.#refused.has(file)) rmSync(file, { force: true });
    this.#refused.delete(file);
  }

  close(file: string): void {
    const opened = this.#open.get(file);
    this.#open.delete(file);
    if (opened === undefined) return;
    // While it is flushed, its number must not be given to another file.
    if (this.#flushes.has(opened)) this.#closing.add(opened);
    else closeQuietly(opened);
  }

  /** Calls back when a file is on the disk. */
  sync(file: string, done: (error: Error | null) => void): void {
    if (this.#flushing >= maxFlushing) this.#waiting.add({ file, done });
    else this.#flush(file, done);
  }

  #flush(file: string, done: (error: Error | null) => void): void {
    let descriptor: number;
    try {
      descriptor = this.descriptor(file);
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
    this.#flushing += 1;
    this.#flushes.set(descriptor, (this.#flushes.get(descriptor) ?? 0) + 1);
    fdatasync(descriptor, (error) => {
      this.#flushing -= 1;
      this.#endFlush(descriptor);
      this.#flushNext();
      done(error);
    });
  }

  #flushNext(): void {
    for (const look of this.#atNextFlush.splice(0)) look();
    for (const next of this.#waiting) {
      if (this.#flushing >= maxFlushing) return;
      this.#waiting.delete(next);
      this.#flush(next.file, next.done);
    }
  }

  /** Resolves when all flushes have begun: before a process ends, the system completes those. */
  async whenBegun(): Promise<void> {
    while (this.#waiting.size > 0) await new Promise<void>((done) => void this.#atNextFlush.push(done));
  }

  /** Closes a file that is about to be deleted: nothing needs it on the disk any more. */
  forget(file: string): void {
    this.close(file);
    for (const one of this.#waiting) {
      if (one.file !== file) continue;
      this.#waiting.delete(one);
      one.done(null);
    }
  }

  #endFlush(descriptor: number): void {
    const left = (this.#flushes.get(descriptor) ?? 1) - 1;
    if (left > 0) return void this.#flushes.set(descriptor, left);
    this.#flushes.delete(descriptor);
    if (this.#closing.delete(descriptor)) closeQuietly(descriptor);
  }
}

/** The system closes it even if it reports an error. What it could not write, a flush reports. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // See above.
  }
}

function isEmptyFile(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
}
