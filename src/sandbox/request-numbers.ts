import { wallClock } from './clock.ts';

/** The numbers of the requests of a sandbox, from which request ids are made. None is used twice. */
export class RequestNumbers {
  readonly #reserve: (last: number) => number;
  #last = 0;
  #reserved = 0;

  /** `reserve` stores that higher numbers may have been used without being stored, and returns the highest. */
  constructor(reserve: (last: number) => number) {
    this.#reserve = reserve;
  }

  get last(): number {
    return this.#last;
  }

  /** Returns the number of a request that is stored. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Returns the number of a request that is not stored. */
  nextUnstored(): number {
    const number = this.next();
    if (number > this.#reserved) this.#reserved = this.#reserve(number);
    return number;
  }

  /** Continues after a number, unless higher ones were used already. */
  skipTo(number: number): void {
    this.#last = Math.max(this.#last, number);
  }

  /** The next number is reserved again, because what was stored of it is replaced. */
  endReservation(): void {
    this.#reserved = 0;
  }
}

/** Returns a number that no earlier process has used, if none of them handled a million requests per second. */
export function unusedNumber(): number {
  return wallClock() * 1000;
}
