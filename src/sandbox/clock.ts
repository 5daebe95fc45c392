import { SandboxError } from '../base/errors.ts';
import type { components } from '../contract/generated/state.ts';
import { EndedWaits, type Wait } from './ended-waits.ts';
import type { TurnsToTake } from './turn.ts';

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
  readonly #ended: EndedWaits;
  #lastStep: Promise<void> = Promise.resolve();
  #changes = 0;
  /** When this process created it, in real time. */
  readonly startedAt = wallClock();

  /** Callbacks of waits take `turns`, because each may answer a call. */
  constructor(turns: TurnsToTake, setting?: ClockFacts) {
    this.#ended = new EndedWaits(turns);
    if (setting !== undefined) this.set(setting);
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== null;
  }

  /** How often it was set, since `startedAt`. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether it shows real time, because no one has set it. */
  get isReal(): boolean {
    return this.#frozenAt === null && this.#offset === 0;
  }

  /** Stands still at the end of the year 9999, because later times have another form. */
  now(real = wallClock()): number {
    return this.#frozenAt ?? Math.min(real + this.#offset, lastMoment);
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
    this.#changes += 1;
    if (mode === 'real') this.#offset = milliseconds;
    this.#endWaits(this.now());
  }

  /** Stops at the given moment, or now. */
  freeze(at = this.now()): void {
    this.set(settingAt(at, true));
  }

  /** Runs at the speed of real time, from the given moment or from now. */
  run(from?: number): void {
    const real = wallClock();
    this.set(settingAt(from ?? this.now(real), false, real));
  }

  /** Moves forward by some seconds, frozen or not. Throws SandboxError outside the years 1 to 9999. */
  advance(seconds: number): void {
    // Read once: a millisecond that passes between two readings would be lost.
    const real = wallClock();
    this.set(settingAt(this.now(real) + seconds * 1000, this.isFrozen, real));
  }

  /**
   * Changes the setting after all earlier steps. Resolves when the waits that end with it have called back. Rejects
   * with the error of `change`.
   */
  step(change: () => void): Promise<void> {
    const step = this.#lastStep.then(() => {
      change();
      return this.released();
    });
    this.#lastStep = step.catch(() => {});
    return step;
  }

  /** Resolves when all waits that are over have called back. */
  released(): Promise<void> {
    return this.#ended.released();
  }

  /**
   * Calls back after some milliseconds, unless cancelled. They are real time, even while the clock is frozen,
   * because a client waits in real time. Setting the clock to the end of the wait or later ends it. Many waits can be
   * over at the same time, so each calls back in a turn of the event loop of its own, except for short callbacks.
   */
  wait(milliseconds: number, callback: () => void, { isShort = false } = {}): { cancel(): void } {
    const cancel = (): void => {
      timer.cancel();
      this.#waits.delete(wait);
      this.#ended.delete(wait);
    };
    const end = (): void => {
      cancel();
      callback();
    };
    const timer = after(milliseconds, () => {
      if (isShort) end();
      else this.#ended.add([wait]);
    });
    // If another wait leads to this one, it starts when that one was due, so the same setting may end it.
    const { endsAt: startsAt, endedAt } = this.#ended.current ?? { endsAt: this.now(), endedAt: null };
    const wait: Wait = { endsAt: startsAt + milliseconds, isShort, endedAt: null, end };
    this.#waits.add(wait);
    if (this.#ended.isHurried) this.#ended.add([wait]);
    if (endedAt !== null && wait.endsAt <= endedAt) {
      wait.endedAt = endedAt;
      this.#ended.add([wait]);
    }
    return { cancel };
  }

  /**
   * Ends every wait, because the server stops: the earliest first, and those that begin later after all others, so that
   * each gets its turn. Resolves when all have called back.
   */
  hurry(): Promise<void> {
    this.#ended.isHurried = true;
    this.#ended.add([...this.#waits].toSorted((one, other) => one.endsAt - other.endsAt));
    return this.released();
  }

  /** Ends the waits that are over at a moment, the earliest first. */
  #endWaits(now: number): void {
    const over = [...this.#waits].filter(({ endsAt }) => endsAt <= now);
    for (const wait of over) wait.endedAt ??= now;
    this.#ended.add(over);
  }
}

/** What a list shows of a clock. */
export interface ShownClock {
  readonly isFrozen: boolean;
  now(): number;
}

/** Returns the clock with a setting, of a sandbox that is not in memory. */
export function clockWith({ mode, milliseconds }: ClockFacts): ShownClock {
  return mode === 'frozen'
    ? { isFrozen: true, now: () => milliseconds }
    : { isFrozen: false, now: () => Math.min(wallClock() + milliseconds, lastMoment) };
}

/** Returns the setting of a clock that shows a moment now. Throws SandboxError outside the years 1 to 9999. */
export function settingAt(moment: number, frozen: boolean, real = wallClock()): ClockFacts {
  const milliseconds = requireMoment(moment);
  return frozen ? { mode: 'frozen', milliseconds } : { mode: 'real', milliseconds: milliseconds - real };
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

/** Node's own: a test that fakes timers in the process of the server would otherwise wait for each reply forever. */
const { setImmediate: soon, clearImmediate: cancelSoon } = globalThis;

/** Calls back in the next turn of the event loop, after pending input was read. */
export function inNextTurn(callback: () => void): { cancel(): void } {
  const immediate = soon(callback);
  return { cancel: () => cancelSoon(immediate) };
}
