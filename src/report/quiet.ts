import { middle } from '../base/extremes.ts';
import { mayPass, type Attempt } from './attempt.ts';
import { firstAfter, waited } from './calls.ts';
import { paceOf } from './pace.ts';
import { SentBefore } from './sent-before.ts';

/**
 * A client that makes no call for this time, and for much longer than usual, has noticed the failure: it waits, or
 * its circuit breaker is open.
 */
export const quietMs = 1000;
const muchLonger = 2;

/** The calls within which it falls quiet, besides those that it had sent before: a circuit breaker counts some failures. */
export const callsUntilQuiet = 6;

/** The rest of a burst of several workers may have waited for connections. */
export const burstMs = 1000;

/** What a client paused for. */
type PauseFor = 'own' | 'for-retry' | 'none';

/** Finds the pauses of clients after failures. */
export class Pauses {
  readonly #sentBefore: SentBefore;
  readonly #parallel: ReadonlySet<string>;
  readonly #retries: ReadonlySet<Attempt>;

  /** `retries` are the calls that sent a failed request again. */
  constructor(attempts: readonly Attempt[], retries: ReadonlySet<Attempt>) {
    this.#sentBefore = new SentBefore(attempts);
    this.#parallel = paceOf(attempts).parallel;
    this.#retries = retries;
  }

  /**
   * Returns whether the client paused soon after the failure, or only before the retry of another call, which shows
   * nothing. `ifEnded` says whether it paused if there are no more calls.
   */
  after(attempt: Attempt, calls: readonly Attempt[], longMs: number, ifEnded: boolean): PauseFor {
    let before = attempt;
    let found: PauseFor = 'none';
    for (let count = 0; this.#isSoon(attempt, before, count);) {
      const next = firstAfter(before, calls);
      // That the calls end after a burst does not show that the client paused.
      if (next === undefined) return ifEnded && count < callsUntilQuiet ? 'own' : found;
      if (waited(before, next) >= longMs) {
        if (!this.#retries.has(next)) return 'own';
        found = 'for-retry';
      }
      if (!this.#sentBefore.isPossible(next, attempt)) count += 1;
      before = next;
    }
    return found;
  }

  /** Whether a pause after the last of these calls begins soon after the failure. */
  #isSoon(failed: Attempt, last: Attempt, calls: number): boolean {
    if (calls < callsUntilQuiet) return true;
    return this.#parallel.has(failed.client) && last.received - failed.replied <= burstMs;
  }
}

/** Returns what is a long pause for a client: it may usually be slow, as its rate limits require. */
export function longPauseOf(calls: readonly Attempt[]): number {
  const pauses = calls.slice(1).flatMap((next, index) => {
    const before = calls[index];
    return before === undefined || mayPass(before) ? [] : [waited(before, next)];
  });
  return Math.max(quietMs, muchLonger * (middle(pauses) ?? 0));
}
