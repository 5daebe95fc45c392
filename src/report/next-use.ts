import { groupBy } from '../base/group-by.ts';
import type { Attempt } from './attempt.ts';
import { firstAfter, waited, type Calls, type Step } from './calls.ts';
import { paceOf } from './pace.ts';

/** After this many other calls, the same request may be the next use of a record. */
export const callsUntilNextUse = 12;

/** Whether a request came at its usual time after it failed, or much later: it is no retry. */
export function isAtUsualTime(
  before: Attempt,
  next: Attempt,
  { isScheduled, isUsual }: Pick<Calls, 'isScheduled' | 'isUsual'>,
): boolean {
  return isScheduled({ before, next, pause: waited(before, next) }) || isUsual(before, next);
}

/**
 * Whether a client made at least this many calls between a failure and the next call with the same request. `own`
 * are its calls.
 */
export function isAfterOthers(
  before: Attempt,
  next: Attempt,
  own: readonly Attempt[],
  fewest = callsUntilNextUse,
): boolean {
  let between = 0;
  for (
    let later = firstAfter(before, own);
    later !== undefined && later !== next && between < fewest;
    later = firstAfter(later, own)
  )
    between += 1;
  return between >= fewest;
}

/**
 * Returns whether a step may be the next use of a record, because the client made other calls in between. One call
 * is enough if it sends one at a time; several workers always make some.
 */
export function nextUses({ attempts }: Pick<Calls, 'attempts'>): (step: Step) => boolean {
  const { serial } = paceOf(attempts);
  const byClient = groupBy(attempts, ({ client }) => client);
  return ({ before, next }) =>
    isAfterOthers(
      before,
      next,
      byClient.get(before.client) ?? [],
      serial.has(before.client) ? 1 : callsUntilNextUse,
    );
}
