import { mayPass, type Attempt } from './attempt.ts';
import { firstAfter } from './calls.ts';
import { armingOf } from './expected-failures.ts';

/** After this number of failed calls of an operation, a circuit breaker is certainly open. */
export const mostUntilOpen = 20;

/**
 * Whether no later call of the operation in the scope succeeded, and few failed: the client shows an error
 * and the rest of its page, or its circuit breaker is open. `own` are the client's calls of the operation.
 */
export function isLeftAlone(attempt: Attempt, own: readonly Attempt[]): boolean {
  if (attempt.entry.scope === null) return false;
  let failed = 0;
  const isTooMuch = (later: Attempt): boolean => !mayPass(later) || (failed += 1) >= mostUntilOpen;
  return firstAfter(attempt, own, isTooMuch) === undefined;
}

/** Whether a test changed the faults within the next `most` calls of the client in the scope. */
export function isRearmed(attempt: Attempt, calls: readonly Attempt[], most: number): boolean {
  if (attempt.entry.scope === null) return false;
  const arming = armingOf(attempt);
  return firstAfter(attempt, calls, (later) => armingOf(later) !== arming, most) !== undefined;
}
