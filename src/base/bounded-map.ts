/**
 * A cache of bounded size. If the weights of its values exceed the maximum, it evicts the values that were
 * set longest ago.
 */
export class BoundedMap<K, V> {
  readonly #values = new Map<K, V>();
  readonly #max: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;

  /** By default each value weighs 1, so `max` is the number of values. */
  constructor(max: number, weightOf: (value: V) => number = () => 1) {
    this.#max = max;
    this.#weightOf = weightOf;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const [oldest] of this.#values) {
      if (this.#weight <= this.#max) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#values.get(key);
    if (value !== undefined && this.#values.delete(key)) this.#weight -= this.#weightOf(value);
  }

  entries(): Iterable<[K, V]> {
    return this.#values.entries();
  }
}
