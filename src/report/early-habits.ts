import { groupBy } from '../base/group-by.ts';
import { senderOf, type Attempt } from './attempt.ts';
import { waited } from './calls.ts';
import type { Told } from './own-retries.ts';

/** A client that repeats fewer requests too early may have lost the responses. The text of `retry-after` states it. */
const fewestEarly = 2;

/**
 * Leaves out the requests of clients that repeat few requests too early: a few responses may have been lost. The scopes
 * of a suite are tests of one client, each of which may repeat only one.
 */
export function ofHabit(early: readonly Told[], all: readonly Told[]): ReadonlySet<Told> {
  const bySender = groupBy(all, ({ asked }) => senderOf(asked));
  const habits = [...groupBy(early, ({ asked }) => senderOf(asked))].filter(([sender, own]) => {
    const told = bySender.get(sender) ?? [];
    return own.length >= fewestEarly && told.filter(({ isEarly }) => isEarly).length >= told.length / 2;
  });
  return new Set(habits.flatMap(([, own]) => own));
}

/** Returns the shortest pause after a success in milliseconds, of each request that followed one. */
export function pausesAfterSuccess(own: readonly Attempt[]): ReadonlyMap<string, number> {
  const lastOf = new Map<string, Attempt>();
  const shortest = new Map<string, number>();
  for (const attempt of own) {
    const before = lastOf.get(attempt.request);
    lastOf.set(attempt.request, attempt);
    if (before?.ending !== 'ok') continue;
    const pause = waited(before, attempt);
    shortest.set(attempt.request, Math.min(pause, shortest.get(attempt.request) ?? Infinity));
  }
  return shortest;
}
