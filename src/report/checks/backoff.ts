import { met } from '../attempt.ts';
import { stepsOf, type Series, type Step } from '../calls.ts';
import { seconds, type Check } from '../check.ts';
import { isHasty, isOpenFailure } from './hammering.ts';

/** Minimum ratio of the last pauses to the first pauses, over all series. */
const growth = 1.2;

export const backoff: Check = {
  check: 'backoff',
  title: 'Waits longer before each retry',
  rule:
    'If a request fails temporarily two or more times without Retry-After, the pauses before its retries must grow: in all such series together, the last ' +
    `pauses must be at least ${growth} times as long as the first. The check measures pauses in real time or on the sandbox's clock, whichever is longer. It ignores immediate retries, which ` +
    'the check hammering covers. If your client adds jitter, one series may not show growth. Run several.',
  occasion: 'requests with two or more retries after pauses',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  examine: ({ series }) => {
    const runs = series.flatMap(pausedRuns);
    const total = (place: number): number =>
      runs.reduce((sum, steps) => sum + (steps.at(place)?.pause ?? 0), 0);
    const grows = total(-1) >= growth * total(0);
    const flat = grows
      ? []
      : runs.filter((steps) => (steps.at(-1)?.pause ?? 0) < growth * (steps[0]?.pause ?? 0));
    const breaches = flat.flatMap((steps) => {
      const [first] = steps;
      if (first === undefined) return [];
      const message = `The pauses did not grow: ${steps.map(({ pause }) => seconds(pause)).join(', ')}.`;
      return [{ message, calls: [first.before, ...steps.map(({ next }) => next)] as const }];
    });
    return { occasions: runs.length, breaches };
  },
};

/** Returns the runs of two or more pauses after failures that the client noticed immediately. */
function pausedRuns(tries: Series): readonly (readonly Step[])[] {
  const runs: Step[][] = [[]];
  for (const step of stepsOf(tries)) {
    // After a timeout, the wait for the response cannot be told apart from the pause.
    if (isOpenFailure(step.before) && !met(step.before, 'timeout')) runs.at(-1)?.push(step);
    else runs.push([]);
  }
  return runs.filter((steps) => steps.length >= 2 && !steps.every(isHasty));
}
