import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { DeletedError } from './deleted-error.ts';
import { writeWhole } from './disk.ts';
import { unfinishedName } from './unfinished-files.ts';

/** Room for every number, which is known only when the rest of the line is written. */
const startLength = '{"line":'.length + String(Number.MAX_SAFE_INTEGER).length;

/** A line of a log that takes long to write, in a file of its own until it is complete. */
export class LargeLine {
  readonly #path: string;
  #descriptor: number | null;
  #bytes = 0;

  /** Throws the error of the system. */
  constructor(stateFile: string) {
    this.#path = unfinishedName(stateFile);
    // Never follows a link that somebody has planted. If the file is truncated meanwhile, it gets no gap.
    this.#descriptor = openSync(this.#path, 'ax', 0o600);
    try {
      this.add(' '.repeat(startLength));
    } catch (error) {
      // Nobody else can do it.
      this.discard();
      throw error;
    }
  }

  /** The size of what was written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws the error of the system. */
  add(piece: string): void {
    if (this.#descriptor !== null) this.#bytes += writeWhole(this.#descriptor, piece);
  }

  /** Completes the line, and moves it to its place in the log. Returns the file. Throws the error of the system. */
  moveTo(file: string, line: number): Stats {
    if (this.#descriptor === null) throw new Error('The line was discarded.');
    const found = lstatSync(this.#path, { throwIfNoEntry: false });
    if (found?.ino !== fstatSync(this.#descriptor).ino || found.size !== this.#bytes)
      throw new DeletedError(this.#path, found === undefined ? 'deleted' : 'changed');
    this.#writeStart(line);
    const inTheWay = lstatSync(file, { throwIfNoEntry: false });
    if (inTheWay !== undefined && (!inTheWay.isFile() || inTheWay.size > 0))
      throw new Error(`${file} belongs to another program and is in the way`);
    renameSync(this.#path, file);
    this.discard();
    return found;
  }

  /** Writes the number, which was not known before. */
  #writeStart(line: number): void {
    const descriptor = openSync(this.#path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      writeSync(descriptor, `{"line":${String(line).padStart(startLength - '{"line":'.length)}`, 0);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the line if it was not moved. */
  discard(): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) return;
    this.#descriptor = null;
    try {
      closeSync(descriptor);
      rmSync(this.#path, { force: true });
    } catch {
      // The next server removes the file. The caller reports why the line is discarded, not this error.
    }
  }
}
