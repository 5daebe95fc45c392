import type { DataSync } from './data-sync.ts';

/** What a keeper needs from the store. */
export interface KeeperOptions {
  readonly sync: DataSync;
  /** The number of the last line that was read. */
  readonly lastLine: number;
  /** Whether the sandbox was read from files, so that they have the state that its lines change. */
  readonly isStored: boolean;
  /** Whether the state file has everything that was read. */
  readonly isFolded: boolean;
  /** Called for each failed attempt. `isFirst` says whether the one before succeeded. */
  readonly onError: (error: unknown, isFirst: boolean) => void;
  /** Called if the state file could not be written for lack of space, although the log has everything. */
  readonly onPostponed: (error: unknown) => void;
  readonly onWritten?: () => void;
}
