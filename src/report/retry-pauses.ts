import { mayPass, met, type Attempt } from './attempt.ts';
import { stepsOf, type Series, type Step } from './calls.ts';

/** Whether a call failed temporarily without saying when to retry. */
export function isOpenFailure(attempt: Attempt): boolean {
  return mayPass(attempt) && attempt.toWait === null;
}

/** Returns the retries of a request that follow an open failure directly, in runs without a gap. */
export function openRuns(tries: Series): readonly (readonly Step[])[] {
  const runs: Step[][] = [[]];
  for (const step of stepsOf(tries)) {
    // After a timeout of the client, the wait for the response cannot be told apart from the pause.
    if (isOpenFailure(step.before) && step.before.ending !== 'gone' && !met(step.before, 'timeout'))
      runs.at(-1)?.push(step);
    else runs.push([]);
  }
  return runs.filter((steps) => steps.length > 0);
}
