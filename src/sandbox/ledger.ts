import { BusyError } from '../base/errors.ts';
import type { components } from '../contract/generated/state.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Records } from '../contract/generated/facts.ts';
import type { FaultCounts } from '../faults/rules-memory.ts';
import type { Facts } from './facts.ts';
import type { CollectionName } from './seed.ts';

type Schemas = components['schemas'];

/** The changes of one collection, in order: a changed record, or the id of a removed one. */
export type ChangeList = readonly (Records[CollectionName] | string)[];

/** The changes by collection. */
export type ChangeLists = { readonly [N in CollectionName]?: ChangeList };

/** What calls have counted since the last entry. Every value replaces the earlier one. */
export interface CallCounts {
  /** The number in the last request id. */
  readonly lastNumber: number;
  /** A number that no request id has exceeded yet, for ids that are not stored one by one. */
  readonly reservedNumber?: number;
  /** Real time. */
  readonly usedAt: number;
  /**
   * The window of the call, with the entries since the one before. Of all of them, the last `counting` count.
   * `isNew` if it is the first one, or replaces one that was forgotten.
   */
  readonly window?:
    (Schemas['WindowFacts'] & { readonly counting: number; readonly isNew?: true }) | undefined;
  readonly faults?: FaultCounts | undefined;
}

/** One step in the history of a sandbox, complete or absent after a crash. */
export interface LedgerEntry {
  readonly counts?: CallCounts;
  readonly facts?: Facts;
  /** A new state in place of the old one; `changes` are those of the new one. */
  readonly state?: Schemas['StateFacts'];
  readonly changes?: ChangeLists;
  /** A snapshot, by name; null removes it. */
  readonly snapshots?: Readonly<Record<string, SavedSnapshot | null>>;
}

/** The part of an entry that can be large. */
export type LargeEntry = Pick<LedgerEntry, 'state' | 'changes' | 'snapshots'>;

/** The part of an entry that is small. */
export type SmallEntry = Pick<LedgerEntry, 'counts' | 'facts'>;

/** A snapshot as plain data. */
export type SavedSnapshot = Schemas['SnapshotFacts'] & { readonly changes: ChangeLists };

/** Stores what happens in a sandbox before it is acknowledged. */
export interface Ledger {
  /** Throws StorageError, and stores nothing, if it cannot. */
  append(entry: LedgerEntry): void;
  /**
   * Like `append`, for entries that can be large: in slices. Calls `rest` when only the rest of the entry is
   * missing; from then on, the work is not interrupted.
   */
  appendLarge(large: LargeEntry, rest: () => SmallEntry): SlicedWork<void>;
  /**
   * Stores that request ids have numbers that no entry has, which needs no space on a disk. Returns false if that
   * is impossible, too.
   */
  markGap(): boolean;
  /** Resolves when there is room for large changes: so much may have been appended that a client must wait. */
  whenRoomy(): Promise<void>;
  /**
   * Whether replies that change nothing wait, too: they could show what is lost with this process, or what another
   * process has changed since.
   */
  readonly holdsReads: boolean;
  /** Whether the entries so far are stored as safely as replies promise. */
  readonly isSafe: boolean;
  /** Calls back when `isSafe` is true, or with false if storing failed. */
  whenSafe(done: (isSafe: boolean) => void): void;
}

/** A change could not be stored. The message says why. */
export class StorageError extends BusyError {}
