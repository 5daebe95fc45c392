/** Counts what the clients of a server hold together, such as bytes in memory, up to a maximum. */
export class InFlight {
  readonly most: number;
  #used = 0;

  constructor(most: number) {
    this.most = most;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes an amount; false if that is more than is left. */
  take(amount: number): boolean {
    if (this.#used + amount > this.most) return false;
    this.#used += amount;
    return true;
  }

  /** Takes an amount, even if there is no room for it. */
  add(amount: number): void {
    this.#used += amount;
  }

  /** Gives an amount back that was taken before. */
  give(amount: number): void {
    this.#used -= amount;
  }
}
