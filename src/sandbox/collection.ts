import { keysOf, recordOf } from '../base/keys.ts';
import type { Records } from '../contract/generated/facts.ts';
import { indexesOf, type IndexName } from './indexes.ts';
import { Lookup } from './lookup.ts';
import { inOrder, type OwnCopy } from './own-records.ts';
import { anchored, type CollectionName, type SeedCollection } from './seed.ts';
import { withoutPause, type SlicedWork } from '../base/sliced-work.ts';

/** A changed record, or null for a removed one. */
export type Change<R> = R | null;

/** How many records differ from the seed. */
export type Differences = Readonly<Record<'added' | 'changed' | 'removed', number>>;

/** The number of seed records to process before the work may be interrupted. */
const sliceLength = 64;

/** One collection of a sandbox: the seed's records and the changes of this sandbox. */
export class Collection<N extends CollectionName> {
  readonly #seed: SeedCollection<N>;
  readonly #beginning: number;
  /** In the order in which records were added or removed; a restart keeps it. */
  #changes = new Map<string, Change<Records[N]>>();
  /** The place of each change in that order. */
  readonly #places = new Map<string, number>();
  #lastPlace = 0;
  /** For each list that is being gathered, the changes that there were when that began, of records changed since. */
  readonly #gatherings = new Set<Map<string, Change<Records[N]> | undefined>>();
  /** Whether an undone change has to go back to its place. */
  #isDisordered = false;
  /** Cached by who counts them; a change makes it null. */
  differences: Differences | null = null;
  /** Seed records with relative times, converted for this sandbox. */
  readonly #anchored = new Map<string, Records[N]>();
  readonly #lookups: Readonly<Record<IndexName<N>, Lookup<Records[N]>>>;
  readonly #allLookups: readonly Lookup<Records[N]>[];

  constructor(name: N, seed: SeedCollection<N>, beginning: number) {
    this.#seed = seed;
    this.#beginning = beginning;
    const indexes = indexesOf(name);
    this.#lookups = recordOf(keysOf(indexes), (index) => new Lookup<Records[N]>(indexes[index]));
    this.#allLookups = Object.values(this.#lookups);
  }

  /** In order. */
  get changes(): ReadonlyMap<string, Change<Records[N]>> {
    if (this.#isDisordered) this.#putInOrder();
    return this.#changes;
  }

  changeOf(id: string): Change<Records[N]> | undefined {
    return this.#changes.get(id);
  }

  #putInOrder(): void {
    this.#isDisordered = false;
    this.#changes = new Map(
      [...this.#changes].toSorted(([one], [other]) => this.#placeAmong(one) - this.#placeAmong(other)),
    );
  }

  get(id: string): Records[N] | undefined {
    const change = this.#changes.get(id);
    if (change !== undefined) return change ?? undefined;
    return this.seedRecord(id);
  }

