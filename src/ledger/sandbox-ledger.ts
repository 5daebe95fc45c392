import { withoutPause, type SlicedWork } from '../base/sliced-work.ts';
import { factsOf, stateFacts } from '../sandbox/facts.ts';
import { StorageError } from '../sandbox/ledger.ts';
import type { LargeEntry, Ledger, LedgerEntry, SmallEntry } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { lasting } from '../store/saved-parts.ts';
import type { Batches } from './batches.ts';
import { noRows, Pending, rowsOf, type LargeRows } from './pending.ts';
import { rowsToKeep, type SandboxRows } from './sandbox-rows.ts';
import { clean } from './statements.ts';

/** The stored limit of request ids is this number above the reserved one, so that the next reservation is stored before it is needed. */
const idsAhead = 1000;

/** A use without any change is stored at most this often, in milliseconds, or in this part of the time to live. */
const maxUseMs = 60_000;
const usePart = 0.1;

/** Large changes wait for others of this size. */
const maxPendingChars = 64 * 1024 * 1024;

/** What a sandbox has in the database when it is loaded. */
export interface StoredPosition {
  readonly generation: number;
  /** The last place of its records and windows. */
  readonly lastPlace: number;
  /** The last generation that has records: a crash may leave some of a state that was not stored completely. */
  readonly lastGeneration: number;
}

/** Collects what happens in one sandbox until it is stored with the next statement. */
export class SandboxLedger implements Ledger {
  readonly holdsReads = true;
  readonly sandbox: Sandbox;
  readonly #batches: Batches;
  #pending = new Pending();
  /** The number of the last change, and of the last one that is stored. */
  last = 0;
  #storedUpTo = 0;
  /** The number that no request id has exceeded, as it is to be stored, and as it is. */
  #lastNumber: number;
  #storedNumber = 0;
  #isNew: boolean;
  #generation: number;
  #lastGeneration: number;
  #lastPlace: number;
  #facts: string | null = null;
  #storedUse = 0;
  /** New counters since all were stored: those that were forgotten meanwhile are still stored. */
  #newWindows = 0;
  #isOver = false;
  /** Why nothing more is stored, and nothing is answered; null if all is well. */
  lost: string | null = null;
  /** When the last piece of a large state was stored, from `stopwatch`: a reply may wait longer for all of them. */
  progressAt = 0;

  /** `stored` is null for a new sandbox. */
  constructor(sandbox: Sandbox, batches: Batches, stored: StoredPosition | null) {
    this.sandbox = sandbox;
    this.#batches = batches;
    this.#isNew = stored === null;
    this.#generation = stored?.generation ?? 1;
    this.#lastGeneration = stored?.lastGeneration ?? this.#generation;
    this.#lastPlace = stored?.lastPlace ?? 0;
    this.#lastNumber = sandbox.numbers.last + idsAhead;
    if (stored === null) {
      if (batches.failure !== null)
        throw new StorageError(`The sandbox "${sandbox.id}" cannot be stored: ${batches.failure}.`);
      this.#pending.state = JSON.stringify(stateFacts(sandbox.state));
      this.#pending.hasFacts = true;
      this.last = 1;
    }
    sandbox.limits.counters.areStored = true;
    sandbox.ledger = this;
    batches.add(this);
  }

  append(entry: LedgerEntry): void {
    this.#requireOwned();
    const { state, changes, snapshots } = entry;
    // A read has counted something at most, and the rest would cost it as much as a listener.
    const isSmall = state === undefined && changes === undefined && snapshots === undefined;
    this.#append(isSmall ? noRows : withoutPause(rowsOf(entry)), entry);
  }

