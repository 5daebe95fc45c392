/** Counts values by size, as Prometheus expects it. */
export class Histogram {
  readonly bounds: readonly number[];
  /** The number of values up to each bound and above the previous one. The last has no bound. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  get sum(): number {
    return this.#sum;
  }

  /** Returns the number of values up to each bound; at the end, that of all values. */
  cumulated(): readonly number[] {
    let total = 0;
    return this.#counts.map((count) => (total += count));
  }
}
