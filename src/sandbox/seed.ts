import { keysOf, withValues } from '../base/keys.ts';
import { collectionReferences, type Records } from '../contract/generated/facts.ts';
import { Index, indexesOf, type IndexName } from './indexes.ts';
import { inFourDigitYears } from './clock.ts';
import { isLocalTime, localMilliseconds } from '../base/local-time.ts';
import { isRelativeTime, relativeMilliseconds } from '../base/relative-time.ts';
import { Remembered } from './remembered.ts';

export type CollectionName = keyof Records;

export const collectionNames = keysOf(collectionReferences);

/** What a collection of a seed consists of, frozen. */
export interface SeedRecords<N extends CollectionName> {
  readonly byId: ReadonlyMap<string, Records[N]>;
  /** Ids of records with times relative to the sandbox's clock. */
  readonly relative: ReadonlySet<string>;
}

/** The frozen records of one collection of a seed, shared by all sandboxes that start from it. */
export class SeedCollection<N extends CollectionName> {
  /** Values derived from lists of its records, shared by all sandboxes that start from it. */
  readonly remembered = new Remembered();
  readonly #name: N;
  readonly #read: () => SeedRecords<N>;
  #records: SeedRecords<N> | null = null;
  readonly #indexes = new Map<IndexName<N>, Index<Records[N]>>();

  /** `read` is called on first use: a start needs few collections. */
  constructor(name: N, read: () => SeedRecords<N>) {
    this.#name = name;
    this.#read = read;
  }

  get byId(): ReadonlyMap<string, Records[N]> {
    return (this.#records ??= this.#read()).byId;
  }

  /** Ids of records with times relative to the sandbox's clock. */
  get relative(): ReadonlySet<string> {
    return (this.#records ??= this.#read()).relative;
  }

  /** Creates the indexes of a large collection, which takes too long while a request waits. */
  prepare(): void {
    if (this.byId.size > maxLazilyIndexed)
      for (const index of keysOf(indexesOf(this.#name))) this.index(index);
  }

  /**
   * Creates an index on first use, because most runs need few. `prepare` creates those of a large collection.
   */
  index(name: IndexName<N>): Index<Records[N]> {
    const made = this.#indexes.get(name) ?? new Index(this.byId.values(), indexesOf(this.#name)[name]);
    this.#indexes.set(name, made);
    return made;
  }
}

/** The number of records that can be indexed within a few milliseconds. */
const maxLazilyIndexed = 10_000;

/** A named set of fixtures, loaded once, checked, frozen and shared. */
export interface Seed {
  readonly name: string;
  /** A hash of the content. Empty collections do not change it. */
  readonly fingerprint: string;
  /** The memory of its records; only of generated seeds, which any client can request. */
  readonly generatedBytes?: number;
  /** Whether its records are in the order in which a service listed them. */
  readonly isRecorded?: boolean;
  readonly collections: { readonly [N in CollectionName]: SeedCollection<N> };
}

/** Returns whether a record has a time that counts from the sandbox's clock. */
export function hasRelativeTime(record: object): boolean {
  return Object.values(record).some((value) => isRelativeTime(value) || isLocalTime(value));
}

const quarterOfAnHour = 15 * 60 * 1000;

/** Returns the moment from which relative times count: the last full quarter of an hour before `beginning`. */
export function anchorOf(beginning: number): number {
  return Math.floor(beginning / quarterOfAnHour) * quarterOfAnHour;
}

/**
 * Returns the record with its relative times counted from the anchor of `beginning`, and its local times from
 * `beginning` itself: what "next" means must not be over.
 */
export function anchored<R extends object>(record: R, beginning: number): R {
  return Object.freeze(withValues(record, (value) => moved(value, beginning)));
}

function moved(value: unknown, beginning: number): unknown {
  if (isRelativeTime(value)) return moment(anchorOf(beginning) + (relativeMilliseconds(value) ?? 0));
  const local = isLocalTime(value) ? localMilliseconds(value, beginning) : null;
  return local === null ? value : moment(local);
}

function moment(milliseconds: number): string {
  // Records with later times could not be loaded again.
  return new Date(inFourDigitYears(milliseconds)).toISOString();
}
