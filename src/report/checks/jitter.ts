import { greatest, least } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import { senderOf, type Attempt } from '../attempt.ts';
import { stepsOf, type Step } from '../calls.ts';
import { inOperation, seconds, type Breach, type Check, type Examination } from '../check.ts';
import { areOfRhythm, rhythmRule } from '../human-pauses.ts';
import { isOpenFailure } from '../retry-pauses.ts';

/** Requests that failed within this time of each other are together. */
const togetherMs = 100;

/**
 * Without jitter, pauses differ by less than this, and than this share of the shortest. If they vary by 100 ms, or
 * by 10 percent, 90 percent of 8 or more do so in fewer than 1 of 500 rounds, in half of several rounds in fewer than
 * 1 of 10,000 runs.
 */
const equal = { ms: 25, share: 0.025, most: 0.9 };

/** Retries that are almost together are not judged: there may be some jitter. */
const close = { share: 0.05, most: 0.8 };

/** A busy client needs some time to send its requests, so that shorter pauses show nothing. */
const shortestPauseMs = 500;

/** From these numbers on, requests that fail and are retried together are not a coincidence. */
const fewest = { requests: 8, rounds: 2, share: 0.5 };

export const jitter: Check = {
  check: 'jitter',
  title: 'Spreads the retries of many requests',
  rule: `If ${fewest.requests} or more requests fail within ${togetherMs} ms of each other without Retry-After, the client must not retry them together.`,
  details: [
    `Retries are together if ${equal.most * 100} percent of them come within ${equal.ms} ms of each other, or after pauses that differ by at most ${equal.ms} ms. In both cases, the difference is also at most ${equal.share * 100} percent of the shortest pause.`,
    `The check fails if this happens at least ${fewest.rounds} times and in at least half of all cases, after pauses of at least ${shortestPauseMs} ms in real time.`,
    'The check judges all operations together, and each by itself.',
    'Of the clients whose pauses vary by 100 ms, or by 10 percent, fewer than 1 in 10,000 fail.',
  ],
  exceptions: [
    `Pauses that may come from a person who sends all requests of a page again. Retries that come together count as one pause. The check attributes pauses to a program if ${rhythmRule}.`,
    `A case in which the retries are only almost together: ${close.most * 100} percent of them, or of their pauses, differ by at most ${close.share * 100} percent of the shortest pause. There may be some jitter.`,
    'Requests that failed together in different scopes. They may come from tests that run in parallel.',
    'A case in which another call of the client succeeded between the failures and the retries. A circuit breaker waits for such a success.',
  ],
  basis:
    'Good practice: retries at the same moment are a new burst of load. Pauses that are drawn at random (jitter) spread them.',
  strength: 'should',
  occasion: `times that ${fewest.requests} or more requests failed together and were retried`,
  exercise: 'lp-sandbox exec --scenario long-outage -- CMD',
  ofFailures: true,
  examine: ({ attempts, series, isScheduled }) => {
    const steps = series.flatMap(stepsOf).filter((step) => isPaused(step) && !isScheduled(step));
    const rounds = [...groupBy(steps, ({ before }) => before.client).values()].map(roundsOf);
    const succeeded = attempts.filter(({ ending }) => ending === 'ok');
    const whole = rounds.map((own) => judge(own, succeeded));
    const accused = new Set(
      whole.flatMap(({ breaches }) => breaches.map(({ calls: [{ client }] }) => client)),
    );
    const judged = [
      ...whole,
      ...judgeOperations(
        steps.filter(({ before }) => !accused.has(before.client)),
        succeeded,
      ),
    ];
    const all = [...groupBy(steps, ({ before }) => senderOf(before)).values()].flatMap(roundsOf);
    const areOfScopes = all.length > rounds.flat().length;
    const notJudged =
      judged.find((one) => one.notJudged !== undefined)?.notJudged ?? (areOfScopes ? inScopes : undefined);
    return {
      occasions: rounds.flat().length,
      breaches: judged.flatMap(({ breaches }) => breaches),
      ...(notJudged === undefined ? {} : { notJudged }),
    };
  },
};

type Round = readonly Step[];

/** Judges each operation of a client by itself: one without jitter is hidden among the others, or has its own pause. */
function judgeOperations(steps: readonly Step[], succeeded: readonly Attempt[]): readonly Examination[] {
  return [...groupBy(steps, ({ before }) => before.client).values()].flatMap((own) => {
    const operations = [...groupBy(own, ({ before }) => before.entry.operation)];
    if (operations.length === 1) return [];
    return operations.map(([operation, ofOne]) => {
      const { breaches, ...rest } = judge(roundsOf(ofOne), succeeded);
      return { ...rest, breaches: breaches.map((breach) => inOperation(breach, operation)) };
    });
  });
}

