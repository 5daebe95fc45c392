/** A list for a reply whose members are created one at a time while they are sent, so that the list is never in memory as a whole. */
export class LazyList<T> implements Iterable<T> {
  readonly #create: () => Iterator<T>;

  constructor(create: () => Iterator<T>) {
    this.#create = create;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#create();
  }
}
