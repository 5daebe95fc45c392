/** A list that creates its members while a reply sends them, so that the whole list is never in memory. */
export class LazyList<T> implements Iterable<T> {
  readonly #create: () => Iterator<T>;

  constructor(create: () => Iterator<T>) {
    this.#create = create;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#create();
  }
}
