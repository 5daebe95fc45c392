import { greatest, middle } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { callsOf, waited, type Calls } from '../calls.ts';
import {
  inOperation,
  judgedByClient,
  merged,
  seconds,
  type Breach,
  type Check,
  type Examination,
} from '../check.ts';
import { judgedWithoutCopies, ofCopies } from '../copied-reads.ts';
import * as growing from '../growing-pauses.ts';
import type { Run } from '../growing-pauses.ts';
import { areOfProgram, programRule } from '../human-pauses.ts';
import { callsUntilNextUse, nextUses, succeededRequests } from '../next-use.ts';
import { oneByOne } from '../one-by-one.ts';
import { ofOneCaller } from '../one-caller.ts';
import { pacing } from '../paced.ts';
import { queues } from '../queued-retries.ts';
import { ofDoubt } from '../retried-calls.ts';
import type { openRuns } from '../retry-pauses.ts';
import { rounds, roundsIn } from '../rounds.ts';
import { trialsOf } from '../trials.ts';

const { ofClient, low } = growing;

/** Requests without a longer pause are judged by hammering, unless they are all of an operation. */
const pauseMs = 20;

/**
 * The retries of one operation count if at least this many different requests show them one after the other, because a
 * few may be the work of tests, and if most pauses are shorter: longer ones may wait for their turn, or for a circuit
 * breaker.
 */
const ofOne = { requests: 5, ms: 900, share: 0.8, doubted: 2 };

export const backoff: Check = {
  check: 'backoff',
  title: 'Waits longer before each retry',
  rule: 'If a request fails temporarily several times without Retry-After, the pauses before its retries must grow.',
  details: [
    `The check compares the first pause of each request with the second, and the second with the third. It fails if there are ${ofClient.pairs} or more such pairs, and either the two pauses of every pair are equal (within ${growing.equalShare * 100} percent), or the second pause of every pair is shorter by the same ratio. It fails if there are ${growing.manyPairs} or more, and ${growing.almostAll * 100} percent are equal.`,
    `It also fails if too many requests have a last pause that is less than ${growing.growth} times as long as the first. Fewer than 1 in 10,000 clients with growing random pauses have that many.`,
    `It fails if the pauses stop growing too early: the client retried ${low.requests} requests ${low.retries} or more times in a row each, and no pause was longer than ${low.ms / 1000} s. Fewer requests are not judged.`,
    `The check judges all operations together, and each by itself. It fails for one of several operations only if at least ${ofOne.requests} different requests show pauses that do not grow. These requests count only if the client retried them without pauses, or one after the other with a median pause of less than ${ofOne.ms / 1000} s. In the second case, requests that it also repeated after a success do not count.`,
    'Requests that failed and were sent again together count once.',
    'Retries after responses in which faults make all elements fail are judged separately from retries after other failures.',
    "The check measures pauses in real time or on the sandbox's clock, whichever is longer.",
    'A request is not a retry if it comes after more than 30 s, at its usual interval, or after its usual delay since the response. A page that refreshes itself sends such requests.',
  ],
  exceptions: [
    ofDoubt,
    ofCopies,
    `Pauses that may come from people who try again. The check attributes pauses to a program if ${programRule}.`,
    'A client that spreads all its calls evenly within the documented limits. Its retries wait for their turn.',
    'A client that sends its requests one after the other at an even pace, and retries the failed ones at the end.',
    "Requests at equal intervals of 1 s or more that never succeed, and continue for as long as the client's other requests. A page may refresh itself.",
    `Pauses before a request that may be the next use of the same record. Such a request comes after other calls of the client (at least one, or at least ${callsUntilNextUse} if the client has several workers), or after a longer pause that follows every ${rounds.leastTries} to ${rounds.mostTries} tries.`,
  ],
  basis:
    'Good practice: RFC 9110, section 10.2.3, lets the server say how long to wait. If it does not, growing pauses let a failing service recover.',
  strength: 'should',
  occasion: 'requests with two or more retries after pauses',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  ofFailures: true,
  ofRetries: true,
  examine: (calls) => judgedWithoutCopies(calls, (runsOf) => examineRuns(calls, runsOf)),
};

type RunsOf = typeof openRuns;

