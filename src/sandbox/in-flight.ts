import { defaultMemoryBytes, hasHeapFor } from '../base/amounts.ts';

/**
 * Reading the state of the heap takes longer than taking a small amount, so it is read once in this many
 * times.
 */
const step = 65_536;

/** Counts a resource that the clients of a server share, such as bytes of memory, up to a maximum. */
export class InFlight {
  readonly max: number;
  readonly #hasRoomFor: (amount: number) => boolean;
  #used = 0;

  /**
   * `hasRoomFor` returns whether there is room for this amount in total, because the heap has several users.
   */
  constructor(max: number, hasRoomFor = (_amount: number): boolean => true) {
    this.max = max;
    this.#hasRoomFor = hasRoomFor;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes an amount. Returns false, and takes nothing, if less is left. */
  take(amount: number): boolean {
    const used = this.#used + amount;
    const isNextStep = Math.floor(used / step) > Math.floor(this.#used / step);
    if (used > this.max || (isNextStep && !this.#hasRoomFor(used))) return false;
    this.#used = used;
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

/** Returns memory that clients share, in bytes: at most 256 MiB and a quarter of the heap. */
export function commonMemory(bytes: number): InFlight {
  return new InFlight(Math.min(bytes, defaultMemoryBytes(256)), hasHeapFor);
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
