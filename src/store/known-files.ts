import { lstatSync, type Stats } from 'node:fs';
import { DeletedError } from './deleted-error.ts';

/** What identifies a file, apart from its content. */
type Inode = Pick<Stats, 'dev' | 'ino'>;

/** A file as this server has written or read it. */
interface Known {
  readonly inode: string;
  readonly size: number;
}

/** The files that a server has written or read, so that it notices if somebody replaces one. */
export class KnownFiles {
  readonly #known = new Map<string, Known>();

  /** Adds a file as it is; one that does not exist is missing from now on. */
  addFound(file: string): void {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined) this.set(file, inodeOf(found), found.size);
  }

  set(file: string, inode: string, size: number): void {
    this.#known.set(file, { inode, size });
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
}

export function inodeOf({ dev, ino }: Inode): string {
  return `${dev} ${ino}`;
}