function* examineRuns(calls: Calls, runsOf: RunsOf): SlicedWork<Examination> {
  const whole = judgeCalls(calls, ofClient, runsOf);
  const accused = new Set(whole.breaches.map(({ calls: [{ client }] }) => client));
  const { occasions, breaches, notJudged } = yield* judgeOperations(calls, runsOf);
  const others = breaches.filter(({ calls: [{ client }] }) => !accused.has(client));
  return {
    ...(notJudged === undefined ? {} : { notJudged }),
    ...whole,
    occasions: whole.occasions + occasions,
    breaches: [...whole.breaches, ...others],
  };
}

function judgeCalls(calls: Calls, certainty: growing.Certainty, runsOf: RunsOf): Examination {
  const hasPaced = pacing(calls.byOperation);
  const isQueued = queues(calls.attempts);
  const isPolled = ([first]: Run): boolean => first !== undefined && calls.mayBePolled(first.before);
  const isJudged = (steps: Run): boolean => !hasPaced(steps) && !isQueued(steps) && !isPolled(steps);
  const runs = runsOf(calls).filter(isLong);
  const uses = runsOf(calls, nextUses(calls)).flatMap(roundsIn).filter(isLong);
  const usesOf = groupBy(uses.filter(isJudged), clientOf);
  return judgedByClient(runs, clientOf, (own) =>
    judgeUses(usesOf.get(clientOf(own[0] ?? [])) ?? [], own.filter(isJudged), certainty),
  );
}

/** Judges each of several operations of a client that pauses in one as if it had made no other calls. */
function* judgeOperations(calls: Calls, runsOf: RunsOf): SlicedWork<Examination> {
  const retried = groupBy(runsOf(calls).filter(isRetriedAgain), operationOf);
  const pausing = new Set([...retried.values()].flat().filter(isLong).map(clientOf));
  const ofClients = groupBy(calls.byOperation, ([first]) => first?.client ?? '');
  const judged: Examination[] = [];
  for (const [client, operations] of ofClients) {
    if (operations.length === 1 || !pausing.has(client)) continue;
    for (const own of operations) {
      const operation = own[0]?.entry.operation ?? '';
      const runs = retried.get(`${client} ${operation}`) ?? [];
      if (runs.length < ofOne.doubted) continue;
      judged.push(judgeOperation(yield* callsOf(own, { unmatched: [], busy: [] }), runs, runsOf));
    }
  }
  return merged(judged);
}

function judgeOperation(calls: Calls, runs: readonly Run[], runsOf: RunsOf): Examination {
  const operation = runs[0]?.[0]?.before.entry.operation ?? '';
  const atOnce = runs.filter((steps) => !isLong(steps) && ofOneCaller(steps).length === steps.length);
  if (atOnce.length >= Math.max(ofOne.doubted, ofOne.share * runs.length))
    return inWords(atOnce.flatMap(atOnceBreach), atOnce.length, operation);
  const { breaches } = judgeCalls(calls, growing.ofOperation, runsOf);
  const { usedAgain } = succeededRequests(calls);
  const certain = oneByOne(breaches.filter(({ calls: [{ request }] }) => !usedAgain.has(request)));
  if ((middle(certain.flatMap(pausesIn)) ?? ofOne.ms) < ofOne.ms && certain.length >= ofOne.requests)
    return inWords(breaches, 0, operation);
  const areDoubtful =
    breaches.length > 0 ||
    judgeCalls(calls, ofClient, runsOf).breaches.length > 0 ||
    growing.isGrowthUnlikely(trialsOf(runs.filter(isLong)));
  return { occasions: 0, breaches: [], ...(areDoubtful ? { notJudged: hardlyGrowIn(operation) } : {}) };
}

/** Returns the breaches in one operation if enough different requests show them. */
function inWords(breaches: readonly Breach[], occasions: number, operation: string): Examination {
  const requests = new Set(breaches.map(({ calls: [{ request }] }) => request));
  return requests.size < ofOne.requests
    ? { occasions, breaches: [], notJudged: hardlyGrowIn(operation) }
    : { occasions, breaches: breaches.map((breach) => inOperation(breach, operation)) };
}

