import { StorageError } from '../sandbox/ledger.ts';

/**
 * The most characters of JSON that can be read back are those of the longest text, less than 2 ** 29. Large changes
 * leave room for small ones, such as the deletion of a snapshot.
 */
export const maxStored = { large: 400_000_000, small: 530_000_000 };

/**
 * Returns the error for a change with which the files of a sandbox would become so large that they could not be read
 * back. `isLater` says whether they may soon be smaller.
 */
export function noRoom(most: number, isLater: boolean): StorageError {
  const advice = isLater ? 'Try again in a few seconds, or delete snapshots.' : 'Delete snapshots.';
  return new StorageError(
    `The change could not be stored, so it had no effect: the files of the sandbox would exceed ${most} bytes, the maximum that the server can read back. ${advice}`,
  );
}
