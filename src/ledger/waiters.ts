import { stopwatch } from '../sandbox/clock.ts';
import { Soon } from '../store/soon.ts';
import type { SandboxLedger } from './sandbox-ledger.ts';

/** A reply waits for the database for this long, in milliseconds. */
export const maxWaitMs = 2000;

const watchMs = 100;

/** A reply that waits until what it shows is stored. */
interface Waiter {
  readonly of: SandboxLedger;
  readonly upTo: number;
  readonly since: number;
  readonly done: (isSafe: boolean) => void;
}

/** The replies that wait for the database. */
export class Waiters {
  #waiting: Waiter[] = [];
  /** One timer for all of them: each would cost its call more than the rest of waiting. */
  readonly #watch = new Soon(watchMs, () => this.#giveUp());

  get areNone(): boolean {
    return this.#waiting.length === 0;
  }

  /** Calls back when all that has happened in a sandbox is stored, or with false if that fails or takes too long. */
  add(of: SandboxLedger, done: (isSafe: boolean) => void): void {
    this.#waiting.push({ of, upTo: of.last, since: stopwatch(), done });
    this.#watch.request();
  }

  /** Answers those whose changes are stored, and those whose sandbox is lost. */
  answer(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) {
      const { of, upTo, done } = waiter;
      if (of.lost !== null) done(false);
      else if (of.hasStored(upTo)) done(true);
      else this.#waiting.push(waiter);
    }
  }

  #giveUp(): void {
    const since = stopwatch() - maxWaitMs;
    const isLate = (waiter: Waiter): boolean => Math.max(waiter.since, waiter.of.progressAt) <= since;
    const late = this.#waiting.filter(isLate);
    this.#waiting = this.#waiting.filter((waiter) => !isLate(waiter));
    for (const { done } of late) done(false);
    if (!this.areNone) this.#watch.request();
  }

  end(): void {
    this.#watch.cancel();
  }
}
