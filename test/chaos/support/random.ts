/** A source of numbers that gives the same ones for the same seed and number. */
export class Random {
  #state: number;

  constructor(seed: number, number = 0) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35);
    this.fraction();
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  isTrue(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** @throws Error if the list is empty. */
  pick<T>(list: readonly T[]): T {
    const index = Math.floor(this.fraction() * list.length);
    if (index >= list.length) throw new Error('There is nothing to pick from.');
    // The index is within the list, whose elements may be undefined themselves.
    return list[index] as T;
  }

  /** One of the names, each as often as its weight says. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N {
    // The names of a record are exactly its keys.
    const names = Object.keys(weights) as N[];
    let left = this.fraction() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return this.pick(names);
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.integer(0, 255)));
  }
}
