import { greatest } from '../base/extremes.ts';
import { groupBy } from '../base/group-by.ts';
import { isKeyRefused, type Attempt } from './attempt.ts';
import { waited, type Calls } from './calls.ts';
import { mostCopies } from './knowledge.ts';
import type { Breach } from './check.ts';

/** A record that is missing may exist when the client asks again after this time: it polls. */
export const pollingMs = 5000;

/**
 * Calls that may be in flight, or waiting for a connection, when the client learns that its key is refused. On a
 * busy machine, it needs more than a second to send those that wait.
 */
export const underWay = { ms: 2000, calls: 60 };

/** What is received on other connections within this time was in flight. */
const inFlightMs = 250;

/** Calls of an operation that other parts of the client may make before they know that the key is refused. */
export const maxWithRefusedKey = 4;

/** In a scope, calls of all operations that it may make after that; without one, they may be tests. */
export const maxInAll = 20;

const onConnection = ({ client, entry }: Attempt): string =>
  `${client} ${entry.connection} ${entry.operation}`;

const ofClient = ({ client, entry }: Attempt): string => `${client} ${entry.operation}`;

/**
 * Returns the most calls of an operation that a client may have made soon after it had been told that its key is
 * refused: on the connection that had told it, or later than what was in flight.
 */
export function mostUnderWay({ attempts }: Calls): number {
  const refused = attempts.filter(isKeyRefused);
  return greatest([
    0,
    ...[...groupBy(refused, onConnection).values()].map((own) => countSoon(own.slice(1), own[0])),
    ...[...groupBy(refused, ofClient).values()].map((own) =>
      countSoon(
        own.filter(({ received }) => received > (own[0]?.replied ?? 0) + inFlightMs),
        own[0],
      ),
    ),
  ]);
}

/** Returns how many calls came soon after the response that told the client. */
function countSoon(calls: readonly Attempt[], told: Attempt | undefined): number {
  return calls.filter(({ received }) => received <= (told?.replied ?? 0) + underWay.ms).length;
}

export function refusedByClient({ attempts }: Calls): readonly (readonly Attempt[])[] {
  return [...groupBy(attempts.filter(isKeyRefused), ({ client }) => client).values()];
}

/** Returns the number of calls that a client made after it knew that its key is refused, also after longer pauses. */
export function countLate(refused: readonly Attempt[]): number {
  const knownAt = (refused[0]?.replied ?? 0) + underWay.ms;
  return refused.filter(({ received }) => received > knownAt).length;
}

/** Returns the calls that a client made although it knew that its key is refused. */
function lateOnes(refused: readonly Attempt[]): readonly Attempt[] {
  return refused.filter((attempt, place) => {
    const before = refused[place - 1] ?? attempt;
    // After a longer pause, it asks again whether the key is accepted.
    return attempt.received > (refused[0]?.replied ?? 0) + underWay.ms && waited(before, attempt) < pollingMs;
  });
}

/** Leaves out the copies of slow reads that were sent before the client may have had a response. */
function withoutCopies(refused: readonly Attempt[]): readonly Attempt[] {
  const knownAt = (refused[0]?.replied ?? 0) + underWay.ms;
  const counts = new Map<string, number>();
  return refused.filter(({ request, received }) => {
    const count = (counts.get(request) ?? 0) + 1;
    counts.set(request, count);
    return received > knownAt || count === 1 || count > mostCopies;
  });
}

export function callsWithRefusedKey(calls: Calls): readonly Breach[] {
  return refusedByClient(calls).flatMap((refused) => {
    const [first] = refused;
    if (first === undefined) return [];
    const late = lateOnes(refused);
    const byOperation = [...groupBy(late, ({ entry }) => entry.operation).values()];
    const areTooMany =
      withoutCopies(refused).length > underWay.calls ||
      (first.entry.scope !== null && late.length > maxInAll);
    const tooMany = areTooMany
      ? [refused.slice(1)]
      : byOperation.filter(({ length }) => length > maxWithRefusedKey);
    return tooMany.map((more) => ({
      message: `The client called ${more.length} more times with a refused key.`,
      // The first refusal may be of an operation that the client has not called again.
      ofCall: (areTooMany ? late[0] : more[0]) ?? first,
      calls: [first, ...more] as const,
    }));
  });
}
