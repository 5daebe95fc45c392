import type { Keys } from './indexes.ts';
import { OwnRecords } from './own-records.ts';

/** One index of a collection: the changed records by key. The seed has its own index. */
export class Lookup<R> {
  readonly keysOf: Keys<R>;
  /** Changed records by key. */
  readonly own = new Map<string, OwnRecords<R>>();
  /** Cached lists by key. A change drops only those that it affects. */
  readonly #lists = new Map<string, readonly R[]>();
  /** Stand for the lists that are being gathered, by key, as long as no change affects them. */
  readonly #gathering = new Map<string, object>();

  constructor(keys: Keys<R>) {
    this.keysOf = keys;
  }

  /** Returns the cached list of a key. */
  list(key: string): readonly R[] | undefined {
    return this.#lists.get(key);
  }

  /** Begins to gather the list of a key. Pass what it returns to `end`. */
  begin(key: string): object {
    const token = this.#gathering.get(key) ?? {};
    this.#gathering.set(key, token);
    return token;
  }

  /** Caches the list of a key, unless a change has affected it since `begin`. Null if it was given up. */
  end(key: string, token: object, list: readonly R[] | null): void {
    if (this.#gathering.get(key) !== token) return;
    this.#gathering.delete(key);
    // A client can request any number of keys that do not exist.
    if (list !== null && list.length > 0) this.#lists.set(key, list);
  }

  change(id: string, before: R | undefined, after: R | null, place: number): void {
    const keys = new Set(after === null ? [] : this.keysOf(after));
    for (const key of new Set(before === undefined ? [] : this.keysOf(before))) {
      this.#drop(key);
      if (!keys.has(key)) this.#leave(key, id);
    }
    if (after === null) return;
    for (const key of keys) {
      this.#drop(key);
      const records = this.own.get(key) ?? new OwnRecords<R>();
      records.set(id, after, place);
      this.own.set(key, records);
    }
  }

  /**
   * Drops a change, so that the record has the seed's keys again, and drops the cached lists with either
   * version.
   */
  forget(id: string, changed: R | undefined, seeded: R | undefined): void {
    for (const record of [changed, seeded]) {
      for (const key of new Set(record === undefined ? [] : this.keysOf(record))) {
        this.#drop(key);
        this.#leave(key, id);
      }
    }
  }

  #drop(key: string): void {
    this.#lists.delete(key);
    this.#gathering.delete(key);
  }

  #leave(key: string, id: string): void {
    const records = this.own.get(key);
    records?.delete(id);
    if (records?.size === 0) this.own.delete(key);
  }
}
