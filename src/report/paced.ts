import { groupBy } from '../base/group-by.ts';
import { mayPass, type Attempt } from './attempt.ts';
import type { Calls, Step } from './calls.ts';
import { documentedLimit } from './limit-windows.ts';

/**
 * A client is paced if all its calls of an operation are at least this share of the documented interval apart, and
 * several hardly more.
 */
const paced = { least: 0.9, most: 1.3, gaps: 3 };

/** Returns whether the retries of a request only waited for their turn, because the client spreads its calls. */
export function pacing(byOperation: Calls['byOperation']): (steps: readonly Step[]) => boolean {
  const gaps = groupBy(byOperation.flatMap(gapsOf), ({ client }) => client);
  const isPaced = (client: string): boolean => {
    const shares = (gaps.get(client) ?? []).map(({ share }) => share);
    return (
      shares.every((share) => share >= paced.least) &&
      shares.filter((share) => share <= paced.most).length >= paced.gaps
    );
  };
  return (steps) =>
    steps.every(
      ({ before, pause }) =>
        pause >= paced.least * (intervalOf(before.entry.operation) ?? Infinity) && isPaced(before.client),
    );
}

/** Returns the times between the calls of an operation, as shares of the documented interval. */
function gapsOf(own: readonly Attempt[]): readonly { readonly client: string; readonly share: number }[] {
  return own.slice(1).flatMap((attempt, index) => {
    const before = own[index];
    const interval = intervalOf(attempt.entry.operation);
    if (before === undefined || interval === null) return [];
    const apart = Math.max(attempt.received - before.received, attempt.at - before.at);
    // The pause before a retry shows nothing.
    return mayPass(before) && apart >= paced.least * interval
      ? []
      : { client: attempt.client, share: apart / interval };
  });
}

/** The time between calls that are spread evenly within the documented limit, in milliseconds; null without one. */
function intervalOf(operation: string): number | null {
  const limit = documentedLimit(operation);
  return limit === null ? null : (limit.windowSeconds * 1000) / limit.requests;
}
