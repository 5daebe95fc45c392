/**
 * Mulberry32: seeded random numbers that are cheap to restart for every record. Faker calls its functions
 * without `this`.
 */
export class SeededRandom {
  #state = 0;

  readonly seed = (seed: number | readonly number[]): void => {
    this.#state = Number(typeof seed === 'number' ? seed : seed[0]) >>> 0;
  };

  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