/** Judges the rounds of one client. */
function judge(rounds: readonly Round[], succeeded: readonly Attempt[]): Examination {
  const occasions = rounds.length;
  const all = rounds.map(togetherIn).filter(({ length }) => length > 0);
  const together = all.filter((round) => !isReleased(round, succeeded));
  if (together.length >= fewest.rounds && together.length >= fewest.share * rounds.length)
    return areOfRhythm(together.map(shortestOf))
      ? { occasions, breaches: together.flatMap(breachOf) }
      : { occasions, breaches: [], notJudged: byPerson };
  if (all.length > together.length) return { occasions, breaches: [], notJudged: afterBreaker };
  if (all.length > 0) return { occasions, breaches: [], notJudged: tooFew };
  return { occasions, breaches: [], ...(rounds.some(areClose) ? { notJudged: hardlySpread } : {}) };
}

const afterBreaker =
  'Many requests were retried together after another call had succeeded, as a circuit breaker does.';
const byPerson =
  'Many requests were retried together. The pauses are too few, or too different, to prove that a program retried them. A person may have sent them again.';
const inScopes =
  'Many requests failed together and were retried, but in different scopes. They may come from tests that run in parallel.';
const tooFew = 'Many requests were retried together, but only once, or in fewer than half of all cases.';
const hardlySpread = 'Many requests were retried almost together. There may be some jitter.';

function isPaused(step: Step): boolean {
  return isOpenFailure(step.before) && step.before.ending !== 'gone' && pauseOf(step) >= shortestPauseMs;
}

type Measure = (step: Step) => number;

/** In real time: the sandbox's clock does not spread anything. */
function pauseOf({ before, next }: Step): number {
  return next.received - before.replied;
}

function arrivalOf({ next }: Step): number {
  return next.received;
}

/** Groups the retries of a client whose failures were together. */
function roundsOf(steps: readonly Step[]): readonly Round[] {
  const sorted = steps.toSorted((one, other) => one.before.replied - other.before.replied);
  const rounds: Step[][] = [];
  for (const step of sorted) {
    const current = rounds.at(-1);
    const start = current?.[0]?.before.replied ?? -Infinity;
    if (current !== undefined && step.before.replied - start <= togetherMs) current.push(step);
    else rounds.push([step]);
  }
  return rounds.filter(({ length }) => length >= fewest.requests);
}

/** Returns the retries at the same moment, or after the same pause, if they are most of a round; none otherwise. */
function togetherIn(round: Round): Round {
  const windowMs = Math.min(equal.ms, equal.share * shortestOf(round));
  const atOnce = mostWithin(round, arrivalOf, windowMs, equal.most);
  return atOnce.length > 0 ? atOnce : mostWithin(round, pauseOf, windowMs, equal.most);
}

function areClose(round: Round): boolean {
  const windowMs = close.share * shortestOf(round);
  const isWithin = (valueOf: Measure): boolean => mostWithin(round, valueOf, windowMs, close.most).length > 0;
  return isWithin(arrivalOf) || isWithin(pauseOf);
}

function shortestOf(round: Round): number {
  return least(round.map(pauseOf));
}

/** Returns the steps whose values lie within a window, if they are this share of all; none otherwise. */
function mostWithin(round: Round, valueOf: Measure, windowMs: number, share: number): Round {
  const sorted = round.toSorted((one, other) => valueOf(one) - valueOf(other));
  const count = Math.max(fewest.requests, Math.ceil(share * round.length));
  for (let start = 0; start + count <= sorted.length; start += 1) {
    const [first, last] = [sorted[start], sorted[start + count - 1]];
    if (first === undefined || last === undefined || valueOf(last) - valueOf(first) > windowMs) continue;
    return sorted.slice(start).filter((step) => valueOf(step) - valueOf(first) <= windowMs);
  }
  return [];
}

/** Whether a call of the client succeeded between the failures and the retries. */
function isReleased(round: Round, succeeded: readonly Attempt[]): boolean {
  const failed = greatest(round.map(({ before }) => before.replied));
  const retried = least(round.map(({ next }) => next.received));
  const client = round[0]?.before.client;
  const retries = new Set(round.map(({ next }) => next));
  return succeeded.some(
    (attempt) =>
      attempt.client === client &&
      attempt.received >= failed &&
      attempt.replied <= retried &&
      !retries.has(attempt),
  );
}

/** Returns the time between the first and the last retry, in milliseconds. */
function spread(round: Round): number {
  const times = round.map(({ next }) => next.received);
  return greatest(times) - least(times);
}

function breachOf(round: Round): readonly Breach[] {
  const [first, ...more]: readonly Attempt[] = round.map(({ next }) => next);
  if (first === undefined) return [];
  const message = `The client retried ${round.length} requests within ${seconds(spread(round))} of each other.`;
  return [{ message, calls: [first, ...more] }];
}
