/** The number of faults that calls requested themselves, by fault and operation. */
export class RequestedFaults {
  #counts = new Map<string, number>();
  /** Those that `takeNew` has not returned yet. */
  readonly #new = new Set<string>();

  /** Counts one, and returns the count. */
  count(purpose: string): number {
    const number = (this.#counts.get(purpose) ?? 0) + 1;
    this.#counts.set(purpose, number);
    this.#new.add(purpose);
    return number;
  }

  /** Returns the counts that have changed since the last time. */
  takeNew(): Readonly<Record<string, number>> {
    const changed = Object.fromEntries(
      [...this.#new].map((purpose) => [purpose, this.#counts.get(purpose) ?? 0]),
    );
    this.#new.clear();
    return changed;
  }

  get hasNew(): boolean {
    return this.#new.size > 0;
  }

  facts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** Replaces all counts. */
  refill(counts: Readonly<Record<string, number>>): void {
    this.#counts = new Map(Object.entries(counts));
    this.#new.clear();
  }
}
