import type { Records } from '../contract/generated/facts.ts';
import { Collection, type Change } from './collection.ts';
import { collectionNames, type CollectionName, type Seed } from './seed.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { weightOf } from '../base/weight.ts';
import { StateRoom } from './state-memory.ts';

/** What was changed, by collection: the records that were set, in the order in which they came, and the ids of those removed. */
export type Changes = { readonly [N in CollectionName]?: { readonly set: readonly Records[N][]; readonly removed: readonly string[] } };

/**
 * What a sandbox remembers: its seed plus what changed. Records are never changed in place: a change is a new frozen record.
 */
export class State {
  readonly seed: Seed;
  /** The moment from which the seed's relative times count. */
  readonly beginning: number;
  /** Made when first asked for: most sandboxes need few of them. */
  readonly #collections: { [N in CollectionName]?: Collection<N> } = {};
  /** The changes of work that may still be undone; null while there is none. */
  #tentative: Map<string, Tentative> | null = null;
  #room: StateRoom;
  /** What the changes take up of the room, in bytes. */
  #bytes = 0;
  /** What else is counted with it. */
  #heldBytes = 0;

  /** Told after every change, but only at the end of work that may be undone. */
  onChange: () => void = () => {};

  constructor(seed: Seed, beginning: number, room = StateRoom.unlimited()) {
    this.seed = seed;
    this.beginning = beginning;
    this.#room = room;
  }

  /** Counts from now on in the room of a sandbox, which must take it as it is. */
  enter(room: StateRoom): void {
    if (room === this.#room) return;
    room.add(this.#bytes + this.#heldBytes);
    this.#room.add(-this.#bytes - this.#heldBytes);
    this.#room = room;
  }

  /** Counts what is stored beside it, as long as it is stored. Throws StateCapacityError, and the state is discarded then. */
  hold(bytes: number): void {
    try {
      this.#room.take(bytes);
    } catch (error) {
      this.discard();
      throw error;
    }
    this.#heldBytes += bytes;
  }

  /** Nobody keeps it any more. A call that still uses it may go on. */
  discard(): void {
    this.enter(StateRoom.unlimited());
  }

  collection<N extends CollectionName>(name: N): Collection<N> {
    return this.#collections[name] ?? this.#make(name);
  }

  /** Adds the record, or replaces the one of the same id. Returns it as it is kept. Throws StateCapacityError. */
  put<N extends CollectionName>(name: N, record: Records[N]): Records[N] {
    const kept = deepFreeze(record);
    this.#change(name, record.id, kept);
    return kept;
  }

  remove(name: CollectionName, id: string): void {
    this.#change(name, id, null);
  }

  /**
   * Does the work, and undoes every change if it returns false, throws or is given up. Does not nest: while the work is interrupted,
   * nothing else may change the state.
   */
  *attempt(work: SlicedWork<boolean>): SlicedWork<boolean> {
    const changes = (this.#tentative = new Map<string, Tentative>());
    let done = false;
    try {
      done = yield* work;
      return done;
    } finally {
      this.#tentative = null;
      if (!done) for (const { undo } of [...changes.values()].toReversed()) undo();
      else if (changes.size > 0) this.onChange();
    }
  }

  /** Makes another state of the same content; a change of one never shows in the other. This one must not change meanwhile. Throws StateCapacityError. */
  *copying(): SlicedWork<State> {
    this.#room.take(this.#bytes);
    const copy = new State(this.seed, this.beginning, this.#room);
    copy.#bytes = this.#bytes;
    let done = false;
    try {
      yield* this.#copyingInto(copy);
      done = true;
      return copy;
    } finally {
      if (!done) copy.discard();
    }
  }

  *#copyingInto(copy: State): SlicedWork<void> {
    for (const name of collectionNames) {
      const changes = this.#changed(name);
      if (changes.size === 0) continue;
      const collection = copy.collection(name);
      for (const [id, change] of changes) {
        collection.set(id, change);
        yield;
      }
    }
  }

  /** How many records differ from the seed. */
  get changedRecords(): number {
    return collectionNames.reduce((sum, name) => sum + this.#changed(name).size, 0);
  }

  /** What differs from the seed, without the changes of work that may still be undone. */
  changes(): Changes {
    const changed = collectionNames.flatMap((name) => {
      const entries = [...this.#settled(name)];
      const set = entries.flatMap(([, record]) => record ?? []);
      const removed = entries.flatMap(([id, record]) => (record === null ? [id] : []));
      return entries.length === 0 ? [] : [[name, { set, removed }]];
    });
    return Object.fromEntries(changed) as Changes;
  }

  #changed(name: CollectionName): ReadonlyMap<string, Change<Records[CollectionName]>> {
    return this.#collections[name]?.changes ?? new Map<string, never>();
  }

  #settled(name: CollectionName): ReadonlyMap<string, Change<Records[CollectionName]>> {
    const tentative = [...(this.#tentative?.values() ?? [])].filter((one) => one.name === name);
    if (tentative.length === 0) return this.#changed(name);
    const settled = new Map(this.#changed(name));
    for (const { id, before } of tentative.toReversed()) {
      if (before === undefined) settled.delete(id);
      else settled.set(id, before);
    }
    return settled;
  }

  #make<N extends CollectionName>(name: N): Collection<N> {
    const made = new Collection(name, this.seed.collections[name], this.beginning);
    // The slot of this very name, which the mapped type cannot tell.
    (this.#collections as Record<N, Collection<N>>)[name] = made;
    return made;
  }

  #change<N extends CollectionName>(name: N, id: string, change: Change<Records[N]>): void {
    const collection = this.collection(name);
    const before = collection.changes.get(id);
    const weight = weightOf(change);
    this.#room.checkRecord(weight);
    const growth = weight - weightOf(before);
    this.#room.change(growth);
    this.#bytes += growth;
    collection.set(id, change);
    if (this.#tentative === null) return this.onChange();
    // What a record was at first is enough: a batch may change the same one ten thousand times.
    const key = `${name} ${id}`;
    if (this.#tentative.has(key)) return;
    const undo = (): void => {
      const grown = weightOf(collection.changes.get(id)) - weightOf(before);
      collection.restore(id, before);
      this.#room.add(-grown);
      this.#bytes -= grown;
    };
    this.#tentative.set(key, { name, id, before, undo });
  }
}

/** A change that may still be undone. */
interface Tentative {
  readonly name: CollectionName;
  readonly id: string;
  readonly before: Change<Records[CollectionName]> | undefined;
  readonly undo: () => void;
}

/** Freezes a value of plain data all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Plain data inherits nothing that could be listed, and this makes no list of its own at every write.
  for (const name in value) if (typeof value[name] === 'object') deepFreeze(value[name]);
  return Object.freeze(value);
}
