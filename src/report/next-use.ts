import type { Attempt } from './attempt.ts';
import { firstAfter, waited, type Calls } from './calls.ts';

/** After so many other calls, the same request may be the next use of a record. */
export const callsUntilNextUse = 12;

/** Whether a request came at its usual time after it failed, or much later: it is no retry. */
export function isAtUsualTime(
  before: Attempt,
  next: Attempt,
  { isScheduled, isUsual }: Pick<Calls, 'isScheduled' | 'isUsual'>,
): boolean {
  return isScheduled({ before, next, pause: waited(before, next) }) || isUsual(before, next);
}

/** Whether a client made many calls between a failure and the next call with the same request. `own` are its calls. */
export function isAfterOthers(before: Attempt, next: Attempt, own: readonly Attempt[]): boolean {
  let between = 0;
  for (
    let later = firstAfter(before, own);
    later !== undefined && later !== next && between < callsUntilNextUse;
    later = firstAfter(later, own)
  )
    between += 1;
  return between >= callsUntilNextUse;
}
