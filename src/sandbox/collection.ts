import { keysOf, recordOf } from '../base/keys.ts';
import type { Records } from '../contract/generated/facts.ts';
import { indexesOf, type IndexName } from './indexes.ts';
import { Lookup } from './lookup.ts';
import { anchored, type CollectionName, type SeedCollection } from './seed.ts';
import { withoutPause, type SlicedWork } from '../base/sliced-work.ts';

/** A changed record, or null for a removed one. */
export type Change<R> = R | null;

/** The number of seed records to process before the work may be interrupted. */
const sliceLength = 64;

/** How often a list is gathered anew because records have changed meanwhile. After that, nothing interrupts it. */
const maxRestarts = 3;

/** One collection of a sandbox: the seed's records and the changes of this sandbox. */
export class Collection<N extends CollectionName> {
  readonly #seed: SeedCollection<N>;
  readonly #beginning: number;
  /** In the order in which records were added or removed; a restart keeps it. */
  #changes = new Map<string, Change<Records[N]>>();
  /** The place of each change in that order. */
  readonly #places = new Map<string, number>();
  #lastPlace = 0;
  /** Grows with every change. */
  #version = 0;
  /** Whether an undone change has to go back to its place. */
  #isDisordered = false;
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
    return this.#lookups[index].lists.get(key) ?? withoutPause(this.list(index, key));
  }

  /** Like `where`, for any number of records. */
  *list(index: IndexName<N>, key: string): SlicedWork<readonly Records[N][]> {
    const lookup = this.#lookups[index];
    const earlier = lookup.lists.get(key);
    if (earlier !== undefined) return earlier;
    const seeded = yield* this.#anchorAll(index, key);
    for (let restarts = 0; ; restarts += 1) {
      const known = lookup.lists.get(key);
      if (known !== undefined) return known;
      const gathering = this.#gather(seeded, lookup, key);
      const gathered = restarts < maxRestarts ? yield* gathering : withoutPause(gathering);
      if (gathered === null) continue;
      const list = Object.freeze(gathered);
      // A client can request any number of keys that do not exist.
      if (list.length > 0) lookup.lists.set(key, list);
      return list;
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
    this.#version += 1;
    const before = this.get(id);
    for (const lookup of this.#allLookups) lookup.change(id, before, record);
    const change = this.changeBy(id, record);
    // A removed record that is added again comes last.
    if (record === null || this.#changes.get(id) === null) this.#drop(id);
    if (change === undefined) return;
    if (!this.#places.has(id)) this.#places.set(id, (this.#lastPlace += 1));
    this.#changes.set(id, change);
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
    if (change === undefined || place === undefined) {
      this.#version += 1;
      const before = this.get(id);
      for (const lookup of this.#allLookups) lookup.forget(id, before, this.seedRecord(id));
      return this.#drop(id);
    }
    this.set(id, change);
    if (this.#places.get(id) === place) return;
    this.#places.set(id, place);
    // Once for all: a batch may undo thousands of changes.
    this.#isDisordered = true;
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

  /** Returns null if the work was interrupted, and the changes are no longer the same. */
  *#gather(
    seeded: readonly Records[N][],
    lookup: Lookup<Records[N]>,
    key: string,
  ): SlicedWork<readonly Records[N][] | null> {
    const version = this.#version;
    const own = lookup.own.get(key);
    const isChanged =
      (own !== undefined && own.size > 0) ||
      (this.#changes.size > 0 && seeded.some(({ id }) => this.#changes.has(id)));
    // All sandboxes that have not changed the list share it, and the values derived from it.
    if (!isChanged) return seeded;
    const list: Records[N][] = [];
    const ofSeed = new Set<string>();
    for (const [number, record] of seeded.entries()) {
      if (number % sliceLength === 0) yield;
      if (this.#version !== version) return null;
      ofSeed.add(record.id);
      const change = this.#changes.get(record.id);
      if (change === undefined) list.push(record);
      else if (change !== null && own?.has(record.id) === true) list.push(change);
    }
    if (own === undefined) return list;
    const more: { readonly record: Records[N]; readonly place: number }[] = [];
    let isOrdered = true;
    for (const [id, record] of own) {
      if (ofSeed.has(id)) continue;
      if (more.length % sliceLength === 0) yield;
      if (this.#version !== version) return null;
      const place = this.#placeAmong(id);
      isOrdered &&= place >= (more.at(-1)?.place ?? 0);
      more.push({ record, place });
    }
    // They joined the list in another order if they had another key in between.
    if (!isOrdered) more.sort((one, other) => one.place - other.place);
    for (const { record } of more) list.push(record);
    return list;
  }

  #anchor(record: Records[N]): Records[N] {
    const known = this.#anchored.get(record.id);
    if (known !== undefined) return known;
    const fresh = anchored(record, this.#beginning);
    this.#anchored.set(record.id, fresh);
    return fresh;
  }
}
