import { groupBy } from '../base/group-by.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { met, type Attempt } from './attempt.ts';
import { callsOf, type Calls } from './calls.ts';

/** How the calls of the clients can be seen. */
export interface Views {
  /** As most clients see them: a response with a wrong Content-Type is complete, and element errors are no reason to retry. */
  readonly all: Calls;
  /** With the failures that only clients that send the request again take for temporary ones. */
  readonly retried: Calls;
  /** The same, if each response with a wrong Content-Type is such a failure; null if there are no others. */
  readonly mayBeRetried: Calls | null;
}

/** A client that so often stopped at the first response of the right type takes a wrong one for a failure. */
const fewestCorrected = 5;

/** The exception that checks of retries make. */
export const ofWrongType = `Requests that come again after a response with a wrong Content-Type. The client may need the data once more, unless it sent at least ${fewestCorrected} requests again until the type was right, and never after that.`;

/** Returns the views of calls. They are the same if no fault made a difference. */
export function* viewsOf(all: Calls): SlicedWork<Views> {
  const wrong = all.attempts.filter(isOfWrongType);
  const correcting = wrong.length === 0 ? new Set<string>() : correctingClients(all.attempts);
  const isCertain = ({ client }: Attempt): boolean => correcting.has(client);
  const retried = yield* seen(all, (attempt) => isOfWrongType(attempt) && isCertain(attempt));
  const mayBeRetried = wrong.every(isCertain) ? null : yield* seen(all, isOfWrongType);
  return { all, retried, mayBeRetried };
}

function* seen(all: Calls, isWrong: (attempt: Attempt) => boolean): SlicedWork<Calls> {
  let isSame = true;
  const attempts: Attempt[] = [];
  for (const attempt of all.attempts) {
    yield;
    const ending = seenEnding(attempt, isWrong);
    isSame &&= ending === attempt.ending;
    attempts.push(ending === attempt.ending ? attempt : { ...attempt, ending });
  }
  return isSame ? all : yield* callsOf(attempts, all.unmatched);
}

function seenEnding(attempt: Attempt, isWrong: (attempt: Attempt) => boolean): Attempt['ending'] {
  if (isWrong(attempt)) return 'wrong-type';
  return haveAllFailed(attempt) ? 'faulty-elements' : attempt.ending;
}

function isOfWrongType(attempt: Attempt): boolean {
  return attempt.ending === 'ok' && met(attempt, 'wrong-content-type');
}

function isOfRightType(attempt: Attempt): boolean {
  return attempt.ending === 'ok' && !isOfWrongType(attempt);
}

/** The kinds of failures that no sandbox has of itself. */
const injectedKinds: ReadonlySet<string> = new Set(['injected', 'missing-output']);

/** Whether faults let all elements of a call fail. If others succeeded, the client may have needed those. */
function haveAllFailed(attempt: Attempt): boolean {
  const { ending, entry } = attempt;
  if (ending !== 'element-error' || entry.faults.length === 0) return false;
  if (!entry.failures.every(({ kind }) => injectedKinds.has(kind))) return false;
  if (entry.cut.response > 0) return entry.failures.length === entry.outcomes.length;
  return (attempt.outputs() ?? []).every(({ status }) => status !== 'ok');
}

/**
 * Returns the clients that sent requests again until the response had the right type, and never after that. One that
 * accepts any type has no reason to stop there.
 */
function correctingClients(attempts: readonly Attempt[]): ReadonlySet<string> {
  const byClient = groupBy(attempts, ({ client }) => client);
  const correcting = [...byClient].filter(([, own]) => {
    const requests = [...groupBy(own, ({ request }) => request).values()];
    if (requests.some((same) => same.slice(0, -1).some(isOfRightType))) return false;
    const repeated = requests.filter((same) => same.slice(0, -1).some(isOfWrongType));
    return repeated.filter((same) => same.slice(-1).some(isOfRightType)).length >= fewestCorrected;
  });
  return new Set(correcting.map(([client]) => client));
}
