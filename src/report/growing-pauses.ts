import { greatest, least } from '../base/extremes.ts';
import { operationNames } from '../contract/operation-types.ts';
import { tail } from './binomial.ts';
import type { Step } from './calls.ts';

/** The retries of one request, directly after each other. */
export type Run = readonly Step[];

/** Two pauses that differ by at most this share, or by as many milliseconds, are equal. */
export const equalShare = 0.12;
const equalMs = 5;

/**
 * How much it takes to say that pauses do not grow: all of these pairs are equal, and so few clients may be accused by
 * chance.
 */
export interface Certainty {
  readonly pairs: number;
  readonly mostWrong: number;
}

/** The maximum share of the clients with growing pauses that the check may fail by chance. */
const mostWrong = 1e-4;

/** For all retries of a client. */
export const ofClient: Certainty = { pairs: 5, mostWrong };

/** For those of one of its operations: there are several that can look so by chance. */
export const ofOperation: Certainty = { pairs: 8, mostWrong: mostWrong / operationNames.length };

/** Almost all of many pairs are enough. */
export const manyPairs = 10;
export const almostAll = 0.8;

/** Pauses shrink in the same way if each pair has the same ratio, within this share. */
const sameRatio = 0.05;

/**
 * The probability that a last pause is less than 1.1 times the first: with full jitter, from 0 to 1 and 0 to 2 units.
 * Other jitter: less.
 */
const chance = 0.275;
export const growth = 1.1;

/**
 * The average growth that pauses must show, and the number of standard errors by which it must exceed 0 to be sure.
 * They hardly grow if the average is below it, even with the other number of standard errors added.
 */
const grown = 1.3;
const errors = { toPass: 1.65, toDoubt: 3 };
const fewestForAverage = 8;

/**
 * If a client retries a request this often in a row, and never waits longer, its pauses stop growing too early. With
 * pauses from 0 to 200 ms, 400 ms and so on, up to 1 s, this happens to fewer requests than the share.
 */
export const low = { retries: 8, ms: 400, requests: 3, share: 0.01 };

/** Whether the first pauses are equal, or all shrink by the same ratio. */
export function areAllEqual(runs: readonly Run[], { pairs: fewest }: Certainty): boolean {
  const pairs = runs.flatMap(firstPairs);
  const equal = pairs.filter(areEqual).length;
  return (
    (pairs.length >= fewest && (equal === pairs.length || shrinkAlike(pairs))) ||
    (pairs.length >= manyPairs && equal >= almostAll * pairs.length)
  );
}

/** Whether too many runs are flat for an accident. */
export function isUnlikely(runs: readonly Run[], { mostWrong: most }: Certainty): boolean {
  return tail(runs.length, runs.filter(isFlat).length, chance) <= most;
}

/** Whether enough requests show that the pauses stop growing before they let a failing service recover. */
export function areTooLow(runs: readonly Run[], { mostWrong: most }: Certainty): boolean {
  const often = runs.filter(({ length }) => length >= low.retries).length;
  const hurried = runs.filter(isTooLow).length;
  return hurried >= low.requests && tail(often, hurried, low.share) <= most;
}

/** Whether a request was retried often, and none of the pauses was long. */
export function isTooLow(steps: Run): boolean {
  return steps.length >= low.retries && steps.every(({ pause }) => pause <= low.ms);
}

/** Two equal pauses may be the beginning of growing ones, as in the Fibonacci numbers. */
export function isFlat(steps: Run): boolean {
  const limit = steps.length > 2 ? growth : 1 - equalShare;
  return (steps.at(-1)?.pause ?? 0) < limit * (steps[0]?.pause ?? 0);
}

/** Whether the last pause of a request is longer than its first on average, and not by chance. */
export function isGrowthSure(runs: readonly Run[]): boolean {
  const { average, error } = growthOf(runs);
  return average >= Math.log(grown) && average > errors.toPass * error;
}

/** Whether the pauses hardly grow on average, and not by chance. */
export function isGrowthUnlikely(runs: readonly Run[]): boolean {
  const { average, error } = growthOf(runs);
  return runs.length >= fewestForAverage && average + errors.toDoubt * error < Math.log(grown);
}

/** Returns the logarithm of the factor from the first to the last pause of a request, and its standard error. */
function growthOf(runs: readonly Run[]): { readonly average: number; readonly error: number } {
  const ratios = runs.map((steps) => Math.log(lengthOf(steps.at(-1)) / lengthOf(steps[0])));
  const average = mean(ratios);
  const variance = mean(ratios.map((ratio) => (ratio - average) ** 2));
  return { average, error: Math.sqrt(variance / Math.max(1, ratios.length - 1)) };
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
export function firstPairs(steps: readonly Step[]): readonly Pair[] {
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
