import { met } from '../attempt.ts';
import { stepsOf, type Series, type Step } from '../calls.ts';
import { seconds, type Check } from '../check.ts';
import { isHasty, isOpenFailure } from './hammering.ts';

/** By how much the last pause of a series must be longer than its first, over all series. */
const growth = 1.2;

export const backoff: Check = {
  check: 'backoff',
  title: 'Waits longer with every try',
  rule:
    'Where the same request fails twice and more in a way that may pass, without Retry-After, the pauses before the tries grow: over all such series together the last ' +
    `pauses are at least ${growth} times as long as the first. Pauses count in real time or on the sandbox's clock, whichever is longer. Tries at once are left to ` +
    'the check hammering. With pauses drawn at random one series can look flat by chance: rehearse several.',
  occasion: 'requests sent again twice and more after such failures, with pauses',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  examine: ({ series }) => {
    const runs = series.flatMap(pausedRuns);
    const total = (place: number): number => runs.reduce((sum, steps) => sum + (steps.at(place)?.pause ?? 0), 0);
    const grows = total(-1) >= growth * total(0);
    const flat = grows ? [] : runs.filter((steps) => (steps.at(-1)?.pause ?? 0) < growth * (steps[0]?.pause ?? 0));
    const breaches = flat.flatMap((steps) => {
      const [first] = steps;
      if (first === undefined) return [];
      const message = `Its pauses did not grow: ${steps.map(({ pause }) => seconds(pause)).join(', ')}.`;
      return [{ message, calls: [first.before, ...steps.map(({ next }) => next)] as const }];
    });
    return { occasions: runs.length, breaches };
  },
};

/** The runs of two and more pauses after failures of which the client knew at once. */
function pausedRuns(tries: Series): readonly (readonly Step[])[] {
  const runs: Step[][] = [[]];
  for (const step of stepsOf(tries)) {
    // How long a client waited for a reply that never came cannot be told from how long it waited after it.
    if (isOpenFailure(step.before) && !met(step.before, 'timeout')) runs.at(-1)?.push(step);
    else runs.push([]);
  }
  return runs.filter((steps) => steps.length >= 2 && !steps.every(isHasty));
}
