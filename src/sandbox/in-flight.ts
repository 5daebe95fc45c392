/** Counts a resource that the clients of a server share, such as bytes of memory, up to a maximum. */
export class InFlight {
  readonly max: number;
  #used = 0;

  constructor(max: number) {
    this.max = max;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes an amount. Returns false, and takes nothing, if less is left. */
  take(amount: number): boolean {
    if (this.#used + amount > this.max) return false;
    this.#used += amount;
    return true;
  }

  /** Takes an amount, even beyond the maximum. */
  add(amount: number): void {
    this.#used += amount;
  }

  /** Gives back an amount. */
  give(amount: number): void {
    this.#used -= amount;
  }
}

/** The part of a shared resource that one user holds. */
export class Share {
  readonly #inFlight: InFlight;
  #amount = 0;

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  get amount(): number {
    return this.#amount;
  }

  /** Takes a further amount. Returns false, and takes nothing, if less is left. */
  take(amount: number): boolean {
    if (!this.#inFlight.take(amount)) return false;
    this.#amount += amount;
    return true;
  }

  /** Gives back everything. */
  end(): void {
    this.#inFlight.give(this.#amount);
    this.#amount = 0;
  }
}
