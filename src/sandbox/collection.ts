import type { Records } from '../contract/generated/facts.ts';
import { indexesOf, type IndexName, type Keys } from './indexes.ts';
import { anchored, type CollectionName, type SeedCollection } from './seed.ts';

/** A changed record, or null for a removed one. */
export type Change<R> = R | null;

/** One collection of a sandbox: the seed's records, and over them what this sandbox changed. */
export class Collection<N extends CollectionName> {
  readonly #seed: SeedCollection<N>;
  readonly #beginning: number;
  readonly #keys: Readonly<Record<IndexName<N>, Keys<Records[N]>>>;
  readonly #changes = new Map<string, Change<Records[N]>>();
  /** Records of the seed with relative times, as this sandbox has them. */
  readonly #anchored = new Map<string, Records[N]>();
  /** Ids of own records by index and key, kept up at every change. */
  readonly #own = new Map<string, Set<string>>();
  /** Lists already put together; a change drops just those that it touches. */
  readonly #lists = new Map<string, readonly Records[N][]>();

  constructor(name: N, seed: SeedCollection<N>, beginning: number) {
    this.#seed = seed;
    this.#beginning = beginning;
    this.#keys = indexesOf(name);
  }

  get changes(): ReadonlyMap<string, Change<Records[N]>> {
    return this.#changes;
  }

  get(id: string): Records[N] | undefined {
    const change = this.#changes.get(id);
    if (change !== undefined) return change ?? undefined;
    const record = this.#seed.byId.get(id);
    return record !== undefined && this.#seed.relative.has(id) ? this.#anchor(record) : record;
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
    const name = slot(index, key);
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const list = Object.freeze(this.#gather(index, key));
    this.#lists.set(name, list);
    return list;
  }

  /** Adds or replaces; null removes. The record is frozen and must not be shared with a caller who may change it. */
  set(id: string, record: Change<Records[N]>): void {
    const before = this.get(id);
    const owned = this.#changes.has(id);
    for (const [index, keys] of Object.entries<Keys<Records[N]>>(this.#keys)) {
      for (const key of before === undefined ? [] : keys(before)) this.#leave(slot(index, key), owned ? id : undefined);
      for (const key of record === null ? [] : keys(record)) this.#enter(slot(index, key), id);
    }
    this.#changes.set(id, record);
  }

  /** Undoes a change: back to the given one, or to the seed. */
  restore(id: string, change: Change<Records[N]> | undefined): void {
    this.set(id, change ?? (change === null ? null : (this.#seed.byId.get(id) ?? null)));
    if (change === undefined) {
      for (const ids of this.#own.values()) ids.delete(id);
      this.#changes.delete(id);
    }
  }

  #gather(index: IndexName<N>, key: string): Records[N][] {
    const seeded = this.#seed.index(index).get(key);
    if (this.#changes.size === 0 && this.#seed.relative.size === 0) return [...seeded];
    const own = this.#own.get(slot(index, key)) ?? new Set<string>();
    const ids = new Set(seeded.map(({ id }) => id).filter((id) => !this.#changes.has(id) || own.has(id)));
    for (const id of own) ids.add(id);
    return [...ids].flatMap((id) => this.get(id) ?? []);
  }

  #anchor(record: Records[N]): Records[N] {
    const known = this.#anchored.get(record.id) ?? anchored(record, this.#beginning);
    this.#anchored.set(record.id, known);
    return known;
  }

  #enter(name: string, id: string): void {
    const ids = this.#own.get(name);
    if (ids === undefined) this.#own.set(name, new Set([id]));
    else ids.add(id);
    this.#lists.delete(name);
  }

  #leave(name: string, id: string | undefined): void {
    if (id !== undefined) this.#own.get(name)?.delete(id);
    this.#lists.delete(name);
  }
}

function slot(index: string, key: string): string {
  return `${index} ${key}`;
}
