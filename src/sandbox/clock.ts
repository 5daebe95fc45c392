import { Misuse } from './misuse.ts';

/** The time of one sandbox, in milliseconds since 1970. Limits, expiries, sessions and timestamps all follow it. */
export class Clock {
  /** Real time plus this, unless frozen. */
  #offset = 0;
  #frozenAt: number | null = null;

  now(): number {
    return this.#frozenAt ?? wallClock() + this.#offset;
  }

  /** Stops at a moment: the given one, or now. */
  freeze(at = this.now()): void {
    this.#frozenAt = requireMoment(at);
  }

  /** Runs at the speed of real time: from the given moment, or from where it stands. */
  run(from = this.now()): void {
    this.#offset = requireMoment(from) - wallClock();
    this.#frozenAt = null;
  }

  /** Moves on by some seconds, frozen or not. Throws Misuse beyond the years 1 to 9999. */
  advance(seconds: number): void {
    const next = requireMoment(this.now() + seconds * 1000);
    if (this.#frozenAt === null) this.run(next);
    else this.freeze(next);
  }
}

/** The years that ISO 8601 writes with four digits. */
const firstMoment = Date.parse('0001-01-01T00:00:00.000Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

function requireMoment(milliseconds: number): number {
  if (milliseconds >= firstMoment && milliseconds <= lastMoment) return milliseconds;
  throw new Misuse(`A sandbox's clock goes from the year 1 to the year 9999; ${milliseconds} ms from 1970 is outside.`);
}

/** Real time in milliseconds since 1970. Nothing inside a sandbox reads it but through its clock. */
export function wallClock(): number {
  return Date.now();
}

/** Real time in milliseconds from some fixed point, for durations. */
export function stopwatch(): number {
  return performance.now();
}

/** Calls back after some real milliseconds. Does not keep the process alive unless told so. */
export function after(milliseconds: number, callback: () => void, life?: 'keeps the process alive'): { cancel(): void } {
  const timer = setTimeout(callback, milliseconds);
  if (life === undefined) timer.unref();
  return { cancel: () => clearTimeout(timer) };
}
