import { isObject } from '../base/is-object.ts';
import { describe } from '../base/violation.ts';
import type { Facts } from '../sandbox/facts.ts';
import type { ChangeLists, LedgerEntry, SavedSnapshot } from '../sandbox/ledger.ts';
import type { LogHeader, StateMark } from './log-chain.ts';

/** The state file of a sandbox: everything in it but its journal. */
export interface Saved extends StateMark {
  readonly format: typeof format;
  readonly version: typeof version;
  readonly sandbox: string;
  /** The number of the last line of the log that the file contains. */
  readonly upTo: number;
  readonly state: NonNullable<LedgerEntry['state']>;
  readonly facts: Facts;
  readonly snapshots: Readonly<Record<string, SavedSnapshot>>;
  readonly changes: ChangeLists;
}

/** A line of the log beside the state file. Lines are numbered from 1. */
export interface SavedLine extends LedgerEntry {
  readonly line: number;
  /** Of the first line of a log: there may be no state file yet. */
  readonly version?: number;
  /** Of the first line of a log, unless version 2 wrote it. */
  readonly log?: LogHeader;
}

export const format = 'learning-platform-sandbox/state';
export const version = 3;

/** Its files have no ids. */
export const previousVersion = 2;

/** A stored sandbox is good, but this server cannot use it. */
export class NotUsableError extends Error {
  /** The file that says so, if it is a log. */
  readonly log: string | null;

  constructor(message: string, log: string | null = null) {
    super(message);
    this.log = log;
  }
}

/** Throws NotUsableError for any version other than the one that this program writes and the one before. */
export function requireVersion(found: unknown): void {
  if (found !== version && found !== previousVersion)
    throw new NotUsableError(
      `its version is ${describe(found)}, but this program reads ${version}, ${previousVersion} and 1. Use the version of the program that wrote it.`,
    );
}

export function areLists(changes: unknown): changes is ChangeLists {
  return (
    isObject(changes) &&
    Object.values(changes).every(
      (list) => Array.isArray(list) && list.every((one) => typeof one === 'string' || isObject(one)),
    )
  );
}
