import type { SlicedWork } from '../base/sliced-work.ts';
import { factsOf } from '../sandbox/facts.ts';
import { StorageError, type LargeEntry, type LedgerEntry, type SmallEntry } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { endOfLine, entryTexts, isSmall, inPieces } from './change-texts.ts';
import type { LargeLine } from './large-line.ts';
import { baseOf, lasting, withoutWindows } from './saved-parts.ts';
import type { StoredFiles } from './stored-files.ts';
import { maxStored, noRoom } from './stored-room.ts';

/** A line of at most this number of pieces is written at once. */
const maxPiecesAtOnce = 8;

/** What the writer of lines needs from the keeper. */
interface Keeping {
  readonly isOver: () => boolean;
  /** Throws StorageError while nothing can be stored. */
  readonly requireWorking: () => void;
  /** Returns the error for the requester of the change. `bytes` is the size of what could not be written. */
  readonly onError: (error: unknown, bytes: number) => StorageError;
  readonly onAppended: () => void;
  /** The files have no room for a change. */
  readonly onFull: () => void;
}

/** An entry whose absent members may be undefined. JSON leaves them out. */
type AnyEntry = { readonly [M in keyof LedgerEntry]: LedgerEntry[M] | undefined };

/** Writes what happens in a sandbox to its log. */
export class LineWriter {
  /** The number of the last line. */
  last: number;
  /** Whether the log or the state file has the state that the lines change. */
  hasBase: boolean;
  readonly #sandbox: Sandbox;
  readonly #files: StoredFiles;
  readonly #keeping: Keeping;
  /** The last stored facts as JSON, without what every call changes. */
  #facts: string | null = null;

  constructor(
    sandbox: Sandbox,
    files: StoredFiles,
    { last, hasBase }: { readonly last: number; readonly hasBase: boolean },
    keeping: Keeping,
  ) {
    this.#sandbox = sandbox;
    this.#files = files;
    this.last = last;
    this.hasBase = hasBase;
    this.#keeping = keeping;
    files.log.resume(last + 1);
  }

  append(entry: AnyEntry): void {
    const facts = entry.facts === undefined ? null : lasting(entry.facts);
    // Most requests to the control plane change nothing besides the records.
    const isKnown = facts === this.#facts && this.#sandbox.limits.counters.areStored;
    if (facts !== null && isKnown && hasFactsOnly(entry)) return;
    try {
      this.#keeping.requireWorking();
      if (entry.changes !== undefined) this.#requireRoom(this.#files.bytes, maxStored.small);
      this.#append(this.hasBase ? this.#withNewWindows(entry) : entry, facts);
    } catch (error) {
      // A call has counted what is not stored.
      this.#sandbox.limits.counters.areStored = false;
      throw error;
    }
  }

  /** Leaves the windows of the limits out if they are stored: each call stores what it has counted. */
  #withNewWindows<E extends AnyEntry>(entry: E): E {
    const { facts } = entry;
    if (facts === undefined || !this.#sandbox.limits.counters.areStored) return entry;
    return { ...entry, facts: withoutWindows(facts) };
  }

  #requireRoom(bytes: number, most: number): void {
    if (bytes <= most) return;
    this.#keeping.onFull();
    throw noRoom(most, this.#files.log.bytes > 0);
  }

  /** Appends all facts, although something may not be stored. Returns false if that fails, too. */
  appendFacts(): boolean {
    const facts = factsOf(this.#sandbox);
    try {
      this.#append({ facts }, lasting(facts));
      return true;
    } catch (error) {
      if (error instanceof StorageError) return false;
      throw error;
    }
  }

  #append(entry: AnyEntry, facts: string | null): void {
    const whole = this.hasBase ? entry : this.#withBase(entry);
    this.#appendText(`{"line":${this.last + 1}${endOfLine(whole)}`);
    this.#appended(entry.counts, facts);
  }

  #withBase(entry: AnyEntry): object {
    const given = Object.entries(entry).filter(([, member]) => member !== undefined);
    return { ...baseOf(this.#sandbox), ...Object.fromEntries(given) };
  }

  #appendText(line: string): void {
    this.#try(
      () => this.#files.log.append(line),
      () => Buffer.byteLength(line),
    );
  }

  *appendLarge(large: LargeEntry, rest: () => SmallEntry): SlicedWork<void> {
    if (isSmall(large)) return this.append(together(large, rest()));
    const pieces: string[] = [];
    let line: LargeLine | null = null;
    let length = 0;
    try {
      for (const piece of inPieces(entryTexts(large))) {
        if (this.#keeping.isOver()) break;
        length += piece.length;
        this.#requireRoom(this.#files.bytes + length, maxStored.large);
        pieces.push(piece);
        yield;
        if (line === null && pieces.length > maxPiecesAtOnce) {
          this.#keeping.requireWorking();
          line = this.#try(() => this.#files.log.beginLarge());
        }
        if (line !== null) yield* this.#add(pieces.splice(0), line);
      }
      this.#finish(line ?? pieces.join(''), rest);
    } finally {
      line?.discard();
    }
  }

  *#add(pieces: readonly string[], line: LargeLine): SlicedWork<void> {
    for (const piece of pieces) {
      if (this.#keeping.isOver()) return;
      this.#keeping.requireWorking();
      this.#try(
        () => line.add(piece),
        () => line.bytes + Buffer.byteLength(piece),
      );
      yield;
    }
  }

  /** Appends a line of which only the beginning and the end are missing. */
  #finish(line: string | LargeLine, rest: () => SmallEntry): void {
    if (this.#keeping.isOver()) return void rest();
    // The line continues a state that is in lines before it.
    if (!this.hasBase) this.append({});
    this.#keeping.requireWorking();
    const small = rest();
    const number = this.last + 1;
    const end = endOfLine(this.#withNewWindows(small));
    if (typeof line === 'string') this.#appendText(`{"line":${number}${line}${end}`);
    else this.#try(() => this.#files.log.appendLarge(line, number, end));
    this.#appended(small.counts, small.facts === undefined ? null : lasting(small.facts));
  }

  #try<T>(write: () => T, bytes = (): number => 0): T {
    try {
      this.#files.requireOwn();
      return write();
    } catch (error) {
      throw this.#keeping.onError(error, bytes());
    }
  }

  #requireStillOwn(): void {
    try {
      this.#files.requireStillOwn(this.last);
    } catch (error) {
      throw this.#keeping.onError(error, 0);
    }
  }

  #appended(counts: SmallEntry['counts'], facts: string | null): void {
    this.last += 1;
    this.hasBase = true;
    // The line is in the file. Its number is used, also if it is not acknowledged.
    this.#requireStillOwn();
    // A call counts in facts that a request may then reset to what they were.
    this.#facts = counts === undefined ? (facts ?? this.#facts) : null;
    if (facts !== null) this.#sandbox.limits.counters.areStored = true;
    this.#keeping.onAppended();
  }
}

/** Not by spreading both, which would cost every call a microsecond. */
function together({ state, changes, snapshots }: LargeEntry, { counts, facts }: SmallEntry): AnyEntry {
  return { counts, facts, state, changes, snapshots };
}

function hasFactsOnly({ counts, state, changes, snapshots }: AnyEntry): boolean {
  return counts === undefined && state === undefined && changes === undefined && snapshots === undefined;
}
