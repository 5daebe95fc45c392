import { greatest, least } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import { tail } from '../binomial.ts';
import type { Step } from '../calls.ts';
import { pacing } from '../paced.ts';
import { openRuns } from '../retry-pauses.ts';
import { queues } from '../queued-retries.ts';
import { areOfProgram, programRule } from '../human-pauses.ts';
import { callsUntilNextUse, nextUses } from '../next-use.ts';
import { rounds, roundsIn } from '../rounds.ts';
import { trialsOf } from '../trials.ts';
import { judgedByClient, seconds, type Breach, type Check, type Examination } from '../check.ts';
import { ofDoubt } from '../retried-calls.ts';

/** Two pauses that differ by at most this share, or by as many milliseconds, are equal. */
const equalShare = 0.12;
const equalMs = 5;

/** The check fails if all of the fewest pairs are equal, or almost all of many pairs. */
const fewestPairs = 5;
const manyPairs = 10;
const almostAll = 0.8;

/** Pauses shrink in the same way if each pair has the same ratio, within this share. */
const sameRatio = 0.05;

/**
 * The probability that a last pause is less than 1.1 times the first: with full jitter, from 0 to 1 and 0 to 2 units. Other jitter: less.
 */
const chance = 0.275;
const growth = 1.1;

/** Pauses that grow less, on average of all requests and with this many standard errors less, do not show that they grow. */
const grown = 1.3;
const errors = 1.65;

/** The maximum share of the clients with growing pauses that the check may fail by chance. */
const mostWrong = 1e-4;

/**
 * If a client retries a request this often in a row, and never waits longer, its pauses stop growing too early. With
 * pauses from 0 to 200 ms, 400 ms and so on, up to 1 s, this happens to fewer requests than the share.
 */
const low = { retries: 8, ms: 400, requests: 3, share: 0.01 };

/** A run with only shorter pauses has none; hammering judges it. */
const pauseMs = 20;

export const backoff: Check = {
  check: 'backoff',
  title: 'Waits longer before each retry',
  rule: 'If a request fails temporarily several times without Retry-After, the pauses before its retries must grow.',
  details: [
    `The check fails if the first pauses of the requests are equal (within ${equalShare * 100} percent) in at least ${fewestPairs} pairs, or if they all shrink by the same ratio.`,
    `It also fails if too many requests have a last pause that is less than ${growth} times as long as the first. Fewer than 1 in 10,000 clients with growing random pauses have that many.`,
    `It fails if the client retried ${low.requests} requests ${low.retries} or more times in a row each, and no pause was longer than ${low.ms / 1000} s: the pauses stop growing too early. Fewer requests are not judged.`,
    'Requests that failed and were sent again together count once.',
    'Retries after responses in which faults let all elements fail are judged apart from those after other failures.',
    "The check measures pauses in real time or on the sandbox's clock, whichever is longer.",
    'A request is not a retry if it comes after more than 30 s, at its usual interval, or as long after the response as usual. A page that refreshes itself sends such requests.',
  ],
  exceptions: [
    ofDoubt,
    `Pauses that may be those of people who try again. They are those of a program if ${programRule}.`,
    'A client that spreads all its calls evenly within the documented limits. Its retries wait for their turn.',
    'A client that sends its requests one after the other at an even pace, and failed ones at the end.',
    'Requests at equal intervals of 1 s or more that never succeed, and do not end before the others. A page may refresh itself.',
    `Pauses before what may be the next use of the same record: a request after other calls of the client (one, or ${callsUntilNextUse} from several workers), or after a longer pause that follows every ${rounds.leastTries} to ${rounds.mostTries} tries.`,
  ],
  basis:
    'Good practice: RFC 9110, section 10.2.3, lets the server say how long to wait. If it does not, growing pauses let a failing service recover.',
  strength: 'should',
  occasion: 'requests with two or more retries after pauses',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  ofFailures: true,
  ofRetries: true,
  examine: (calls) => {
    const hasPaced = pacing(calls.byOperation);
    const isQueued = queues(calls.attempts);
    const isPolled = ([first]: Run): boolean => first !== undefined && calls.mayBePolled(first.before);
    const isJudged = (steps: Run): boolean => !hasPaced(steps) && !isQueued(steps) && !isPolled(steps);
    const runs = openRuns(calls).filter(isLong);
    const uses = openRuns(calls, nextUses(calls)).flatMap(roundsIn).filter(isLong);
    const usesOf = groupBy(uses.filter(isJudged), clientOf);
    return judgedByClient(runs, clientOf, (own) =>
      judgeUses(usesOf.get(clientOf(own[0] ?? [])) ?? [], own.filter(isJudged)),
    );
  },
};

type Run = ReturnType<typeof openRuns>[number];

function clientOf([first]: Run): string {
  return first?.before.client ?? '';
}

function isLong(steps: Run): boolean {
  return steps.length >= 2 && steps.some(({ pause }) => pause >= pauseMs);
}

/**
 * Judges the retries of one client, divided where the next use of a record may begin. Longer pauses are more often
 * taken for the next use: that does not make pauses equal, but fewer of them grow.
 */
