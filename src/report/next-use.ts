import { middle } from '../base/extremes.ts';
import { groupBy } from '../base/group-by.ts';
import type { Attempt } from './attempt.ts';
import { firstAfter, waited, type Calls, type Step } from './calls.ts';
import { paceOf } from './pace.ts';

/** After this many other calls, the same request may be the next use of a record. */
export const callsUntilNextUse = 12;

/** Whether a request came at its usual time after it failed, or much later: it is not a retry. */
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

/** A few uses after a success do not show how many other calls a client makes in between. */
const fewestUses = 3;

/**
 * Returns after how many other calls of a client the same request may be the next use of a record: one if it sends
 * one call at a time, and at most as many as several workers usually make before they use a record again.
 */
function callsBetweenUses({ attempts }: Pick<Calls, 'attempts'>): (client: string) => number {
  const { serial } = paceOf(attempts);
  const usual = new Map(
    [...groupBy(attempts, ({ client }) => client)].map(([client, own]) => [client, usualBetween(own)]),
  );
  return (client) =>
    serial.has(client) ? 1 : Math.min(callsUntilNextUse, usual.get(client) ?? callsUntilNextUse);
}

/**
 * Returns the usual number of calls between a success and the next use of the record; if unknown, the number that
 * certainly shows a next use.
 */
function usualBetween(own: readonly Attempt[]): number {
  const succeeded = new Map<string, number>();
  const counts: number[] = [];
  for (const [place, { request, ending }] of own.entries()) {
    const before = succeeded.get(request);
    if (before !== undefined) counts.push(place - before - 1);
    if (ending === 'ok') succeeded.set(request, place);
    else succeeded.delete(request);
  }
  return counts.length < fewestUses ? callsUntilNextUse : Math.max(1, middle(counts) ?? 1);
}

/** Returns the requests that succeeded, and those of them that the client sent again afterwards. */
export function succeededRequests({ attempts }: Pick<Calls, 'attempts'>): {
  readonly succeeded: ReadonlySet<string>;
  readonly usedAgain: ReadonlySet<string>;
} {
  const succeeded = new Set<string>();
  const usedAgain = new Set<string>();
  for (const { request, ending } of attempts) {
    if (succeeded.has(request)) usedAgain.add(request);
    if (ending === 'ok') succeeded.add(request);
  }
  return { succeeded, usedAgain };
}

/** Returns the requests that came until they succeeded, and never again: their repeats were retries. */
function retriedToSuccess(calls: Pick<Calls, 'attempts'>): ReadonlySet<string> {
  const { succeeded, usedAgain } = succeededRequests(calls);
  return new Set([...succeeded].filter((request) => !usedAgain.has(request)));
}

/**
 * Returns whether a failed request that the client sent again may be the next use of a record, not a retry: at its
 * usual time, or after other calls of the client.
 */
export function nextUsesAfterFailures(
  calls: Pick<Calls, 'attempts' | 'isScheduled' | 'isUsual'>,
  byClient: ReadonlyMap<string, readonly Attempt[]>,
): (before: Attempt, next: Attempt) => boolean {
  const fewestBetween = callsBetweenUses(calls);
  const toSuccess = retriedToSuccess(calls);
  return (before, next) => {
    const { client, request } = before;
    const fewest = toSuccess.has(request) ? callsUntilNextUse : fewestBetween(client);
    return (
      isAtUsualTime(before, next, calls) || isAfterOthers(before, next, byClient.get(client) ?? [], fewest)
    );
  };
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
