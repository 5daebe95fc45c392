import type { Records } from '../contract/generated/facts.ts';
import { indexesOf, type Index, type IndexName, type Keys } from './indexes.ts';
import { anchored, type CollectionName, type SeedCollection } from './seed.ts';

/** A changed record, or null for a removed one. */
export type Change<R> = R | null;

/** One collection of a sandbox: the seed's records, and over them what this sandbox changed. */
export class Collection<N extends CollectionName> {
  readonly #seed: SeedCollection<N>;
  readonly #beginning: number;
  readonly #changes = new Map<string, Change<Records[N]>>();
  /** Records of the seed with relative times, as this sandbox has them. */
  readonly #anchored = new Map<string, Records[N]>();
  readonly #lookups: Readonly<Record<IndexName<N>, Lookup<Records[N]>>>;
  readonly #allLookups: readonly Lookup<Records[N]>[];

  constructor(name: N, seed: SeedCollection<N>, beginning: number) {
    this.#seed = seed;
    this.#beginning = beginning;
    const made = Object.entries<Keys<Records[N]>>(indexesOf(name)).map(([index, keys]) => [index, new Lookup(keys)] as const);
    this.#allLookups = made.map(([, lookup]) => lookup);
    // One lookup per index of the collection.
    this.#lookups = Object.fromEntries(made) as Record<IndexName<N>, Lookup<Records[N]>>;
  }

  get changes(): ReadonlyMap<string, Change<Records[N]>> {
    return this.#changes;
  }

  get(id: string): Records[N] | undefined {
    const change = this.#changes.get(id);
    if (change !== undefined) return change ?? undefined;
    return this.#seeded(id);
  }

  /** Every record: the seed's order, then the order of addition. */
  *all(): Iterable<Records[N]> {
    for (const id of this.#seed.byId.keys()) {
      const record = this.get(id);
      if (record !== undefined) yield record;
    }
    for (const [id, change] of this.#changes) if (change !== null && !this.#seed.byId.has(id)) yield change;
  }

  /** The records found under a key: the same frozen list until one of them changes. */
  where(index: IndexName<N>, key: string): readonly Records[N][] {
    const lookup = this.#lookups[index];
    const known = lookup.lists.get(key);
    if (known !== undefined) return known;
    const list = Object.freeze(this.#gather(this.#seed.index(index), lookup, key));
    lookup.lists.set(key, list);
    return list;
  }

  /** What follows from the records found under a key: made anew only when one of them has changed. */
  derived<T>(index: IndexName<N>, key: string, make: (records: readonly Records[N][]) => T): T {
    return this.#seed.remembered.of(this.where(index, key), make);
  }

  /** Adds or replaces; null removes. The record is frozen and must not be shared with a caller who may change it. */
  set(id: string, record: Change<Records[N]>): void {
    const before = this.get(id);
    for (const lookup of this.#allLookups) lookup.change(id, before, record);
    this.#changes.set(id, record);
  }

  /** Undoes a change: back to the given one, or to the seed. */
  restore(id: string, change: Change<Records[N]> | undefined): void {
    if (change !== undefined) return this.set(id, change);
    const before = this.get(id);
    for (const lookup of this.#allLookups) lookup.forget(id, before, this.#seeded(id));
    this.#changes.delete(id);
  }

  /** The record as the seed has it, with its times as this sandbox has them. */
  #seeded(id: string): Records[N] | undefined {
    const record = this.#seed.byId.get(id);
    return record !== undefined && this.#seed.relative.has(id) ? this.#anchor(record) : record;
  }

  #gather(seed: Index<Records[N]>, lookup: Lookup<Records[N]>, key: string): readonly Records[N][] {
    const seeded = seed.get(key);
    // One list, and what follows from it, for all sandboxes that have changed nothing in it.
    if (this.#changes.size === 0 && this.#seed.relative.size === 0) return seeded;
    const own = lookup.own.get(key) ?? new Set<string>();
    const ids = new Set(seeded.map(({ id }) => id).filter((id) => !this.#changes.has(id) || own.has(id)));
    for (const id of own) ids.add(id);
    return [...ids].flatMap((id) => this.get(id) ?? []);
  }

  #anchor(record: Records[N]): Records[N] {
    const known = this.#anchored.get(record.id) ?? anchored(record, this.#beginning);
    this.#anchored.set(record.id, known);
    return known;
  }
}

/** One way to look records up: what the changes put under which key, over the seed's own index. */
class Lookup<R> {
  readonly #keys: Keys<R>;
  /** Ids of changed records by key. */
  readonly own = new Map<string, Set<string>>();
  /** Lists already put together; a change drops just those that it touches. */
  readonly lists = new Map<string, readonly R[]>();

  constructor(keys: Keys<R>) {
    this.#keys = keys;
  }

  change(id: string, before: R | undefined, after: R | null): void {
    const keys = after === null ? [] : this.#keys(after);
    for (const key of before === undefined ? [] : this.#keys(before)) {
      this.lists.delete(key);
      if (!keys.includes(key)) this.own.get(key)?.delete(id);
    }
    for (const key of keys) {
      this.lists.delete(key);
      const ids = this.own.get(key);
      if (ids === undefined) this.own.set(key, new Set([id]));
      else ids.add(id);
    }
  }

  /** Drops a change: the record stands under the seed's keys again, and lists with either are put together anew. */
  forget(id: string, changed: R | undefined, seeded: R | undefined): void {
    for (const record of [changed, seeded]) {
      for (const key of record === undefined ? [] : this.#keys(record)) {
        this.lists.delete(key);
        this.own.get(key)?.delete(id);
      }
    }
  }
}
