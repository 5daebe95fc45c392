import { isWithheld, mayPass, type Attempt } from './attempt.ts';
import { stepsOf, type Calls, type Series, type Step } from './calls.ts';

/** Whether a call failed temporarily without saying when to retry. */
export function isOpenFailure(attempt: Attempt): boolean {
  return mayPass(attempt) && attempt.toWait === null;
}

/**
 * Returns the retries that follow an open failure of their request directly, in runs without a gap. A run also ends
 * where `isEnd` says so.
 */
export function openRuns(
  { series, isScheduled }: Calls,
  isEnd: (step: Step) => boolean = () => false,
): readonly (readonly Step[])[] {
  return series.flatMap((tries) => runsIn(tries, (step) => isScheduled(step) || isEnd(step)));
}

function runsIn(tries: Series, isEnd: (step: Step) => boolean): readonly (readonly Step[])[] {
  const runs: Step[][] = [[]];
  // A client may retry elements by its own rules, with new tries of the call for each of them.
  const others = tries.findIndex((attempt) => !areElements(attempt));
  for (const [place, step] of stepsOf(tries).entries()) {
    // After a timeout of the client, the wait for the response cannot be told apart from the pause.
    const isRetry =
      isOpenFailure(step.before) &&
      step.before.ending !== 'gone' &&
      !isWithheld(step.before) &&
      (!areElements(step.before) || others === -1 || place < others);
    if (place === others) runs.push([]);
    if (isRetry && !isEnd(step)) runs.at(-1)?.push(step);
    else runs.push([]);
  }
  return runs.filter((steps) => steps.length > 0);
}

function areElements({ ending }: Attempt): boolean {
  return ending === 'faulty-elements';
}
