import { greatest, least } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Attempt } from '../attempt.ts';
import { stepsOf, type Step } from '../calls.ts';
import { seconds, type Breach, type Check } from '../check.ts';
import { isOpenFailure } from '../retry-pauses.ts';

/** Requests that failed within this time of each other are together… */
const togetherMs = 100;

/** … and so are their retries, within this share of the shortest pause: weak jitter of 20 percent is wider. */
const togetherShare = 0.05;

/** A busy client needs some time to send its requests, so that shorter pauses show nothing. */
const shortestPauseMs = 500;

/** A few of many requests may be retried at another time. */
const mostly = 0.8;

/** So many requests that fail and are retried together, so many times, are no coincidence. */
const fewest = { requests: 8, rounds: 2 };

export const jitter: Check = {
  check: 'jitter',
  title: 'Spreads the retries of many requests',
  rule:
    `If ${fewest.requests} or more requests fail within ${togetherMs} ms of each other without Retry-After, the client must not retry all or ${mostly * 100} percent of them at the same time, within ${togetherShare * 100} percent of the shortest pause. The check fails if ` +
    `this happens ${fewest.rounds} times, after pauses of at least ${shortestPauseMs} ms, in real time. It is not judged if another call of the client has just succeeded, which a circuit breaker waits for.`,
  basis:
    'Good practice: retries at the same moment are a new burst of load. Pauses that are drawn at random (jitter) spread them.',
  strength: 'should',
  occasion: `times that ${fewest.requests} or more requests failed together and were retried`,
  exercise: 'lp-sandbox exec --scenario outage-then-recovery -- CMD',
  ofFailures: true,
  examine: ({ attempts, series, isScheduled }) => {
    const steps = series.flatMap(stepsOf).filter((step) => isPaused(step) && !isScheduled(step));
    const rounds = [...groupBy(steps, ({ before }) => before.client).values()].flatMap(roundsOf);
    const all = rounds.map(togetherIn).filter(({ length }) => length > 0);
    const succeeded = attempts.filter(({ ending }) => ending === 'ok');
    const together = all.filter((round) => !isReleased(round, succeeded));
    if (together.length >= fewest.rounds)
      return { occasions: rounds.length, breaches: together.flatMap(breachOf) };
    if (all.length === 0) return { occasions: rounds.length, breaches: [] };
    const notJudged =
      together.length === 0
        ? 'Many requests were retried together after another call had succeeded, as a circuit breaker does.'
        : 'It happened only once.';
    return { occasions: rounds.length, breaches: [], notJudged };
  },
};

function isPaused({ before, next }: Step): boolean {
  return (
    isOpenFailure(before) && before.ending !== 'gone' && next.received - before.replied >= shortestPauseMs
  );
}

/** Groups the retries of a client whose failures were together. */
function roundsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
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

/** Returns the retries at the same moment if they are most of a round; none otherwise. */
function togetherIn(round: readonly Step[]): readonly Step[] {
  const shortest = least(round.map(({ before, next }) => next.received - before.replied));
  const sorted = round.toSorted((one, other) => one.next.received - other.next.received);
  const fewestTogether = Math.max(fewest.requests, Math.ceil(mostly * round.length));
  for (let start = 0; start + fewestTogether <= sorted.length; start += 1) {
    const from = sorted[start]?.next.received ?? 0;
    const together = sorted.filter(
      ({ next }) => next.received >= from && next.received - from <= togetherShare * shortest,
    );
    if (together.length >= fewestTogether) return together;
  }
  return [];
}

/** Whether a call of the client succeeded between the failures and the retries. */
function isReleased(round: readonly Step[], succeeded: readonly Attempt[]): boolean {
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
function spread(round: readonly Step[]): number {
  const times = round.map(({ next }) => next.received);
  return greatest(times) - least(times);
}

function breachOf(round: readonly Step[]): readonly Breach[] {
  const [first, ...more]: readonly Attempt[] = round.map(({ next }) => next);
  if (first === undefined) return [];
  const message = `The client retried ${round.length} requests within ${seconds(spread(round))} of each other.`;
  return [{ message, calls: [first, ...more] }];
}
