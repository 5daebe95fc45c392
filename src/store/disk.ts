import { close, closeSync, fsync, fsyncSync, open, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the names in the folder of a file permanent. Throws the error of the system. */
export function syncFolder(file: string): void {
  let folder: number | null = null;
  try {
    folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
  } catch (error) {
    if (!isNeverPossible(error)) throw error;
  } finally {
    if (folder !== null) closeSync(folder);
  }
}

/** As `syncFolder`, but without waiting for the disk. Calls back with what has failed. */
export function syncFolderSoon(file: string, done: (failure: Error | null) => void): void {
  const end = (error: NodeJS.ErrnoException | null): void => {
    done(error === null || isNeverPossible(error) ? null : error);
  };
  open(dirname(file), 'r', (error, folder) => {
    if (error !== null) return end(error);
    fsync(folder, (failure) => {
      close(folder, () => {});
      end(failure);
    });
  });
}

/** Where folders cannot be opened or flushed, the system makes names permanent by itself. */
function isNeverPossible(error: unknown): boolean {
  return error instanceof Error && 'code' in error && neverPossible.has(error.code);
}

const neverPossible: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EBADF',
  'EINVAL',
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'ENOTTY',
  'EPERM',
]);

/** Writes a text, and returns its length in bytes. */
export function writeWhole(descriptor: number, text: string): number {
  const length = Buffer.byteLength(text);
  let written = writeSync(descriptor, text);
  // The disk is almost full.
  if (written < length) {
    const bytes = Buffer.from(text);
    while (written < length) written += writeSync(descriptor, bytes, written);
  }
  return length;
}

/** Whether the system refused to write because a shared resource is used up. */
export function lacksRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && usedUp.has(error.code);
}

/** Whether the system refused to open another file. */
export function areFilesUsedUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

const usedUp: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** A file can be mounted into a container without its folder. Only Linux reports this. */
export function isMountPoint(file: string): boolean {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .some((line) => line.split(' ')[4] === file);
  } catch {
    return false;
  }
}