function hardlyGrowIn(operation: string): string {
  return `The pauses before the retries of ${operation} hardly grow, but they show no habit: the requests are too few, or may wait for their turn.`;
}

function pausesIn({ calls }: Breach): readonly number[] {
  return calls.slice(1).map((next, index) => waited(calls[index] ?? next, next));
}

function clientOf([first]: Run): string {
  return first?.before.client ?? '';
}

function operationOf(run: Run): string {
  return `${clientOf(run)} ${run[0]?.before.entry.operation ?? ''}`;
}

function isRetriedAgain({ length }: Run): boolean {
  return length >= 2;
}

function isLong(steps: Run): boolean {
  return isRetriedAgain(steps) && steps.some(({ pause }) => pause >= pauseMs);
}

/**
 * Judges the retries of one client, divided where the next use of a record may begin. Longer pauses are more often
 * taken for the next use: that does not make pauses equal, but fewer of them grow.
 */
function judgeUses(
  allUses: readonly Run[],
  allRuns: readonly Run[],
  certainty: growing.Certainty,
): Examination {
  const [uses, whole] = [trialsOf(allUses), trialsOf(allRuns)];
  const occasions = allRuns.length;
  const examination = judgePauses(uses, whole, certainty);
  if (examination.breaches.length === 0) return { ...examination, occasions };
  const pauses = uses.flat().map(({ pause }) => pause);
  return areOfProgram(pauses)
    ? { ...examination, occasions }
    : { occasions, breaches: [], notJudged: ofPeople };
}

function judgePauses(
  uses: readonly Run[],
  whole: readonly Run[],
  certainty: growing.Certainty,
): Omit<Examination, 'occasions'> {
  if (growing.areAllEqual(uses, certainty)) return { breaches: uses.flatMap(breachIn) };
  const hurried = uses.filter(growing.isTooLow);
  if (growing.areTooLow(uses, certainty)) return { breaches: hurried.flatMap(tooLowBreach) };
  if (growing.isUnlikely(uses, certainty)) {
    if (growing.areAllEqual(whole, certainty) || growing.isUnlikely(whole, certainty))
      return { breaches: uses.filter(growing.isFlat).flatMap(breachIn) };
    return { breaches: [], notJudged: hardlyGrow };
  }
  if (hurried.length > 0) return { breaches: [], notJudged: stopsGrowing };
  const { pairs: fewest } = certainty;
  if (uses.flatMap(growing.firstPairs).length >= fewest)
    return { breaches: [], ...(growing.isGrowthSure(uses) ? {} : { notJudged: hardlyGrow }) };
  const others = whole.flatMap(growing.firstPairs).length;
  const notJudged =
    others >= fewest
      ? afterOthers
      : `The pauses are too few: ${others} pairs of pauses; ${fewest} are needed.`;
  return { breaches: [], notJudged };
}

const ofPeople =
  'The pauses did not grow, but they may come from people who tried again, because few are short, and they differ.';

const afterOthers =
  'Other calls came before most of the retries, so they may be the next use of the same record, or those of several workers.';

const stopsGrowing = `The client retried ${low.retries} or more times in a row, and no pause was longer than ${low.ms / 1000} s, but too few requests show it.`;

const hardlyGrow = 'The pauses hardly grow on average, but they are too few to prove that they do not.';

function breachIn(steps: Run): readonly Breach[] {
  return breachOf(steps, `The pauses did not grow: ${steps.map(({ pause }) => seconds(pause)).join(', ')}.`);
}

function tooLowBreach(steps: Run): readonly Breach[] {
  const longest = seconds(greatest(steps.map(({ pause }) => pause)));
  return breachOf(
    steps,
    `The client retried ${steps.length} times, but never waited longer than ${longest}.`,
  );
}

function atOnceBreach(steps: Run): readonly Breach[] {
  const within = seconds(greatest(steps.map(({ pause }) => pause)) + 1);
  return breachOf(
    steps,
    `The client retried ${steps.length} times without a pause: within ${within} of each failure.`,
  );
}

function breachOf(steps: Run, message: string): readonly Breach[] {
  const [first] = steps;
  return first === undefined ? [] : [{ message, calls: [first.before, ...steps.map(({ next }) => next)] }];
}
