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

/** So many requests that fail and are retried together, so many times, are no coincidence. */
const fewest = { requests: 8, rounds: 2 };

export const jitter: Check = {
  check: 'jitter',
  title: 'Spreads the retries of many requests',
  rule:
    `If ${fewest.requests} or more requests fail within ${togetherMs} ms of each other without Retry-After, the client must not retry all of them at the same time, within ${togetherShare * 100} percent of the shortest pause. The check fails if ` +
    `this happens ${fewest.rounds} times, after pauses of at least ${shortestPauseMs} ms, in real time.`,
  basis:
    'Good practice: retries at the same moment are a new burst of load. Pauses that are drawn at random (jitter) spread them.',
  strength: 'should',
  occasion: `times that ${fewest.requests} or more requests failed together and were retried`,
  exercise: 'lp-sandbox exec --scenario outage-then-recovery -- CMD',
  examine: ({ series, isScheduled }) => {
    const steps = series.flatMap(stepsOf).filter((step) => isPaused(step) && !isScheduled(step));
    const rounds = [...groupBy(steps, ({ before }) => before.client).values()].flatMap(roundsOf);
    const together = rounds.filter(areTogether);
    if (together.length >= fewest.rounds)
      return { occasions: rounds.length, breaches: together.flatMap(breachOf) };
    return together.length === 0
      ? { occasions: rounds.length, breaches: [] }
      : { occasions: rounds.length, breaches: [], notJudged: 'It happened only once.' };
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

function areTogether(round: readonly Step[]): boolean {
  const shortest = least(round.map(({ before, next }) => next.received - before.replied));
  return spread(round) <= togetherShare * shortest;
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
