import { greatest, least } from '../base/extremes.ts';
import type { Step } from './calls.ts';

/**
 * How rounds of tries are recognized: by the number of tries in each, and by a pause between rounds that has at least
 * this length and is this many times as long as any pause within a round.
 */
export const rounds = { leastTries: 2, mostTries: 10, pauseMs: 1000, longer: 1.25 };

/** Divides tries with regular longer pauses into their rounds: the next round may be the next use of the record. */
export function roundsIn(steps: readonly Step[]): readonly (readonly Step[])[] {
  const tries = triesInRound(steps.map(({ pause }) => pause));
  if (tries === null) return [steps];
  const starts = steps.flatMap((_, index) => (index % tries === 0 ? [index] : []));
  return starts.map((start) => steps.slice(start, start + tries - 1));
}

/** Returns after how many tries the client pauses longer each time; null if it does not, or only once. */
function triesInRound(pauses: readonly number[]): number | null {
  for (let tries = rounds.leastTries; tries <= rounds.mostTries; tries += 1) {
    if (pauses.length < 2 * tries - 1) return null;
    const isLast = (_: number, index: number): boolean => (index + 1) % tries === 0;
    const ends = pauses.filter(isLast);
    const others = pauses.filter((pause, index) => !isLast(pause, index));
    if (least(ends) >= Math.max(rounds.pauseMs, rounds.longer * greatest(others))) return tries;
  }
  return null;
}