  *appendLarge(large: LargeEntry, rest: () => SmallEntry): SlicedWork<void> {
    const rows = yield* rowsOf(large);
    this.#requireOwned();
    if (!this.#isOver) this.#requireWorking();
    this.#append(rows, rest());
  }

  #append(rows: LargeRows, { counts, facts }: SmallEntry): void {
    if (this.#isOver) return;
    this.#requireWorking();
    const { counters } = this.sandbox.limits;
    const changesFacts = facts !== undefined && (lasting(facts) !== this.#facts || this.#pending.hasFacts);
    const hasRows = rows.state !== null || rows.records.length > 0 || rows.snapshots.length > 0;
    const { window, faults, reservedNumber, usedAt } = counts ?? {};
    if (reservedNumber !== undefined) this.#lastNumber = reservedNumber + idsAhead;
    if (window !== undefined) this.#pending.addWindow(window, this.#nextPlace);
    if (window?.isNew === true) this.#newWindows += 1;
    // Counters that were reset or forgotten must not come back.
    const hasAllWindows =
      (facts !== undefined && !counters.areStored) || this.#newWindows > this.sandbox.caps.rateCounters;
    this.#pending.hasAllWindows ||= hasAllWindows;
    if (hasAllWindows) {
      this.#newWindows = 0;
      counters.areStored = true;
    }
    this.#pending.hasFacts ||= changesFacts || faults !== undefined;
    if (hasRows) this.#pending.add(rows, this.#nextPlace);
    if (rows.state !== null) this.#generation = this.#lastGeneration += 1;
    const isChange = hasRows || changesFacts || hasAllWindows || window !== undefined || faults !== undefined;
    if (isChange) this.last += 1;
    else if (reservedNumber === undefined && !this.#isUseDue(usedAt ?? 0)) return;
    this.#batches.add(this);
  }

  #isUseDue(usedAt: number): boolean {
    const { ttlSeconds } = this.sandbox;
    return usedAt - this.#storedUse >= Math.min(maxUseMs, (ttlSeconds ?? Infinity) * 1000 * usePart);
  }

  readonly #nextPlace = (): number => (this.#lastPlace += 1);

  /** Throws StorageError while nothing can be stored. What the caller undoes then may be in the next statement. */
  #requireWorking(): void {
    const { failure } = this.#batches;
    if (failure === null) return;
    this.#pending.hasFacts = true;
    this.#pending.hasAllWindows = true;
    this.#batches.add(this);
    throw notStored(failure);
  }

  /** Throws StorageError if this server does not own the sandbox any more. */
  #requireOwned(): void {
    if (this.lost !== null) throw notStored(this.lost);
  }

  /** Deletes the sandbox. Throws StorageError if that cannot be stored now. */
  delete(): void {
    this.#requireWorking();
    this.#isOver = true;
    this.last += 1;
    this.#batches.delete(this);
  }

  /** Gives the sandbox to other replicas, and ends. Returns false if it has changes that are not stored. */
  release(): boolean {
    if (!this.#isStored || this.lost !== null || this.#batches.failure !== null) return false;
    this.give();
    return true;
  }

  /** Stores the last facts, and gives the sandbox to other replicas. */
  give(): void {
    this.#lastNumber = this.sandbox.numbers.last;
    this.#pending.gives = true;
    this.last += 1;
    this.#isOver = true;
    this.#batches.add(this);
  }

  /** Whether the database has a row that only this server may change. */
  get hasRow(): boolean {
    return !this.#isNew && !this.#isOver;
  }

  /** Called when the sandbox is deleted in the database. */
  deleted(): void {
    this.#storedUpTo = this.last;
  }

  /** Ends what another replica has taken, or what the database refuses: memory and database may differ. */
  lose(reason: string): void {
    this.lost = reason;
    this.#isOver = true;
  }

  /** Returns the rows of the next statement. */
  take(): SandboxRows {
    const pending = this.#pending;
    this.#pending = new Pending();
    const facts = pending.hasFacts ? lasting(factsOf(this.sandbox)) : null;
    const rows = rowsToKeep(this.sandbox, pending, {
      isNew: this.#isNew,
      generation: this.#generation,
      lastNumber: Math.max(this.#lastNumber, this.sandbox.numbers.last),
      facts: facts === this.#facts ? null : facts,
      nextPlace: this.#nextPlace,
    });
    this.#facts = facts ?? this.#facts;
    this.#storedUse = rows.usedAt;
    return { ...rows, upTo: this.last };
  }

  /** Called when the rows are stored. */
  stored({ upTo, lastNumber, state }: SandboxRows): void {
    this.#isNew = false;
    this.#storedUpTo = Math.max(this.#storedUpTo, upTo);
    this.#storedNumber = lastNumber;
    const session = this.#batches.current;
    if (state === null || this.#generation === 1 || session === null) return;
    // If that fails, the records of the replaced states are deleted with the next one.
    clean(session, this.sandbox.id).catch(() => {});
  }

  /** Whether all changes up to a number, and the ids of all requests so far, are stored. */
  hasStored(upTo: number): boolean {
    return this.#storedUpTo >= upTo && (this.#isOver || this.sandbox.numbers.last <= this.#storedNumber);
  }

  get #isStored(): boolean {
    return this.hasStored(this.last);
  }

  get isSafe(): boolean {
    return this.lost === null && this.#isStored && this.#batches.isFresh;
  }

  whenSafe(done: (isSafe: boolean) => void): void {
    this.#batches.whenStored(this, done);
  }

  async whenRoomy(): Promise<void> {
    while (this.#pending.chars > maxPendingChars && this.#batches.failure === null)
      await new Promise((done) => this.whenSafe(done));
  }

  /** Numbers beyond those that are stored would be issued again after a crash. */
  markGap(): boolean {
    return false;
  }
}

function notStored(reason: string): StorageError {
  return new StorageError(`The change could not be stored, so it had no effect: ${reason}.`);
}
