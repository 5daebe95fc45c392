import type { Records } from '../contract/generated/facts.ts';
import { Collection, type Change } from './collection.ts';
import type { ChangeList, ChangeLists } from './ledger.ts';
import { Remembered } from './remembered.ts';
import { collectionNames, type CollectionName, type Seed } from './seed.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { deepFreeze } from '../base/deep-freeze.ts';
import { weightOf } from '../base/weight.ts';
import { StateRoom } from './state-memory.ts';

/**
 * The records of a sandbox: its seed and its changes. Records never change in place; a change is a new frozen
 * record.
 */
export class State {
  readonly seed: Seed;
  /** The time from which the seed's relative times count, in milliseconds since 1970. */
  readonly beginning: number;
  /** Values derived from lists, such as the same records in another order. */
  readonly remembered = new Remembered();
  /** Created on first use: most sandboxes need few of them. */
  readonly #collections: { [N in CollectionName]?: Collection<N> } = {};
  /** The changes that may still be undone. Null if no attempt is in progress. */
  #tentative: Map<string, Tentative> | null = null;
  #room: StateRoom;
  /** The memory of the changes. */
  #bytes = 0;
  /** The memory of other data that `hold` counts. */
  #heldBytes = 0;
  #revision = 0;

  /**
   * Stores each change, or the changes of an attempt together, before anybody sees them. If it throws, they are
   * undone.
   */
  store: (changes: ChangeLists) => void = () => {};

  constructor(seed: Seed, beginning: number, room = StateRoom.unlimited()) {
    this.seed = seed;
    this.beginning = beginning;
    this.#room = room;
  }

  /** Counts the state in another room from now on, even beyond its limits. */
  enter(room: StateRoom): void {
    if (room === this.#room) return;
    room.add(this.#bytes + this.#heldBytes);
    this.#room.add(-this.#bytes - this.#heldBytes);
    this.#room = room;
  }

  /**
   * Counts other data that is stored with the state. If there is not enough memory, discards the state and
   * throws StateCapacityError.
   */
  hold(bytes: number): void {
    try {
      this.#room.take(bytes);
    } catch (error) {
      this.discard();
      throw error;
    }
    this.#heldBytes += bytes;
  }

  /** Gives back the memory of the state. A call in progress can still use it. */
  discard(): void {
    this.enter(StateRoom.unlimited());
  }

  collection<N extends CollectionName>(name: N): Collection<N> {
    return this.#collections[name] ?? this.#create(name);
  }

  /** Adds or replaces a record. Returns the stored record. Throws StateCapacityError. */
  put<N extends CollectionName>(name: N, record: Records[N]): Records[N] {
    const frozen = deepFreeze(record);
    this.#change(name, record.id, frozen);
    return frozen;
  }

  remove(name: CollectionName, id: string): void {
    this.#change(name, id, null);
  }

  /**
   * Does the work. Undoes every change if it returns false, throws or is aborted, and if the changes cannot be
   * stored. Does not nest, and nothing else may change the state meanwhile.
   */
  *attempt(
    work: SlicedWork<boolean>,
    store = (changes: ChangeLists): SlicedWork<void> => this.#storing(changes),
  ): SlicedWork<boolean> {
    const changes = (this.#tentative = new Map<string, Tentative>());
    let done = false;
    try {
      const isKept = yield* work;
      // Once for all: a batch may change one record ten thousand times.
      if (isKept) yield* this.#room.checkRecords(changes.values());
      if (isKept && changes.size > 0) yield* store(this.#listed(changes.values()));
      done = isKept;
      return done;
    } finally {
      this.#tentative = null;
      if (!done) for (const { undo } of [...changes.values()].toReversed()) undo();
    }
  }

  // A call needs no closure that is a generator function, for which V8 would create a hidden class.
  // eslint-disable-next-line require-yield
  *#storing(changes: ChangeLists): SlicedWork<void> {
    this.store(changes);
  }

  /** Creates an independent copy. The state must not change meanwhile. Throws StateCapacityError. */
  *copy(): SlicedWork<State> {
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

  /** How often a record was changed, a change undone, or all records replaced. */
  get revision(): number {
    return this.#revision;
  }

  /** Counts on from a state that it replaces. */
  follow(before: State): void {
    this.#revision += before.revision + 1;
  }

  /** Whether a record differs from the seed. */
  get isChanged(): boolean {
    return this.#bytes > 0;
  }

  /** The number of records that differ from the seed. */
  get changedRecords(): number {
    return Object.values(this.#collections).reduce((sum, { changes }) => sum + changes.size, 0);
  }

  /** Returns the differences from the seed, without changes that may still be undone. */
  changes(): ChangeLists {
    const lists: Partial<Record<CollectionName, ChangeList>> = {};
    for (const name of collectionNames) {
      const changes = this.#settled(name);
      if (changes.size > 0) lists[name] = [...changes].map(([id, record]) => record ?? id);
    }
    return lists;
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

  #create<N extends CollectionName>(name: N): Collection<N> {
    const created = new Collection(name, this.seed.collections[name], this.beginning);
    // The compiler cannot relate the key of the mapped type to the collection of the same name.
    (this.#collections as Record<N, Collection<N>>)[name] = created;
    return created;
  }

  #change<N extends CollectionName>(name: N, id: string, change: Change<Records[N]>): void {
    const collection = this.collection(name);
    const before = collection.changeOf(id);
    const place = collection.placeOf(id);
    const differing = collection.changeBy(id, change);
    if (before === undefined && differing !== undefined) this.#room.requireRecord(this);
    const weight = weightOf(differing);
    // The control plane has measured other changes.
    if (this.#tentative !== null) this.#room.checkGrowing(change, weight);
    const growth = weight - weightOf(before);
    this.#room.change(growth);
    this.#bytes += growth;
    collection.set(id, change);
    this.#revision += 1;
    // Only the first change of a record needs an undo step: a batch may change one record ten thousand times.
    const key = `${name} ${id}`;
    if (this.#tentative?.has(key) === true) return;
    const undo = (): void => {
      const grown = weightOf(collection.changeOf(id)) - weightOf(before);
      collection.restore(id, before, place);
      this.#revision += 1;
      this.#room.add(-grown);
      this.#bytes -= grown;
    };
    const current = (): Change<Records[N]> | undefined => collection.changeOf(id);
    const one = { name, id, before, current, undo };
    if (this.#tentative !== null) return void this.#tentative.set(key, one);
    try {
      this.store(this.#listed([one]));
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Returns changes in the order in which they were made. */
  #listed(changed: Iterable<Pick<Tentative, 'name' | 'id'>>): ChangeLists {
    const lists: Partial<Record<CollectionName, (Records[CollectionName] | string)[]>> = {};
    for (const { name, id } of changed) {
      const list = (lists[name] ??= []);
      list.push(this.#changed(name).get(id) ?? id);
    }
    return lists;
  }
}

/** A change that may still be undone. */
interface Tentative {
  readonly name: CollectionName;
  readonly id: string;
  readonly before: Change<Records[CollectionName]> | undefined;
  /** Returns the record as it is now. */
  readonly current: () => Change<Records[CollectionName]> | undefined;
  readonly undo: () => void;
}
