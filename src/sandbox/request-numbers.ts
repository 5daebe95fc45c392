import { wallClock } from './clock.ts';
import { randomNumber } from './random.ts';

/** From here on, numbers are chosen at random; those in sequence are smaller. */
const firstRandom = 2 ** 52;

/**
 * The numbers of the requests of a sandbox, from which request ids are made. None is used twice, not even after
 * a crash: each is covered by what is stored before it is used.
 */
export class RequestNumbers {
  readonly #reserve: (last: number) => number;
  #last = 0;
  #reserved = 0;
  /** The last number while none can be reserved: they continue a random one, which no other process uses. */
  #lastRandom = 0;

  /** `reserve` stores that numbers from this one on may have been used. Returns the highest; 0 if it cannot. */
  constructor(reserve: (last: number) => number) {
    this.#reserve = reserve;
  }

  /** The last one in sequence. */
  get last(): number {
    return this.#last;
  }

  /** Returns the number of the next request. */
  next(): number {
    const number = this.#last + 1;
    if (number > this.#reserved) this.#reserved = this.#reserve(number);
    if (number > this.#reserved) return this.#nextRandom();
    this.#last = number;
    return number;
  }

  #nextRandom(): number {
    if (this.#lastRandom === 0) this.#lastRandom = firstRandom + randomNumber();
    this.#lastRandom += 1;
    return this.#lastRandom;
  }

  /** Continues after a number, unless higher ones were used already. */
  skipTo(number: number): void {
    this.#last = Math.max(this.#last, number);
  }

  /** The next number is reserved again, because what was stored of it is replaced or lost. */
  endReservation(): void {
    this.#reserved = 0;
  }
}

/** Returns a number that no earlier process has used, if none of them handled a million requests per second. */
export function unusedNumber(): number {
  return wallClock() * 1000;
}
