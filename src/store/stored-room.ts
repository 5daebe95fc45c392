import { StorageError } from '../sandbox/ledger.ts';

/**
 * The most characters of JSON that can be read back are those of the longest text, less than 2 ** 29. Large changes
 * leave room for small ones, such as the deletion of a snapshot.
 */
export const maxStored = { large: 400_000_000, small: 530_000_000 };

/** Throws StorageError if the files of a sandbox would become so large that they could not be read back. */
export function requireRoom(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new StorageError(
    `The change could not be stored, so it had no effect: with it, the files of the sandbox would have more than ${most} bytes, the most that can be read back. Delete snapshots.`,
  );
}
