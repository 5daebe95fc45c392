import { operationFacts } from '../contract/generated/facts.ts';
import { isOperationName } from '../contract/operation-types.ts';
import type { Attempt } from './attempt.ts';
import { between } from './calls.ts';

/** Returns the limit of an operation (specification, Limits); null if it has none, or is unknown. */
export function documentedLimit(operation: string) {
  return isOperationName(operation) ? operationFacts[operation].limit : null;
}

/** Whether the sandbox refused a call because of a rate limit. */
export function isOverLimit({ entry }: Attempt): boolean {
  return entry.outcome === 'throttled';
}

/** Retry-After is in whole seconds, and calls can arrive at the same time. */
const roundedMs = 1000;

/**
 * Divides calls where the sandbox certainly restarted its counters, as before a test: its clock was set back, or it
 * admitted a call before the time in Retry-After.
 */
export function betweenResets(own: readonly Attempt[]): readonly (readonly Attempt[])[] {
  const parts: Attempt[][] = [[]];
  let freeAt = -Infinity;
  for (const attempt of own) {
    const before = parts.at(-1)?.at(-1);
    const isBack = before !== undefined && attempt.at < before.at - roundedMs;
    const isAdmitted = !isOverLimit(attempt) && attempt.at < freeAt - roundedMs;
    if (isBack || isAdmitted) {
      parts.push([]);
      freeAt = -Infinity;
    }
    parts.at(-1)?.push(attempt);
    if (isOverLimit(attempt)) freeAt = Math.max(freeAt, attempt.at + (attempt.toWait ?? 0));
  }
  return parts;
}

/** Calls that came within a time of each other. */
interface Crowd {
  readonly last: Attempt;
  readonly count: number;
  /** How many of them the sandbox admitted. */
  readonly admitted: number;
}

/** Returns the calls with which more than `most` came within a time. */
export function crowdsWithin(own: readonly Attempt[], ms: number, most: number): readonly Crowd[] {
  const crowds: Crowd[] = [];
  let [oldest, admitted] = [0, 0];
  for (const [place, last] of own.entries()) {
    if (!isOverLimit(last)) admitted += 1;
    for (let first = own[oldest]; first !== undefined && between(first, last) > ms; first = own[oldest]) {
      oldest += 1;
      if (!isOverLimit(first)) admitted -= 1;
    }
    const count = place - oldest + 1;
    if (count > most) crowds.push({ last, count, admitted });
  }
  return crowds;
}

/**
 * Whether calls that were refused may come from a client that is paced for the documented limit: never more than that
 * came within its window, and at most `mostRepeated` of the calls repeat a refused request.
 */
export function mayBePaced(
  refused: readonly Attempt[],
  own: readonly Attempt[],
  mostRepeated: number,
): boolean {
  const limit = documentedLimit(own[0]?.entry.operation ?? '');
  if (limit !== null && crowdsWithin(own, limit.windowSeconds * 1000, limit.requests).length > 0)
    return false;
  const firsts = new Map<string, Attempt>();
  for (const attempt of own)
    if (isOverLimit(attempt) && !firsts.has(attempt.request)) firsts.set(attempt.request, attempt);
  return refused.filter((attempt) => firsts.get(attempt.request) !== attempt).length <= mostRepeated;
}
