import { SandboxError } from '../base/errors.ts';
import type { components } from '../contract/generated/state.ts';

type ClockFacts = components['schemas']['ClockFacts'];

/**
 * The time of one sandbox, in milliseconds since 1970. Limits, expiries, sessions and timestamps all follow
 * it.
 */
export class Clock {
  /** The difference from real time, unless frozen. */
  #offset = 0;
  #frozenAt: number | null = null;
  readonly #waits = new Set<Wait>();
  /** When the wait that is ending was due. */
  #due: number | null = null;
  #isHurried = false;

  get isFrozen(): boolean {
    return this.#frozenAt !== null;
  }

  /** Whether it shows real time, because no one has set it. */
  get isReal(): boolean {
    return this.#frozenAt === null && this.#offset === 0;
  }

  /** Stands still at the end of the year 9999, because later times have another form. */
  now(): number {
    return this.#frozenAt ?? Math.min(wallClock() + this.#offset, lastMoment);
  }

  /** Returns how far it is ahead of real time, in milliseconds; negative if it is behind. */
  aheadMs(): number {
    return this.#frozenAt === null ? this.#offset : this.#frozenAt - wallClock();
  }

  /** Returns the setting of the clock as plain data. */
  facts(): ClockFacts {
    return this.#frozenAt === null
      ? { mode: 'real', milliseconds: this.#offset }
      : { mode: 'frozen', milliseconds: this.#frozenAt };
  }

  /** Restores a setting. Ends the waits that are over then. */
  set({ mode, milliseconds }: ClockFacts): void {
    this.#frozenAt = mode === 'frozen' ? requireMoment(milliseconds) : null;
    if (mode === 'real') this.#offset = milliseconds;
    this.#endWaits();
  }

  /** Creates a clock with a setting. */
  static from(facts: ClockFacts): Clock {
    const clock = new Clock();
    clock.set(facts);
    return clock;
  }

  /** Stops at the given moment, or now. */
  freeze(at = this.now()): void {
    this.set(settingAt(at, true));
  }

  /** Runs at the speed of real time, from the given moment or from now. */
  run(from = this.now()): void {
    this.set(settingAt(from, false));
  }

  /** Moves forward by some seconds, frozen or not. Throws SandboxError outside the years 1 to 9999. */
  advance(seconds: number): void {
    const next = requireMoment(this.now() + seconds * 1000);
    if (this.#frozenAt === null) this.run(next);
    else this.freeze(next);
  }

  /**
   * Calls back after some milliseconds, unless cancelled. They are real time, even while the clock is frozen,
   * because a client waits in real time. Setting the clock to the end of the wait or later ends it
   * immediately.
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

  /** Ends every wait immediately, including later ones, because the server stops. */
  hurry(): void {
    this.#isHurried = true;
    for (const { end } of this.#waits) end();
  }

  /**
   * Ends the waits that are over at a moment, the earliest first. Uses several turns of the event loop,
   * because each wait answers a call.
   */
  #endWaits(now = this.now()): void {
    // A wait that starts during the callback of another starts when that one was due, so this loop may end it
    // too.
    for (let ended = 0; ; ended += 1) {
      let first: Wait | null = null;
      for (const wait of this.#waits)
        if (wait.endsAt <= now && wait.endsAt < (first?.endsAt ?? Infinity)) first = wait;
      if (first === null) return;
      if (ended === maxEndedAtOnce) return void inNextTurn(() => this.#endWaits(now));
      this.#due = first.endsAt;
      first.end();
      this.#due = null;
    }
  }
}

/** The maximum number of waits that end in one turn of the event loop. */
const maxEndedAtOnce = 50;

interface Wait {
  /** On this clock. */
  readonly endsAt: number;
  readonly end: () => void;
}

/** Returns the setting of a clock that shows a moment now. Throws SandboxError outside the years 1 to 9999. */
export function settingAt(moment: number, frozen: boolean): ClockFacts {
  const milliseconds = requireMoment(moment);
  return frozen
    ? { mode: 'frozen', milliseconds }
    : { mode: 'real', milliseconds: milliseconds - wallClock() };
}

/** The bounds of four-digit years, as in ISO 8601. */
const firstMoment = Date.parse('0001-01-01T00:00:00.000Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the nearest moment that an ISO 8601 time with a four-digit year can express. */
export function inFourDigitYears(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, firstMoment), lastMoment);
}

function requireMoment(milliseconds: number): number {
  if (milliseconds >= firstMoment && milliseconds <= lastMoment) return milliseconds;
  throw new SandboxError(
    `A sandbox's clock must be between the years 1 and 9999, but ${milliseconds} ms from 1970 is not.`,
  );
}

/** Returns real time in milliseconds since 1970. A sandbox reads it only through its clock. */
export function wallClock(): number {
  return Date.now();
}

/** Returns real time in milliseconds from a fixed point, to measure durations. */
export function stopwatch(): number {
  return performance.now();
}

/** Converts a time of `stopwatch` to milliseconds since 1970. */
export function realMoment(stopwatchMs: number): number {
  return performance.timeOrigin + stopwatchMs;
}

/**
 * Calls back after some real milliseconds. The timer does not keep the process alive unless `keepAlive` is
 * set.
 */
export function after(
  milliseconds: number,
  callback: () => void,
  { keepAlive = false } = {},
): { cancel(): void } {
  const timer = setTimeout(callback, milliseconds);
  if (!keepAlive) timer.unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Waits for some real milliseconds. */
export function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    after(milliseconds, done, { keepAlive: true });
  });
}

/** Calls back in the next turn of the event loop, after pending input was read. */
export function inNextTurn(callback: () => void): { cancel(): void } {
  const immediate = setImmediate(callback);
  return { cancel: () => clearImmediate(immediate) };
}
