import { SandboxError } from '../base/errors.ts';

/** The time of one sandbox, in milliseconds since 1970. Limits, expiries, sessions and timestamps all follow it. */
export class Clock {
  /** Real time plus this, unless frozen. */
  #offset = 0;
  #frozenAt: number | null = null;
  readonly #waits = new Set<Wait>();
  /** While a wait is being ended: when it was due. */
  #due: number | null = null;
  #isHurried = false;

  get isFrozen(): boolean {
    return this.#frozenAt !== null;
  }

  /** Whether it shows real time, as no one has set it. */
  get isReal(): boolean {
    return this.#frozenAt === null && this.#offset === 0;
  }

  now(): number {
    return this.#frozenAt ?? wallClock() + this.#offset;
  }

  /** Stops at a moment: the given one, or now. */
  freeze(at = this.now()): void {
    this.#frozenAt = requireMoment(at);
    this.#endWaits();
  }

  /** Runs at the speed of real time: from the given moment, or from where it stands. */
  run(from = this.now()): void {
    this.#offset = requireMoment(from) - wallClock();
    this.#frozenAt = null;
    this.#endWaits();
  }

  /** Moves on by some seconds, frozen or not. Throws SandboxError beyond the years 1 to 9999. */
  advance(seconds: number): void {
    const next = requireMoment(this.now() + seconds * 1000);
    if (this.#frozenAt === null) this.run(next);
    else this.freeze(next);
  }

  /**
   * Calls back after some milliseconds, unless cancelled. Who is kept waiting is a client in real time, so real time counts, even
   * while the clock is frozen; but setting the clock to the end of the wait or beyond ends it at once.
   */
  wait(milliseconds: number, callback: () => void): { cancel(): void } {
    const cancel = (): void => {
      timer.cancel();
      this.#waits.delete(wait);
    };
    const end = (): void => {
      cancel();
      callback();
    };
    const timer = after(this.#isHurried ? 0 : milliseconds, end);
    const wait = { endsAt: (this.#due ?? this.now()) + milliseconds, end };
    this.#waits.add(wait);
    return { cancel };
  }

  /** Whether anybody waits for it. */
  get hasWaits(): boolean {
    return this.#waits.size > 0;
  }

  /** Ends every wait at once, and those that follow, whatever the time: nobody is kept waiting by a server that stops. */
  hurry(): void {
    this.#isHurried = true;
    for (const { end } of this.#waits) end();
  }

  /** Ends the waits that are over at a moment, the earliest first. Each answers a call, so very many are ended in several turns of the event loop. */
  #endWaits(now = this.now()): void {
    // A wait that another one leads to begins when that one was due; it is met here too, if it should be over by now.
    for (let ended = 0; ; ended += 1) {
      let first: Wait | null = null;
      for (const wait of this.#waits) if (wait.endsAt <= now && wait.endsAt < (first?.endsAt ?? Infinity)) first = wait;
      if (first === null) return;
      if (ended === maxEndedAtOnce) return void inNextTurn(() => this.#endWaits(now));
      this.#due = first.endsAt;
      first.end();
      this.#due = null;
    }
  }
}

/** Waits that are ended in one turn of the event loop. */
const maxEndedAtOnce = 50;

interface Wait {
  /** On this clock. */
  readonly endsAt: number;
  readonly end: () => void;
}

/** The years that ISO 8601 writes with four digits. */
const firstMoment = Date.parse('0001-01-01T00:00:00.000Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

function requireMoment(milliseconds: number): number {
  if (milliseconds >= firstMoment && milliseconds <= lastMoment) return milliseconds;
  throw new SandboxError(`A sandbox's clock goes from the year 1 to the year 9999; ${milliseconds} ms from 1970 is outside.`);
}

/** Real time in milliseconds since 1970. Nothing inside a sandbox reads it but through its clock. */
export function wallClock(): number {
  return Date.now();
}

/** Real time in milliseconds from some fixed point, for durations. */
export function stopwatch(): number {
  return performance.now();
}

/** What `stopwatch` told, as milliseconds since 1970. */
export function realMoment(told: number): number {
  return performance.timeOrigin + told;
}

/** Calls back after some real milliseconds. The timer does not keep the process alive unless `keepAlive` is set. */
export function after(milliseconds: number, callback: () => void, { keepAlive = false } = {}): { cancel(): void } {
  const timer = setTimeout(callback, milliseconds);
  if (!keepAlive) timer.unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Calls back in the next turn of the event loop, after whatever has arrived by then was read. */
export function inNextTurn(callback: () => void): { cancel(): void } {
  const immediate = setImmediate(callback);
  return { cancel: () => clearImmediate(immediate) };
}
