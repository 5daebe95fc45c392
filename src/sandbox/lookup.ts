import type { Keys } from './indexes.ts';

/** One index of a collection: the changed records by key. The seed has its own index. */
export class Lookup<R> {
  readonly keysOf: Keys<R>;
  /** Changed records by key and id. */
  readonly own = new Map<string, Map<string, R>>();
  /** Cached lists by key. A change drops only those that it affects. */
  readonly lists = new Map<string, readonly R[]>();

  constructor(keys: Keys<R>) {
    this.keysOf = keys;
  }

  change(id: string, before: R | undefined, after: R | null): void {
    const keys = new Set(after === null ? [] : this.keysOf(after));
    for (const key of new Set(before === undefined ? [] : this.keysOf(before))) {
      this.lists.delete(key);
      if (!keys.has(key)) this.#leave(key, id);
    }
    if (after === null) return;
    for (const key of keys) {
      this.lists.delete(key);
      const records = this.own.get(key);
      if (records === undefined) this.own.set(key, new Map([[id, after]]));
      else records.set(id, after);
    }
  }

  /**
   * Drops a change, so that the record has the seed's keys again, and drops the cached lists with either
   * version.
   */
  forget(id: string, changed: R | undefined, seeded: R | undefined): void {
    for (const record of [changed, seeded]) {
      for (const key of new Set(record === undefined ? [] : this.keysOf(record))) {
        this.lists.delete(key);
        this.#leave(key, id);
      }
    }
  }

  #leave(key: string, id: string): void {
    const records = this.own.get(key);
    if (records?.delete(id) === true && records.size === 0) this.own.delete(key);
  }
}
