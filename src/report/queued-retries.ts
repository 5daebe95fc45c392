import { middle } from '../base/extremes.ts';
import { groupBy } from '../base/group-by.ts';
import type { Calls, Step } from './calls.ts';

/** A retry waited in a queue if the client made at least this many other calls before it, all about equally far apart. */
const queue = { fewest: 4, most: 50, spread: 1.5 };

/** Gaps that differ by at most this much count as equal, in milliseconds. */
const equalMs = 5;

/** Returns whether each retry of a request only waited for its turn, because the client sends one request after the other. */
export function queues(attempts: Calls['attempts']): (steps: readonly Step[]) => boolean {
  const byClient = groupBy(attempts, ({ client }) => client);
  const places = new Map(
    [...byClient.values()].flatMap((own) => own.map((attempt, place) => [attempt, place])),
  );
  const isQueued = ({ before, next }: Step): boolean => {
    const [from, to] = [places.get(before) ?? 0, places.get(next) ?? 0];
    const own = byClient.get(next.client) ?? [];
    const between = own.slice(from, Math.min(to + 1, from + queue.most));
    const gaps = between.slice(1).map(({ received }, index) => received - (between[index]?.received ?? 0));
    const usual = middle(gaps) ?? 0;
    return gaps.length > queue.fewest && gaps.every((gap) => isLike(gap, usual));
  };
  return (steps) => steps.every(isQueued);
}

function isLike(gap: number, usual: number): boolean {
  return gap >= usual / queue.spread && gap <= Math.max(usual * queue.spread, usual + equalMs);
}
