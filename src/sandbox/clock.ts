/** The time of one sandbox, in milliseconds since 1970. Limits, expiries, sessions and timestamps all follow it. */
export class Clock {
  /** Real time plus this, unless frozen. */
  #offset = 0;
  #frozenAt: number | null = null;

  now(): number {
    return this.#frozenAt ?? wallClock() + this.#offset;
  }

  get mode(): 'real' | 'frozen' {
    return this.#frozenAt === null ? 'real' : 'frozen';
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

  /** Moves on by some seconds, frozen or not. Throws RangeError where the result is no moment in time. */
  advance(seconds: number): void {
    const next = requireMoment(this.now() + seconds * 1000);
    if (this.#frozenAt === null) this.run(next);
    else this.freeze(next);
  }
}

/** What a `Date` can hold: 100 million days either side of 1970. */
const lastMoment = 8.64e15;

function requireMoment(milliseconds: number): number {
  if (Math.abs(milliseconds) <= lastMoment) return milliseconds;
  throw new RangeError(`${milliseconds} is no moment in time: give milliseconds since 1970, at most ${lastMoment}.`);
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
