import { groupBy } from '../base/group-by.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { met, type Attempt } from './attempt.ts';
import { callsOf, type Calls } from './calls.ts';

/** How the calls of the clients can be seen. */
export interface Views {
  /** As most clients see them: a response with a wrong Content-Type is complete, and element errors are no reason to retry. */
  readonly all: Calls;
  /** With the failures of the clients that certainly retry such responses. */
  readonly retried: Calls;
  /** The same, if all clients retry them; null if no other client had any. */
  readonly mayBeRetried: Calls | null;
}

/** A client that so often stopped at the first response without an error takes the others for failures. */
const fewestCorrected = 5;

/** The exception that checks of retries make. */
export const ofDoubt = `Requests that the client sent again after a response with a wrong Content-Type, or after one in which faults make all elements fail or omit their outputs. The client may need the data again. The check judges such requests only if the client sent at least ${fewestCorrected} of them again until they succeeded, and sent no request again after it had succeeded.`;

/** Responses that one client treats as a failure that a retry may fix, and another as the final response. */
type Doubt = 'wrong-type' | 'faulty-elements';

/** Returns the views of calls. They are the same if no fault made a difference. */
export function* viewsOf(all: Calls): SlicedWork<Views> {
  const doubts = new Map<Attempt, Doubt>();
  for (const attempt of all.attempts) {
    yield;
    const doubt = doubtOf(attempt);
    if (doubt !== null) doubts.set(attempt, doubt);
  }
  const correcting = correctingClients(all.attempts, doubts);
  const certain = new Map([...doubts].filter(([{ client }, doubt]) => correcting[doubt].has(client)));
  const retried = yield* seen(all, certain);
  const mayBeRetried = certain.size === doubts.size ? null : yield* seen(all, doubts);
  return { all, retried, mayBeRetried };
}

function* seen(all: Calls, failures: ReadonlyMap<Attempt, Doubt>): SlicedWork<Calls> {
  if (failures.size === 0) return all;
  const attempts = all.attempts.map((attempt) => {
    const ending = failures.get(attempt);
    return ending === undefined ? attempt : { ...attempt, ending };
  });
  return yield* callsOf(attempts, all);
}

function doubtOf(attempt: Attempt): Doubt | null {
  if (attempt.ending === 'ok' && met(attempt, 'wrong-content-type')) return 'wrong-type';
  return haveAllFailed(attempt) ? 'faulty-elements' : null;
}

/** The kinds of failures that no sandbox has of itself. */
const injectedKinds: ReadonlySet<string> = new Set(['injected', 'missing-output']);

/** Whether faults make all elements of a call fail. If others succeeded, the client may have needed those. */
function haveAllFailed(attempt: Attempt): boolean {
  const { ending, entry } = attempt;
  if (ending !== 'element-error' || entry.faults.length === 0) return false;
  if (!entry.failures.every(({ kind }) => injectedKinds.has(kind))) return false;
  if (entry.cut.response > 0) return entry.failures.length === entry.outcomes.length;
  return !(attempt.outputs ?? []).includes('ok');
}

/**
 * Returns the clients that sent requests again until they succeeded, and never after that. One for which the first
 * response is final has no reason to stop there.
 */
function correctingClients(
  attempts: readonly Attempt[],
  doubts: ReadonlyMap<Attempt, Doubt>,
): Readonly<Record<Doubt, ReadonlySet<string>>> {
  const found = { 'wrong-type': new Set<string>(), 'faulty-elements': new Set<string>() };
  if (doubts.size === 0) return found;
  const isRight = (attempt: Attempt): boolean => attempt.ending === 'ok' && !doubts.has(attempt);
  for (const [client, own] of groupBy(attempts, (attempt) => attempt.client)) {
    const requests = [...groupBy(own, ({ request }) => request).values()];
    if (requests.some((same) => same.slice(0, -1).some(isRight))) continue;
    const corrected = requests.filter((same) => same.slice(-1).some(isRight));
    for (const doubt of ['wrong-type', 'faulty-elements'] as const) {
      const repeated = corrected.filter((same) => same.some((attempt) => doubts.get(attempt) === doubt));
      if (repeated.length >= fewestCorrected) found[doubt].add(client);
    }
  }
  return found;
}
