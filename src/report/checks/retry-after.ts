import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import { inScopes, judgedRepeats, seconds, type Breach, type Check, type Examination } from '../check.ts';
import { ofHabit, pausesAfterSuccess } from '../early-habits.ts';
import { FollowUps } from '../follow-ups.ts';
import {
  certainlyInformed,
  copiesMs,
  falsePositives,
  Knowledge,
  mostCopies,
  mostLost,
} from '../knowledge.ts';
import { OwnRetries, type Told } from '../own-retries.ts';
import { paceOf, type Pace } from '../pace.ts';

/** Timers may fire slightly early. */
const toleranceMs = 50;

/**
 * If a pool of connections that serves several users ignored Retry-After, this share of its requests would
 * come too early. If a client sends one call at a time, this share of its repeats is its next call.
 */
const fewestOfPool = 0.8;

/** A call on another connection may already have been in flight when the response arrived. */
const underWayMs = 100;

/** One of several workers that tried this often may have given up: the same request is that of another worker. */
const fewestTries = 3;

/** If a parallel client has at least this many requests, a single early one is not judged. */
const fewestOfStray = 10;

/**
 * This many requests whose repeats are the next call, each on a new connection, are unlikely to be those of
 * several users.
 */
const fewestRequests = 4;

/** A program that closes a connection may open the next one this much earlier. */
const closingMs = 20;

export const retryAfter: Check = {
  check: 'retry-after',
  title: 'Waits as long as Retry-After says',
  rule:
    'After a response with Retry-After, the client must not send the same request again before the time is up. ' +
    'A later request counts as the same if it contains at least one of the same elements.',
  details: [
    'A request is early if the client sent it again before the time was up.',
    "The check measures the wait in real time or on the sandbox's clock, whichever is longer.",
    `A wait may be up to ${toleranceMs} ms too short.`,
    `A request on another connection may come within the first ${underWayMs} ms, because it may already have been in flight. This does not apply if the previous connection was closed, or if the client sends one call at a time.`,
    'The journal shows that the client received the response only if the client used the same connection again, and the connection cannot belong to a proxy. ' +
      `In other cases, the check fails only if the probability that lost responses explain all early repeats is at most 1 in ${(1 / falsePositives).toLocaleString('en')}, even assuming a network that loses ${mostLost * 100} percent of the responses.`,
    'The limits check judges other requests to the operation.',
  ],
  exceptions: [
    'An early request that the client sent before it reused the connection of the response. It may be a second copy of a slow read, or follow a response that was lost.',
    `A request that came early after one copy of a slow read, but late enough after another copy. The check treats requests as copies of one read only if there are at most ${mostCopies}, including the first, all within ${copiesMs / 1000} s.`,
    'An early request on a connection that may belong to a proxy, which may have received the response in place of the client. A connection may belong to a proxy if one of its requests has a header that proxies add, such as Via, Forwarded, X-Forwarded-For or X-Real-IP, or if its requests come from several programs (User-Agent) or schools.',
    'A single early request of a client, or all of its early requests if it respected Retry-After after most responses. A few of the responses may have been lost.',
    'An early request, if the next request on the connection began to arrive before the response was sent. That request does not prove that the client had the response.',
    'An early request, if the client also repeats successful requests after similar pauses. A proxy that adds no header may delay or lose its responses.',
    'An early request, if the client also sent the request after the full wait, once for each response. Several workers may each wait for their own response.',
    `An early request, if one of several workers may have given up after ${fewestTries} or more tries: the request may come from another worker. Some of the tries may have failed without Retry-After.`,
    `A single early request in an operation, if several workers repeated ${fewestOfStray} or more requests of the operation.`,
    'Without a scope, requests without parameters. They are all identical, so they may come from other users.',
    'Without a scope, requests that the client also repeats after a success, with pauses shorter than the time in Retry-After.',
    `Without a scope, requests on a connection that was opened after the response. Such requests count only if the previous connection was closed. If it was, those sent within ${underWayMs} ms after the response always count. Later ones count only if they were the next call in the sandbox, and if there are at least ${fewestRequests} of them.`,
    `Without a scope, clients with several connections that were open at the same time. Such clients are judged only if at least ${fewestOfPool * 100} percent of the repeated requests came early, or if at least ${fewestOfPool * 100} percent were the next call in the sandbox.`,
  ],
  basis: 'RFC 9110, section 10.2.3: Retry-After says how long the client ought to wait.',
  strength: 'should',
  occasion: 'responses with Retry-After, followed by the same request',
  exercise: 'lp-sandbox exec --scenario rate-limit-storm -- CMD',
  ofFailures: true,
  *examine({ attempts, byOperation }): SlicedWork<Examination> {
    const pace = paceOf(attempts);
    const pauses = new Map<string, number>();
    const all: Told[] = [];
    const early: Told[] = [];
    for (const own of byOperation) {
      for (const [request, pause] of pausesAfterSuccess(own)) pauses.set(request, pause);
      const told = yield* toldIn(own, pace);
      for (const one of told.all) all.push(one);
      const others = yield* OwnRetries.find(told.all, told.followUps, pace);
      for (const one of withoutOthers(others, told.all, pace)) early.push(one);
    }
    return judge(all, early, { pauses, knowledge: new Knowledge(attempts) });
  },
};

