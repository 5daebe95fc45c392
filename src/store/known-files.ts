import { closeSync, constants, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { DeletedError } from './deleted-error.ts';
import { isMark } from './log-names.ts';

/** What identifies a file, apart from its content. */
type Inode = Pick<Stats, 'dev' | 'ino'>;

/** A file as this server has written or read it. */
interface Known {
  readonly inode: string;
  readonly size: number;
  /** When the file was created: another one can get the inode number of a deleted one. */
  readonly birthtimeMs: number;
  readonly end: End;
}

/** The end of the content: not every file system has times of creation. */
type End = string | Buffer;

const endBytes = 512;

/** The files that a server has written or read, so that it notices if somebody replaces one. */
export class KnownFiles {
  readonly #known = new Map<string, Known>();

  /** Adds a file as it is; one that does not exist is missing from now on. */
  addFound(file: string): void {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return;
    this.set(file, found, found.size, found.isFile() ? endOfFile(file, found.size) : '');
  }

  set(file: string, created: Stats, size: number, end: End): void {
    this.#known.set(file, { inode: inodeOf(created), size, birthtimeMs: created.birthtimeMs, end });
  }

  delete(file: string): void {
    this.#known.delete(file);
  }

  /** Throws DeletedError if a file is missing, or is not as it was. Looks only for unknown ones. */
  check(file: string): void {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) throw new DeletedError(file);
    const known = this.#known.get(file);
    if (known !== undefined && (inodeOf(found) !== known.inode || found.size !== known.size))
      throw new DeletedError(file, 'changed');
  }

  /** As `check`, but also notices a file of the same size that has got the inode number of the deleted one. */
  checkContent(file: string): void {
    this.check(file);
    const known = this.#known.get(file);
    if (known === undefined) return;
    const { birthtimeMs } = lstatSync(file);
    if (birthtimeMs !== known.birthtimeMs || !endAlike(endOfFile(file, known.size), known.end))
      throw new DeletedError(file, 'changed');
  }

  /** Whether these logs are as they were, and are all of those that were found. */
  areAll(files: readonly string[], found: readonly string[]): boolean {
    const known = files.filter((file) => !isMark(file, 'gap'));
    if (found.length !== known.length || found.some((file) => !known.includes(file))) return false;
    try {
      for (const file of files) this.checkContent(file);
      return true;
    } catch (error) {
      if (error instanceof DeletedError) return false;
      throw error;
    }
  }
}

export function inodeOf({ dev, ino }: Inode): string {
  return `${dev} ${ino}`;
}

/** Returns the end of a text; short, because a server can have thousands of logs. */
export function endOfText(text: string): End {
  // A character at the beginning may be cut in two.
  return text.length > 2 * endBytes ? Buffer.from(text.slice(-2 * endBytes)) : text;
}

/** Returns the end of a file that has this size. Throws the error of the system. */
export function endOfFile(file: string, size: number): End {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(Math.min(endBytes, size));
    return buffer.subarray(0, readSync(opened, buffer, 0, buffer.length, size - buffer.length));
  } finally {
    closeSync(opened);
  }
}

function endAlike(one: End, other: End): boolean {
  const [first, second] = [bytesOf(one), bytesOf(other)];
  const length = Math.min(endBytes, first.length, second.length);
  return first.subarray(first.length - length).equals(second.subarray(second.length - length));
}

function bytesOf(end: End): Buffer {
  return typeof end === 'string' ? Buffer.from(end) : end;
}