function judgeUses(allUses: readonly Run[], allRuns: readonly Run[]): Examination {
  const [uses, whole] = [trialsOf(allUses), trialsOf(allRuns)];
  const occasions = allRuns.length;
  const examination = judgePauses(uses, whole, occasions);
  if (examination.breaches.length === 0) return examination;
  const pauses = uses.flat().map(({ pause }) => pause);
  return areOfProgram(pauses) ? examination : { occasions, breaches: [], notJudged: ofPeople };
}

function judgePauses(uses: readonly Run[], whole: readonly Run[], occasions: number): Examination {
  if (areAllEqual(uses)) return { occasions, breaches: uses.flatMap(breachIn) };
  const hurried = uses.filter(isTooLow);
  const often = uses.filter(({ length }) => length >= low.retries).length;
  if (hurried.length >= low.requests && tail(often, hurried.length, low.share) <= mostWrong)
    return { occasions, breaches: hurried.flatMap(tooLowBreach) };
  const flat = uses.filter(isFlat);
  if (isUnlikely(uses, flat)) {
    if (areAllEqual(whole) || isUnlikely(whole, whole.filter(isFlat)))
      return { occasions, breaches: flat.flatMap(breachIn) };
    return { occasions, breaches: [], notJudged: hardlyGrow };
  }
  if (hurried.length > 0) return { occasions, breaches: [], notJudged: stopsGrowing };
  const pairs = uses.flatMap(firstPairs);
  if (pairs.length >= fewestPairs)
    return { occasions, breaches: [], ...(isGrowthSure(uses) ? {} : { notJudged: hardlyGrow }) };
  const others = whole.flatMap(firstPairs).length;
  const notJudged =
    others >= fewestPairs
      ? afterOthers
      : `The pauses are too few: ${others} pairs of pauses; ${fewestPairs} are needed.`;
  return { occasions, breaches: [], notJudged };
}

const ofPeople =
  'The pauses did not grow, but they may be those of people who tried again, because few are short, and they differ.';

const afterOthers =
  'Other calls came before most of the retries, so they may be the next use of the same record, or those of several workers.';

const stopsGrowing = `The client retried ${low.retries} or more times in a row, and no pause was longer than ${low.ms / 1000} s, but too few requests show it.`;

const hardlyGrow = 'The pauses hardly grow on average, but they are too few to prove that they do not.';

/** Whether the first pauses are equal, or all shrink by the same ratio. */
function areAllEqual(runs: readonly Run[]): boolean {
  const pairs = runs.flatMap(firstPairs);
  const equal = pairs.filter(areEqual).length;
  return (
    (pairs.length >= fewestPairs && (equal === pairs.length || shrinkAlike(pairs))) ||
    (pairs.length >= manyPairs && equal >= almostAll * pairs.length)
  );
}

/** Whether there are too many flat runs for an accident. */
function isUnlikely(runs: readonly Run[], flat: readonly Run[]): boolean {
  return tail(runs.length, flat.length, chance) <= mostWrong;
}

/** Whether the pauses stop growing before they let a failing service recover. */
function isTooLow(steps: Run): boolean {
  return steps.length >= low.retries && steps.every(({ pause }) => pause <= low.ms);
}

/** Two equal pauses may be the beginning of growing ones, as in the Fibonacci numbers. */
function isFlat(steps: Run): boolean {
  const limit = steps.length > 2 ? growth : 1 - equalShare;
  return (steps.at(-1)?.pause ?? 0) < limit * (steps[0]?.pause ?? 0);
}

/** Whether the last pause of a request is longer than its first on average, and not by chance. */
function isGrowthSure(runs: readonly Run[]): boolean {
  const ratios = runs.map((steps) => Math.log(lengthOf(steps.at(-1)) / lengthOf(steps[0])));
  const average = mean(ratios);
  const variance = mean(ratios.map((ratio) => (ratio - average) ** 2));
  const error = Math.sqrt(variance / Math.max(1, ratios.length - 1));
  return average >= Math.log(grown) && average > errors * error;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function lengthOf(step: Step | undefined): number {
  return Math.max(1, step?.pause ?? 1);
}

type Pair = readonly [first: number, second: number];

/**
 * Returns the pauses 1 and 2, and 2 and 3 of a request: later ones may have reached their maximum. If there are
 * only two, they are a pair if they differ.
 */
function firstPairs(steps: readonly Step[]): readonly Pair[] {
  const pauses = steps.slice(0, 3).map(({ pause }) => pause);
  const pairs = pauses.slice(1).map((pause, index): Pair => [pauses[index] ?? 0, pause]);
  return pauses.length > 2 ? pairs : pairs.filter((pair) => !areEqual(pair));
}

function areEqual([first, second]: Pair): boolean {
  return Math.abs(second - first) <= Math.max(equalMs, equalShare * first);
}

/** Whether each second pause is the same part of the first one. */
function shrinkAlike(pairs: readonly Pair[]): boolean {
  const ratios = pairs.map(([first, second]) => second / first);
  return greatest(ratios) < 1 && greatest(ratios) - least(ratios) <= sameRatio;
}

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

function breachOf(steps: Run, message: string): readonly Breach[] {
  const [first] = steps;
  return first === undefined ? [] : [{ message, calls: [first.before, ...steps.map(({ next }) => next)] }];
}