/** Returns the early requests, without those that may be of other workers. */
function withoutOthers(retries: OwnRetries, all: readonly Told[], { mayBeParallel }: Pace): readonly Told[] {
  const early = all.filter(({ isEarly }) => isEarly);
  const unmatched = early.filter(({ asked }) => !retries.has(asked));
  const noLastTries = retries.withoutLastTries(
    unmatched.map(({ asked }) => asked),
    fewestTries,
  );
  const own = unmatched.filter(({ asked }) => !mayBeParallel.has(asked.client) || noLastTries.has(asked));
  // One of many may come from a worker whose own response is not matched.
  const isStray = own.length === 1 && all.length >= fewestOfStray;
  const certain = new Set(isStray ? own.filter(({ asked }) => !mayBeParallel.has(asked.client)) : own);
  // A client that sends one call at a time, and once did not come in time, is alone.
  const ofOne = new Set(
    [...certain].flatMap(({ asked }) => (mayBeParallel.has(asked.client) ? [] : [asked.request])),
  );
  return early.filter((told) => certain.has(told) || ofOne.has(told.asked.request));
}

/** Judges early requests that are not those of other workers. */
function judge(
  all: readonly Told[],
  early: readonly Told[],
  { pauses, knowledge }: { readonly pauses: ReadonlyMap<string, number>; readonly knowledge: Knowledge },
): Examination {
  const direct = all.filter(isDirect);
  const requests = new Set(early.filter(isDirect).map(({ asked }) => asked.request)).size;
  const ofOneCaller = early.filter(
    (told) =>
      isOneCaller(told, requests >= fewestRequests) &&
      isRecognizable(told.asked) &&
      (told.asked.entry.scope !== null || (pauses.get(told.asked.request) ?? Infinity) >= told.toWait),
  );
  const informed = certainlyInformed(all, new Set(ofOneCaller));
  const proven = ofOneCaller.filter(
    ({ asked, next }) =>
      knowledge.isProven(asked, next) && !knowledge.copiesOf(asked).some((copy) => isInTime(copy, next)),
  );
  const habit = ofHabit(proven, all);
  const certain = ofOneCaller.filter((told) => informed.has(told.asked.client) || habit.has(told));
  const tooEarly = all.filter(({ isEarly }) => isEarly).length;
  const isOneUser = Math.max(tooEarly, direct.length) >= all.length * fewestOfPool;
  const breaches = certain.map(breachOf);
  const judged = isOneUser || !areAtOnce(early.map(({ asked }) => asked)) ? breaches : inScopes(breaches);
  const examination = judgedRepeats(all.length, judged);
  if (judged.length === tooEarly) return examination;
  const advice = early.every(({ asked }) => asked.entry.scope !== null) ? '' : ' Give each user a scope.';
  const notJudged = `The client may not have received the response before it sent the request again, or the request may come from another user or worker that waits for another response.${advice}`;
  return { notJudged, ...examination };
}

/** Whether a later call waited as long as the response to this one said. */
function isInTime(copy: Attempt, next: Attempt): boolean {
  return copy.toWait !== null && copy.number < next.number && waited(copy, next) >= copy.toWait - toleranceMs;
}

/** Returns the calls that were told to wait, with their follow-ups. */
function* toldIn(
  own: readonly Attempt[],
  pace: Pace,
): SlicedWork<{ readonly all: readonly Told[]; readonly followUps: FollowUps }> {
  const told = own.filter((attempt) => attempt.toWait !== null);
  const followUps = yield* FollowUps.prepare(told, own);
  const all: Told[] = [];
  for (const asked of told) {
    yield;
    const next = followUps.next(asked, asked.keys, (later) => mayKnow(asked, later, pace));
    if (next === undefined || asked.toWait === null) continue;
    const toWait = asked.toWait - toleranceMs;
    all.push({ asked, next, toWait, isEarly: waited(asked, next) < toWait });
  }
  return { all, followUps };
}

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

/** Operations without parameters: all their requests are equal, and may come from other users of the client. */
function isRecognizable({ entry: { operation, scope } }: Attempt): boolean {
  return (
    scope !== null ||
    !isOperationName(operation) ||
    Object.keys(operationFacts[operation].parameters).length > 0
  );
}

function breachOf({ asked, next, toWait }: Told): Breach {
  const [told, pause] = [seconds(toWait + toleranceMs), seconds(waited(asked, next))];
  const message = `The client was told to wait ${told}, but called again after ${pause}.`;
  return { message, calls: [asked, next] };
}

/** Whether the repeat was the next call that the sandbox got. */
function isDirect({ asked, next }: Pick<Told, 'asked' | 'next'>): boolean {
  return next.number === asked.number + 1;
}

/**
 * Whether two calls are certainly of one caller: a program that serves each user by itself may open a connection for
 * each, but hardly so soon after it closed the one before.
 */
function isOneCaller({ asked, next }: Told, areDirect: boolean): boolean {
  const { scope } = asked.entry;
  if (scope !== null || Date.parse(next.entry.connectionOpenedAt) <= asked.replied) return true;
  return (
    hasReopened(asked, next) &&
    (waited(asked, next) <= underWayMs || (areDirect && isDirect({ asked, next })))
  );
}

/** Whether the connection of a call was closed after its response, and that of the later one opened. */
function hasReopened({ entry: { connectionClosedAt }, replied }: Attempt, { entry }: Attempt): boolean {
  const openedAt = Date.parse(entry.connectionOpenedAt);
  return (
    connectionClosedAt !== null &&
    openedAt > replied &&
    Date.parse(connectionClosedAt) <= openedAt + closingMs
  );
}

/** Whether the client may have received the response when it sent the later call. */
function mayKnow(asked: Attempt, later: Attempt, { serial, mayBeParallel }: Pace): boolean {
  return (
    later.entry.connection === asked.entry.connection ||
    hasReopened(asked, later) ||
    later.received - asked.replied > underWayMs ||
    (serial.has(asked.client) && !mayBeParallel.has(asked.client))
  );
}
