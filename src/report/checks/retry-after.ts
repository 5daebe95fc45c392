import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import { inScopes, judgedRepeats, seconds, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';

/** Timers may fire slightly early. */
const toleranceMs = 50;

/**
 * If a pool of connections that serves several users ignored Retry-After, so many of its requests would come too
 * early. If a client sends one call at a time, so many of its repeats are its next call.
 */
const fewestOfPool = 0.8;

/** A call on another connection may already have been in flight when the response arrived. */
const underWayMs = 100;

export const retryAfter: Check = {
  check: 'retry-after',
  title: 'Waits as long as Retry-After says',
  rule:
    'After a response with Retry-After, the client must not send the same request again before the time is up. A request is the same if it has one of the elements. The check uses real time or the ' +
    `sandbox's clock, whichever shows the longer wait. It tolerates waits that are up to ${toleranceMs} ms too short, and requests on other connections within the first ${underWayMs} ms. ` +
    `Without a scope, requests without parameters are not judged, because all of them are equal, and neither are those on a connection that was opened after the response, or that are also sent again as soon after a success: they may be of another user. If calls came on several connections that were open together, the client is judged only if ${fewestOfPool * 100} percent of the requests came too early, or were the next call after the response. Other requests to the operation are judged by the check limits: several workers may each wait for their own response.`,
  basis: 'RFC 9110, section 10.2.3: Retry-After says how long the client ought to wait.',
  strength: 'should',
  occasion: 'responses with Retry-After, followed by the same request',
  exercise: 'lp-sandbox exec --scenario rate-limit-storm -- CMD',
  ofFailures: true,
  *examine({ byOperation }): SlicedWork<Examination> {
    const breaches: Breach[] = [];
    const pauses = new Map<string, number>();
    let [occasions, directRepeats] = [0, 0];
    for (const own of byOperation) {
      for (const [request, pause] of pausesAfterSuccess(own)) pauses.set(request, pause);
      const told = own.filter((attempt) => attempt.toWait !== null && isRecognizable(attempt));
      const followUps = yield* FollowUps.prepare(told, own);
      for (const asked of told) {
        const next = followUps.next(asked, asked.keys, (later) => mayKnow(asked, later));
        if (next !== undefined) occasions += 1;
        if (next?.number === asked.number + 1) directRepeats += 1;
        breaches.push(...breachOf(asked, next));
        yield;
      }
    }
    const certain = breaches.filter(
      ({ calls: [asked, next] }) =>
        next !== undefined &&
        isOneCaller(asked, next) &&
        (asked.entry.scope !== null || (pauses.get(asked.request) ?? Infinity) >= (asked.toWait ?? 0)),
    );
    const isOneUser = Math.max(breaches.length, directRepeats) >= occasions * fewestOfPool;
    const judged =
      isOneUser || !areAtOnce(breaches.map(({ calls: [asked] }) => asked)) ? certain : inScopes(certain);
    if (judged.length === breaches.length) return judgedRepeats(occasions, breaches);
    const notJudged =
      'Without a scope, the same request may be that of another user. Give each of them a scope.';
    return { notJudged, ...judgedRepeats(occasions, judged) };
  },
};

/**
 * Whether these calls came on several connections that were open together: a program that serves several users, each
 * of which waits for its own response.
 */
function areAtOnce(asked: readonly Attempt[]): boolean {
  const [first] = asked;
  return asked.some(({ entry: { connection, connectionOpenedAt } }) => {
    const closedAt = first?.entry.connectionClosedAt ?? null;
    return (
      connection !== first?.entry.connection &&
      (closedAt === null || Date.parse(closedAt) > Date.parse(connectionOpenedAt))
    );
  });
}

/** Operations without parameters: all their requests are equal, and may be those of other users of the client. */
function isRecognizable({ entry: { operation, scope } }: Attempt): boolean {
  return (
    scope !== null ||
    !isOperationName(operation) ||
    Object.keys(operationFacts[operation].parameters).length > 0
  );
}

function breachOf(asked: Attempt, next: Attempt | undefined): readonly Breach[] {
  if (next === undefined || asked.toWait === null) return [];
  const pause = waited(asked, next);
  if (pause >= asked.toWait - toleranceMs) return [];
  const message = `The client was told to wait ${seconds(asked.toWait)}, but called again after ${seconds(pause)}.`;
  return [{ message, calls: [asked, next] }];
}

/** Returns the shortest pause after a success in milliseconds, of each request that followed one. */
function pausesAfterSuccess(own: readonly Attempt[]): ReadonlyMap<string, number> {
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

/** Whether two calls are certainly of one caller: a program that serves each user by itself may open a connection for each. */
function isOneCaller(asked: Attempt, { entry }: Attempt): boolean {
  return entry.scope !== null || Date.parse(entry.connectionOpenedAt) <= asked.replied;
}

/** Whether the client had received the response when it sent the later call. */
function mayKnow(asked: Attempt, later: Attempt): boolean {
  return later.entry.connection === asked.entry.connection || later.received - asked.replied > underWayMs;
}
