import type { SlicedWork } from '../base/sliced-work.ts';

/** Caches values derived from immutable objects, such as frozen lists, for as long as the objects exist. */
export class Remembered {
  readonly #made = new WeakMap<object, Map<unknown, unknown>>();

  /** Returns the value that `derive` returns for the subject. It must be the same function every time. */
  *of<S extends object, T>(subject: S, derive: (subject: S) => SlicedWork<T>): SlicedWork<T> {
    let made = this.#made.get(subject);
    if (made === undefined) this.#made.set(subject, (made = new Map()));
    // Only the same `derive` sets this key, so its value is a T.
    if (made.has(derive)) return made.get(derive) as T;
    const fresh = yield* derive(subject);
    made.set(derive, fresh);
    return fresh;
  }
}
