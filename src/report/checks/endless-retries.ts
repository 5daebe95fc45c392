import { greatest, least, middle } from '../../base/extremes.ts';
import { stepsOf, waited, type Series, type Step } from '../calls.ts';
import { mayPass, type Attempt } from '../attempt.ts';
import type { Check } from '../check.ts';
import { callsUntilNextUse, nextUses } from '../next-use.ts';
import { rounds, roundsIn } from '../rounds.ts';
import { ofDoubt } from '../retried-calls.ts';

/** Libraries retry up to 10 times by default. */
const maxTries = 20;

/**
 * The pauses of one client may vary. Longer ones that become shorter by more than this may come from several users,
 * or in a scope of one user who tries again.
 */
const quickMs = 1000;
const shorter = { quick: 0.5, slow: 0.95 };

/**
 * A program that waits until a service is ready asks at intervals of at least this length. None is shorter than the usual
 * one by this factor.
 */
const steady = { ms: 900, times: 2 };

/** A retry is overdue after the longest pause before it, times this number: most clients double their pauses. */
const overdue = 2;

export const endlessRetries: Check = {
  check: 'endless-retries',
  title: 'Stops retrying at some point',
  rule: `The client must not send a request more than ${maxTries} times if every response is a temporary failure.`,
  details: [
    'A request is not a retry if it comes after more than 30 s, at its usual interval, or after its usual delay since the response.',
    `A request that follows other calls of the client (at least one, or at least ${callsUntilNextUse} if the client has several workers) may be the next use of the same record.`,
    `A request after a pause of at least ${rounds.pauseMs / 1000} s that is longer than all others may also be the next use, if such a pause comes after every ${rounds.leastTries} to ${rounds.mostTries} tries.`,
    'The check does not add up the tries of different uses.',
    `The check passes only if the journal shows that the client stopped. This requires that the last try failed temporarily, and that the client made another call after more than ${overdue} times the longest pause.`,
  ],
  exceptions: [
    ofDoubt,
    'Tries whose pauses start over. They may come from several users, or from one user who tries again.',
    `Without a scope, tries whose pauses of more than ${quickMs / 1000} s become shorter.`,
    `Tries after pauses of ${steady.ms / 1000} s or more, none of them shorter than ${100 / steady.times} percent of the usual pause. A program may be waiting until the service is ready.`,
    'Requests at equal intervals that never succeed. A page may refresh itself.',
  ],
  basis:
    'Good practice: a client that never gives up hides a failure from its user, and adds load to a failing service.',
  strength: 'should',
  occasion: 'requests that failed temporarily and were sent again',
  exercise: 'lp-sandbox exec --scenario long-outage -- CMD',
  ofFailures: true,
  ofRetries: true,
  examine: (calls) => {
    const { attempts, series, isScheduled, mayBePolled } = calls;
    const isNextUse = nextUses(calls);
    const repeated = series.map((tries) => failuresIn(tries, isScheduled)).filter(({ length }) => length > 1);
    const long = repeated.filter(({ length }) => length > maxTries);
    const certain = long
      .filter((failures) => !failures.some(mayBePolled))
      .map((failures) => longestOfOne(failures, isNextUse))
      .filter((tries) => tries.length > maxTries && roundsIn(stepsOf(tries)).length === 1)
      .filter((tries) => !areSteady(tries));
    const breaches = certain.flatMap((tries) => {
      const [first, ...more] = tries;
      if (first === undefined) return [];
      const message = `The client sent the request ${tries.length} times, although it failed each time.`;
      return [{ message, calls: [first, ...more] as const }];
    });
    if (certain.length === long.length) {
      const lastOf = new Map(attempts.map((attempt) => [attempt.client, attempt]));
      const hasStopped = series.some((tries) => isGivenUp(tries, lastOf));
      if (hasStopped || repeated.length === 0) return { occasions: repeated.length, breaches };
      return { occasions: repeated.length, breaches, notJudged: notSeenToStop };
    }
    return { occasions: repeated.length, breaches, notJudged: mayBeOthers(long) };
  },
};

function mayBeOthers(long: readonly Series[]): string {
  const advice = long.every(([first]) => first?.entry.scope !== null) ? '' : ' Give each user a scope.';
  return `A request failed many times, but may have been sent by several users, by a page that refreshes itself, by a program that waits until the service is ready, or again after other work.${advice}`;
}

/**
 * Whether the client gave up a request: it sent it again, the last try failed temporarily, and it was still there
 * when the next one was due. Until then, it may have been about to retry, or have ended.
 */
function isGivenUp(tries: Series, lastOf: ReadonlyMap<string, Attempt>): boolean {
  const last = tries.at(-1);
  if (tries.length < 2 || last === undefined || !mayPass(last)) return false;
  const longest = greatest(stepsOf(tries).map(({ pause }) => pause));
  const end = lastOf.get(last.client) ?? last;
  return end !== last && waited(last, end) > overdue * longest;
}

const notSeenToStop =
  'The journal does not show that the client gave up on a request and then did something else. To see whether it stops, let an operation fail without end: POST …/faults with {"operation":"list-assignments","fault":"http-error"}.';

/**
 * Returns the longest part of the tries that is certainly of one caller, and of one use of the record. Another
 * user, or use, may begin where a pause is shorter than the one before.
 */
function longestOfOne(failures: Series, isNextUse: (step: Step) => boolean): Series {
  let longest: Series = [];
  let current = failures.slice(0, 1);
  let last = 0;
  for (const step of stepsOf(failures)) {
    const { pause, next } = step;
    const isAlone = next.entry.scope !== null;
    const shortest = last * (pause < quickMs || isAlone ? shorter.quick : shorter.slow);
    if (pause < shortest || isNextUse(step)) current = [];
    current.push(next);
    last = pause;
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

/** Whether the pauses do not grow: the client may be waiting until the service is ready. */
function areSteady(tries: Series): boolean {
  const pauses = stepsOf(tries).map(({ pause }) => pause);
  return least(pauses) >= Math.max(steady.ms, (middle(pauses) ?? 0) / steady.times);
}

/** Returns the longest run of temporary failures of a request, and of its retries. */
function failuresIn(tries: Series, isScheduled: (step: Step) => boolean): Series {
  let longest: Series = [];
  let current: Attempt[] = [];
  const steps = new Map(stepsOf(tries).map((step) => [step.next, step]));
  for (const attempt of tries) {
    const step = steps.get(attempt);
    const isOther = step !== undefined && areElements(step.before) !== areElements(attempt);
    if (!mayPass(attempt) || isOther || (step !== undefined && isScheduled(step))) current = [];
    if (mayPass(attempt)) current.push(attempt);
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

/** A client may retry elements by its own rules, with new tries of the call for each of them. */
function areElements({ ending }: Attempt): boolean {
  return ending === 'faulty-elements';
}
