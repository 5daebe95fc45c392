import { greatest } from '../base/extremes.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { isOperationName } from '../contract/operation-types.ts';
import { connectionOf, type Attempt } from './attempt.ts';
import type { Calls, Step } from './calls.ts';
import type { Examination } from './check.ts';
import { copiesMs, Knowledge, mostCopies } from './knowledge.ts';
import { areOpenTogether, shortMs } from './one-caller.ts';
import { openRuns } from './retry-pauses.ts';

type Run = readonly Step[];

/** An exception of all checks that judge pauses. */
export const ofCopies = `Copies of a slow read that the client may have sent before it had a response: at most ${mostCopies}, within ${copiesMs / 1000} s, each on a separate connection that is open at the same time as the others, with longer pauses before the first and after the last. If the server cut the connection, copies within ${shortMs} ms are also exempt.`;

/** A client pauses for at least this many times as long before it sends the next copies, and does not try again at once. */
const longer = 1.5;

type RunsOf = typeof openRuns;

/**
 * Judges the retries of clients without the calls that may be copies of slow reads. If only these make a difference,
 * the result is not judged.
 */
export function* judgedWithoutCopies(
  calls: Calls,
  judge: (runsOf: RunsOf) => SlicedWork<Examination>,
): SlicedWork<Examination> {
  const copies = copiesIn(calls);
  if (copies.size === 0) return yield* judge(openRuns);
  const certain = yield* judge((...about) => withoutCopies(openRuns(...about), copies));
  const { breaches, notJudged } = yield* judge(openRuns);
  return breaches.length > 0 || notJudged !== undefined ? { notJudged: mayBeCopies, ...certain } : certain;
}

const mayBeCopies =
  'Requests were sent again on other connections, and it is not certain that the client had a response by then. They may be copies of slow reads.';

function withoutCopies(runs: readonly Run[], copies: ReadonlySet<Attempt>): readonly Run[] {
  return runs.map((run) => run.filter(({ next }) => !copies.has(next))).filter(({ length }) => length > 0);
}

function copiesIn(calls: Calls): ReadonlySet<Attempt> {
  const knowledge = new Knowledge(calls.attempts);
  return new Set(openRuns(calls).flatMap((run) => copiesInRun(run, knowledge)));
}

/** Returns the calls of a run that may be copies of the one before, or of a copy of it. */
function copiesInRun(run: Run, knowledge: Knowledge): readonly Attempt[] {
  const found: Attempt[] = [];
  let copies: Step[] = [];
  let used = new Set<string>();
  let start: Step | undefined;
  for (const step of run) {
    if (copies.length === 0) used = new Set([connectionOf(step.before)]);
    const connection = connectionOf(step.next);
    if (!used.has(connection) && mayBeCopy(step, knowledge)) {
      used.add(connection);
      copies.push(step);
      continue;
    }
    if (areCopies(copies, [start, step])) found.push(...copies.map(({ next }) => next));
    [copies, start] = [[], step];
  }
  if (areCopies(copies, [start])) found.push(...copies.map(({ next }) => next));
  return found;
}

/**
 * Whether these are no more than a client sends of one read, with longer pauses before and after them. A client that
 * goes on to send the request does not send copies.
 */
function areCopies(copies: Run, around: readonly (Step | undefined)[]): boolean {
  const [first, last] = [copies[0]?.before, copies.at(-1)?.next];
  if (first === undefined || last === undefined) return false;
  const longest = greatest(copies.map(({ pause }) => pause));
  return (
    copies.length < mostCopies &&
    last.received - first.received <= copiesMs &&
    around.every((step) => step === undefined || step.pause > Math.max(shortMs, longer * longest))
  );
}

/** Whether the client may have sent the next call without a response to the one before. */
function mayBeCopy(step: Step, knowledge: Knowledge): boolean {
  const { before, next, pause } = step;
  if (!isRead(before) || knowledge.isProven(before, next)) return false;
  // The client learns later than the server that its connection is cut.
  return areOpenTogether(step) || (before.ending === 'lost' && pause <= shortMs);
}

function isRead({ entry: { operation } }: Attempt): boolean {
  return isOperationName(operation) && !operationFacts[operation].writes;
}
