import { openRuns } from '../retry-pauses.ts';
import type { Step } from '../calls.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/** Two pauses that differ by at most this share, or by as many milliseconds, are equal. */
const equalShare = 0.05;
const equalMs = 5;

/** Equal pairs accuse if all of so many are equal, or almost all of more. */
const fewestPairs = 5;
const manyPairs = 10;
const almostAll = 0.8;

/**
 * The probability that the last pause of a request is less than 1.1 times as long as its first, if they are
 * drawn from 0 to 1 and from 0 to 2 units (full jitter). With other kinds of jitter it is lower.
 */
const chance = 0.275;
const growth = 1.1;

/** The most that the check may accuse of the clients whose pauses grow on average. */
const mostWrong = 1e-4;

/** A run with only shorter pauses has none; hammering judges it. */
const pauseMs = 20;

export const backoff: Check = {
  check: 'backoff',
  title: 'Waits longer before each retry',
  rule:
    'If a request fails temporarily several times without Retry-After, the pauses before its retries must grow. The check fails if the first pauses of the requests are ' +
    `equal (within ${equalShare * 100} percent) in at least ${fewestPairs} pairs, or if so many requests have a last pause that is not ${growth} times as long as the first that this happens to fewer than 1 in 10,000 ` +
    "clients whose pauses grow, but are drawn at random. It measures pauses in real time or on the sandbox's clock, whichever is longer.",
  basis:
    'Good practice: RFC 9110, section 10.2.3, lets the server say how long to wait. If it does not, growing pauses let a failing service recover.',
  strength: 'should',
  occasion: 'requests with two or more retries after pauses',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  examine: ({ series }) => {
    const runs = series
      .flatMap(openRuns)
      .filter((steps) => steps.length >= 2 && steps.some(({ pause }) => pause >= pauseMs));
    const pairs = runs.flatMap(firstPairs);
    const equal = pairs.filter(areEqual).length;
    const areAllEqual =
      (pairs.length >= fewestPairs && equal === pairs.length) ||
      (pairs.length >= manyPairs && equal >= almostAll * pairs.length);
    const flat = runs.filter((steps) => (steps.at(-1)?.pause ?? 0) < growth * (steps[0]?.pause ?? 0));
    if (areAllEqual || tail(runs.length, flat.length) <= mostWrong)
      return { occasions: runs.length, breaches: (areAllEqual ? runs : flat).flatMap(breachIn) };
    const isEnough = pairs.length >= fewestPairs;
    if (isEnough || runs.length === 0) return { occasions: runs.length, breaches: [] };
    const notJudged = `The pauses are too few: ${pairs.length} pairs of pauses; ${fewestPairs} are needed.`;
    return { occasions: runs.length, breaches: [], notJudged };
  },
};

type Pair = readonly [first: number, second: number];

/** Returns the pauses 1 and 2, and 2 and 3 of a request: later ones may have reached their maximum. */
function firstPairs(steps: readonly Step[]): readonly Pair[] {
  const pauses = steps.slice(0, 3).map(({ pause }) => pause);
  return pauses.slice(1).map((pause, index) => [pauses[index] ?? 0, pause]);
}

function areEqual([first, second]: Pair): boolean {
  return Math.abs(second - first) <= Math.max(equalMs, equalShare * first);
}

/** Returns the probability of at least `hits` in `count` independent trials. */
function tail(count: number, hits: number): number {
  if (count === 0) return 1;
  let sum = 0;
  let term = (1 - chance) ** count;
  for (let at = 0; at <= count; at += 1) {
    if (at >= hits) sum += term;
    term *= ((count - at) / (at + 1)) * (chance / (1 - chance));
  }
  return sum;
}

function breachIn(steps: readonly Step[]): readonly Breach[] {
  const [first] = steps;
  if (first === undefined) return [];
  const message = `The pauses did not grow: ${steps.map(({ pause }) => seconds(pause)).join(', ')}.`;
  return [{ message, calls: [first.before, ...steps.map(({ next }) => next)] }];
}
