import { middle } from '../base/extremes.ts';
import { mayPass, type Attempt } from './attempt.ts';
import { firstAfter, waited } from './calls.ts';

/**
 * A client that makes no call for this time, and for much longer than usual, has noticed the failure: it waits, or
 * its circuit breaker is open.
 */
export const quietMs = 1000;
const muchLonger = 2;

/** The calls within which it falls quiet: some may be under way, and a circuit breaker counts some failures. */
export const callsUntilQuiet = 6;

/**
 * Returns whether the client paused soon after the failure, or only before the retry of another call, which shows
 * nothing. `ifEnded` says whether it paused if there are no more calls.
 */
export function pauseAfter(
  attempt: Attempt,
  calls: readonly Attempt[],
  longMs: number,
  ifEnded: boolean,
  retries: ReadonlySet<Attempt>,
): 'own' | 'for-retry' | 'none' {
  let before = attempt;
  let found: 'for-retry' | 'none' = 'none';
  for (let count = 0; count < callsUntilQuiet; count += 1) {
    const next = firstAfter(before, calls);
    if (next === undefined) return ifEnded ? 'own' : found;
    if (waited(before, next) >= longMs) {
      if (!retries.has(next)) return 'own';
      found = 'for-retry';
    }
    before = next;
  }
  return found;
}

/** Returns what is a long pause for a client: it may usually be slow, as its rate limits require. */
export function longPauseOf(calls: readonly Attempt[]): number {
  const pauses = calls.slice(1).flatMap((next, index) => {
    const before = calls[index];
    return before === undefined || mayPass(before) ? [] : [waited(before, next)];
  });
  return Math.max(quietMs, muchLonger * (middle(pauses) ?? 0));
}