  /** Returns every record, in the order of the seed and then of addition. */
  *all(): Iterable<Records[N]> {
    for (const id of this.#seed.byId.keys()) {
      const record = this.get(id);
      if (record !== undefined) yield record;
    }
    for (const [id, change] of this.changes) if (change !== null && !this.#seed.byId.has(id)) yield change;
  }

  /**
   * Returns the records of a key, for keys with few records. It is the same frozen list until one of them
   * changes.
   */
  where(index: IndexName<N>, key: string): readonly Records[N][] {
    return this.#lookups[index].list(key) ?? withoutPause(this.list(index, key));
  }

  /** Returns the first record of a key that fits. Does not gather the others. */
  *first(
    index: IndexName<N>,
    key: string,
    fits: (record: Records[N]) => boolean = () => true,
  ): SlicedWork<Records[N] | undefined> {
    const own = this.#lookups[index].own.get(key);
    for (const [number, { id }] of this.#seed.index(index).get(key).entries()) {
      if (number % sliceLength === sliceLength - 1) yield;
      const record = this.#changes.has(id) && own?.has(id) !== true ? undefined : this.get(id);
      if (record !== undefined && fits(record)) return record;
    }
    return own === undefined ? undefined : yield* own.first(fits);
  }

  /** Like `where`, for any number of records: as they are at the first step, whatever changes meanwhile. */
  *list(index: IndexName<N>, key: string): SlicedWork<readonly Records[N][]> {
    const lookup = this.#lookups[index];
    const known = lookup.list(key);
    if (known !== undefined) return known;
    const own = lookup.own.get(key)?.copy() ?? { placed: [], isOrdered: true };
    const hasChanges = this.#changes.size > 0;
    const before = new Map<string, Change<Records[N]> | undefined>();
    const token = lookup.begin(key);
    let list: readonly Records[N][] | null = null;
    this.#gatherings.add(before);
    try {
      const seeded = yield* this.#anchorAll(index, key);
      // All sandboxes that have not changed the list share it, and the values derived from it.
      const gathered = hasChanges
        ? yield* this.#gather(seeded, own, before, (record) => lookup.keysOf(record).includes(key))
        : seeded;
      // Another call may have gathered the same list.
      list = lookup.list(key) ?? Object.freeze(gathered);
      return list;
    } finally {
      this.#gatherings.delete(before);
      lookup.end(key, token, list);
    }
  }

  /**
   * Returns a value derived from the records of a key. Derives it again only after one of them has changed.
   */
  *deriving<T>(
    index: IndexName<N>,
    key: string,
    derive: (records: readonly Records[N][]) => SlicedWork<T>,
  ): SlicedWork<T> {
    return yield* this.#seed.remembered.of(yield* this.list(index, key), derive);
  }

  /** Adds or replaces a frozen record; null removes it. */
  set(id: string, record: Change<Records[N]>): void {
    this.#put(id, record, null);
  }

  /** Puts the change at an earlier place; null for the place that it has, or the last one. */
  #put(id: string, record: Change<Records[N]>, earlier: number | null): void {
    this.#noteChange(id);
    const before = this.get(id);
    const change = this.changeBy(id, record);
    // A removed record that is added again comes last.
    if (record === null || this.#changes.get(id) === null) this.#drop(id);
    const kept = this.#places.get(id) ?? this.#lastPlace + 1;
    const place = earlier ?? kept;
    for (const lookup of this.#allLookups) lookup.change(id, before, record, place);
    if (change === undefined) return;
    // Once for all: a batch may undo thousands of changes.
    if (place !== kept) this.#isDisordered = true;
    this.#lastPlace = Math.max(this.#lastPlace, place);
    this.#places.set(id, place);
    this.#changes.set(id, change);
  }

  #noteChange(id: string): void {
    this.differences = null;
    for (const before of this.#gatherings) if (!before.has(id)) before.set(id, this.#changes.get(id));
  }

  #drop(id: string): void {
    this.#changes.delete(id);
    this.#places.delete(id);
  }

  /** The place of a change among the others, for `restore`. */
  placeOf(id: string): number | undefined {
    return this.#places.get(id);
  }

  /** Returns the change that `set` leaves. To remove what was added leaves none. */
  changeBy(id: string, record: Change<Records[N]>): Change<Records[N]> | undefined {
    return record === null && !this.#seed.byId.has(id) ? undefined : record;
  }

  /** Restores an earlier change at its earlier place, or the record of the seed if there was none. */
  restore(id: string, change: Change<Records[N]> | undefined, place: number | undefined): void {
    if (change !== undefined && place !== undefined) return this.#put(id, change, place);
    this.#noteChange(id);
    const before = this.get(id);
    for (const lookup of this.#allLookups) lookup.forget(id, before, this.seedRecord(id));
    this.#drop(id);
  }

  #placeAmong(id: string): number {
    return this.#places.get(id) ?? Infinity;
  }

  /** Returns the seed's record, with its relative times converted, whatever has changed since. */
  seedRecord(id: string): Records[N] | undefined {
    const record = this.#seed.byId.get(id);
    return record !== undefined && this.#seed.relative.has(id) ? this.#anchor(record) : record;
  }

  /** Returns the seed's records of a key, with their relative times converted. */
  *#anchorAll(index: IndexName<N>, key: string): SlicedWork<readonly Records[N][]> {
    const seeded = this.#seed.index(index).get(key);
    if (this.#seed.relative.size === 0) return seeded;
    const anchored: Records[N][] = [];
    for (const record of seeded) {
      anchored.push(this.#seed.relative.has(record.id) ? this.#anchor(record) : record);
      if (anchored.length % sliceLength === 0) yield;
    }
    return anchored;
  }

  /**
   * Returns the records of a key. `own` are the changed ones, and `before` has the earlier changes of those that have
   * changed since.
   */
  *#gather(
    seeded: readonly Records[N][],
    own: OwnCopy<Records[N]>,
    before: ReadonlyMap<string, Change<Records[N]> | undefined>,
    belongs: (record: Records[N]) => boolean,
  ): SlicedWork<readonly Records[N][]> {
    /** Null as long as it has the same records as the seed. */
    let list: Records[N][] | null = null;
    const ofSeed = new Set<string>();
    for (const [number, record] of seeded.entries()) {
      if (number % sliceLength === 0) yield;
      const { id } = record;
      const change = before.has(id) ? before.get(id) : this.#changes.get(id);
      if (change !== undefined) list ??= seeded.slice(0, number);
      if (own.placed.length > 0) ofSeed.add(id);
      if (change === undefined) list?.push(record);
      else if (change !== null && belongs(change)) list?.push(change);
    }
    for (const [number, { record }] of (yield* inOrder(own)).entries()) {
      if (number % sliceLength === 0) yield;
      if (!ofSeed.has(record.id)) (list ??= [...seeded]).push(record);
    }
    return list ?? seeded;
  }

  #anchor(record: Records[N]): Records[N] {
    const known = this.#anchored.get(record.id);
    if (known !== undefined) return known;
    const fresh = anchored(record, this.#beginning);
    this.#anchored.set(record.id, fresh);
    return fresh;
  }
}
