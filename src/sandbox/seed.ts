import { collectionReferences, type Records } from '../contract/generated/facts.ts';
import { Index, indexesOf, type IndexName } from './indexes.ts';
import { isRelativeTime, relativeMilliseconds } from '../base/relative-time.ts';
import { Remembered } from './remembered.ts';

export type CollectionName = keyof Records;

/** `Object.keys` of the generated list itself, so the names are exactly its keys. */
export const collectionNames = Object.keys(collectionReferences) as CollectionName[];

/** The frozen records of one collection as a seed has them, shared by all sandboxes that start from it. */
export class SeedCollection<N extends CollectionName> {
  readonly byId: ReadonlyMap<string, Records[N]>;
  /** Ids of records with times relative to the sandbox's clock. */
  readonly relative: ReadonlySet<string>;
  /** What follows from lists of its records, for all sandboxes that start from it. */
  readonly remembered = new Remembered();
  readonly #name: N;
  readonly #indexes = new Map<IndexName<N>, Index<Records[N]>>();

  constructor(name: N, records: readonly Records[N][], relative: ReadonlySet<string>) {
    this.#name = name;
    this.byId = new Map(records.map((record) => [record.id, record]));
    this.relative = relative;
    if (records.length > large) for (const index of Object.keys(indexesOf(name))) this.index(index as IndexName<N>);
  }

  /** Made when first asked for, because most runs need few of them; those of a large collection when it is read, before anybody calls. */
  index(name: IndexName<N>): Index<Records[N]> {
    const made = this.#indexes.get(name) ?? new Index(this.byId.values(), indexesOf(this.#name)[name]);
    this.#indexes.set(name, made);
    return made;
  }
}

/** More records than an index takes in within a few milliseconds. */
const large = 10_000;

/** A named set of fixtures, loaded once, checked, frozen and shared. */
export interface Seed {
  readonly name: string;
  /** Tells whether two seeds of one name have the same content. */
  readonly fingerprint: string;
  readonly collections: { readonly [N in CollectionName]: SeedCollection<N> };
}

const quarterOfAnHour = 15 * 60 * 1000;

/** The record with its relative times counted from the last full quarter of an hour before `beginning`. */
export function anchored<R extends object>(record: R, beginning: number): R {
  const anchor = Math.floor(beginning / quarterOfAnHour) * quarterOfAnHour;
  const fields = Object.entries(record).map(([name, value]) => [name, isRelativeTime(value) ? moment(value, anchor) : value]);
  // Strings stay strings and every other field is the record's own, so the type is the record's.
  return Object.freeze(Object.fromEntries(fields)) as R;
}

function moment(relative: string, anchor: number): string {
  return new Date(anchor + (relativeMilliseconds(relative) ?? 0)).toISOString();
}
