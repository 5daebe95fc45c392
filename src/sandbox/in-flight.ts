import { defaultMemoryBytes, hasHeapFor, heapUse } from '../base/amounts.ts';
import type { Shortage } from '../base/shortage.ts';

/** Reading the heap statistics is slow compared with taking a small amount, so they are read once per this amount. */
const step = 65_536;

/** Counts a resource that the clients of a server share, such as bytes of memory, up to a maximum. */
export class InFlight {
  readonly max: number;
  readonly #hasRoomFor: (amount: number) => boolean;
  readonly #whole: Shortage;
  #shortage: Shortage;
  #used = 0;

  /**
   * `hasRoomFor` returns whether there is room for this amount in total, because the heap has several users. With
   * `isShare`, the maximum is a share of the heap, and not a setting.
   */
  constructor(max: number, hasRoomFor = (_amount: number): boolean => true, isShare = false) {
    this.max = max;
    this.#hasRoomFor = hasRoomFor;
    this.#whole = { of: isShare ? 'heap-share' : 'setting', max };
    this.#shortage = this.#whole;
  }

  /** Which limit the last refused amount exceeded. */
  get shortage(): Shortage {
    return this.#shortage;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes an amount. Returns false, and takes nothing, if less is left. */
  take(amount: number): boolean {
    const used = this.#used + amount;
    const isNextStep = Math.floor(used / step) > Math.floor(this.#used / step);
    if (used > this.max) this.#shortage = this.#whole;
    else if (isNextStep && !this.#hasRoomFor(used)) this.#shortage = { of: 'heap', ...heapUse(used) };
    else {
      this.#used = used;
      return true;
    }
    return false;
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
  const share = defaultMemoryBytes(256);
  return new InFlight(Math.min(bytes, share), hasHeapFor, share < bytes);
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

  get shortage(): Shortage {
    return this.#inFlight.shortage;
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
