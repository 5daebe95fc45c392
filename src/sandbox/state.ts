import type { Records } from '../contract/generated/facts.ts';
import { Collection, type Change } from './collection.ts';
import { collectionNames, type CollectionName, type Seed } from './seed.ts';

/** What was changed, by collection: the records that were set, in the order in which they came, and the ids of those removed. */
export type Changes = { readonly [N in CollectionName]?: { readonly set: readonly Records[N][]; readonly removed: readonly string[] } };

/**
 * What a sandbox remembers: its seed plus what changed. Records are never changed in place: a change is a new frozen record.
 */
export class State {
  readonly seed: Seed;
  /** The moment from which the seed's relative times count. */
  readonly beginning: number;
  readonly #collections: { readonly [N in CollectionName]: Collection<N> };
  #undo: (() => void)[] | null = null;

  /** Told after every change. */
  onChange: () => void = () => {};

  constructor(seed: Seed, beginning: number) {
    this.seed = seed;
    this.beginning = beginning;
    const make = <N extends CollectionName>(name: N): [N, Collection<N>] => [name, new Collection(name, seed.collections[name], beginning)];
    // One collection per name, each made from the name's own seed: the mapped type that Object.fromEntries cannot express.
    this.#collections = Object.fromEntries(collectionNames.map((name) => make(name))) as { [N in CollectionName]: Collection<N> };
  }

  collection<N extends CollectionName>(name: N): Collection<N> {
    return this.#collections[name];
  }

  /** Adds the record, or replaces the one of the same id. Returns it as it is kept. */
  put<N extends CollectionName>(name: N, record: Records[N]): Records[N] {
    const kept = deepFreeze(record);
    this.#change(name, record.id, kept);
    return kept;
  }

  remove(name: CollectionName, id: string): void {
    this.#change(name, id, null);
  }

  /** Runs `work`; where it returns false, or throws, every change it made is undone. Does not nest. */
  attempt(work: () => boolean): boolean {
    const undo: (() => void)[] = (this.#undo = []);
    let done = false;
    try {
      done = work();
      return done;
    } finally {
      this.#undo = null;
      if (!done) for (const step of undo.toReversed()) step();
    }
  }

  /** What differs from the seed. */
  changes(): Changes {
    const changed = collectionNames.flatMap((name) => {
      const entries = [...this.#collections[name].changes];
      const set = entries.flatMap(([, record]) => record ?? []);
      const removed = entries.flatMap(([id, record]) => (record === null ? [id] : []));
      return entries.length === 0 ? [] : [[name, { set, removed }]];
    });
    return Object.fromEntries(changed) as Changes;
  }

  #change<N extends CollectionName>(name: N, id: string, change: Change<Records[N]>): void {
    const collection = this.#collections[name];
    const before = collection.changes.get(id);
    collection.set(id, change);
    this.#undo?.push(() => collection.restore(id, before));
    this.onChange();
  }
}

/** Freezes a value of plain data all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Plain data inherits nothing that could be listed, and this makes no list of its own at every write.
  for (const name in value) if (typeof value[name] === 'object') deepFreeze(value[name]);
  return Object.freeze(value);
}
