import type { SlicedWork } from '../base/sliced-work.ts';

/** What follows from things that never change, such as frozen lists: made once, and kept as long as they are. */
export class Remembered {
  readonly #made = new WeakMap<object, Map<unknown, unknown>>();

  /** What `make` gives of the subject; it must be the same function every time. */
  *of<S extends object, T>(subject: S, make: (subject: S) => SlicedWork<T>): SlicedWork<T> {
    let made = this.#made.get(subject);
    if (made === undefined) this.#made.set(subject, (made = new Map()));
    // Only the same `make` ever writes this slot, so what is in it is a T.
    if (made.has(make)) return made.get(make) as T;
    const fresh = yield* make(subject);
    made.set(make, fresh);
    return fresh;
  }
}
