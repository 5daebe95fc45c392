import { groupBy } from '../../base/group-by.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Attempt } from '../attempt.ts';
import { waited, type Calls } from '../calls.ts';
import { judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';
import { ofProgram, programRule } from '../human-pauses.ts';
import { certainlyInformed, Knowledge } from '../knowledge.ts';

/** Elements of a batch that are sent again within this time in other batches may be its retries. */
const retryMs = 2000;

/** After this time, it certainly may be the next run of a job. */
const nextRunMs = 30_000;

export const batches: Check = {
  check: 'batches',
  title: 'Retries only the failed elements of a batch',
  rule: 'If only some elements of a batch fail, the client must not send the successful ones again together with failed ones.',
  details: [
    'The check examines the next call of the operation that has elements of the batch. It matches outputs to elements by index.',
    'For reads, the check applies only if the client sends the whole batch again after an element failed temporarily.',
    `Reads, and writes that are safe to repeat, such as updates, do not count if the client sends them again at their usual interval, or after ${nextRunMs / 1000} s.`,
  ],
  exceptions: [
    `Reads, and writes that are safe to repeat, that a person may have sent again. The check attributes pauses to a program if ${programRule}.`,
    'Reads, and writes that are safe to repeat, that the client sends many times at equal intervals.',
    'Failed elements that the client does not send again. The journal does not show whether the client read their errors.',
    'Repeated reads and safe writes, unless the client certainly had the response before it sent them again. They may be copies of a slow read, or follow a lost response. The client certainly had the response if it used the connection again (see retry-after). If a copy of the batch failed as a whole, the client may have used that response.',
    'Batches whose successful elements the client soon sends again in other batches or alone, as it does the failed ones.',
  ],
  basis:
    'The specification, Common conventions 4: each element has its own output. Good practice: successful elements need no retry.',
  strength: 'should',
  occasion: 'partially failed batches',
  // The label makes all calls one scope: without one, a few whole batches may come from several tests.
  exercise:
    "lp-sandbox exec --scenario partial-batches -- sh -c 'SANDBOX_API_KEY=${SANDBOX_API_KEY}_run CMD'",
  ofFailures: true,
  *examine({ attempts, byOperation, isUsual, isRegular }): SlicedWork<Examination> {
    const breaches: Repeat[] = [];
    const repeats: Followed[] = [];
    const again: Repeat[] = [];
    let occasions = 0;
    let unread = 0;
    let late = 0;
    let regrouped = 0;
    for (const own of byOperation) {
      const partial: Attempt[] = [];
      for (const attempt of own) {
        // This reads its outputs.
        if (isPartial(attempt)) partial.push(attempt);
        yield;
      }
      const followUps = yield* FollowUps.prepare(partial, own);
      for (const batch of partial) {
        yield;
        occasions += 1;
        const next = followUps.next(batch);
        const breach = next === undefined ? null : breachOf(batch, next);
        if (next !== undefined) repeats.push({ asked: batch, next, breach });
        if (breach !== null && !mayBeNextRun(breach, isUsual)) {
          if (isRegular(batch)) late += 1;
          else if (isSafe(batch)) again.push(breach);
          else breaches.push(breach);
        } else if (breach === null && isRegrouped(batch, followUps)) {
          regrouped += 1;
        }
        if (followUps.next(batch, split(batch).failed) === undefined) unread += 1;
      }
    }
    const known = withResponse(again, repeats, new Knowledge(attempts));
    const byClient = groupBy(known, ({ calls: [batch] }) => batch.client);
    const certain = [...byClient.values()].flatMap((own) => ofProgram(own, pauseOf));
    breaches.push(...certain);
    late += known.length - certain.length;
    if (late > 0) {
      const notJudged = `The client sent ${late} ${late === 1 ? 'batch' : 'batches'} with all elements again, at equal intervals, or after pauses that do not prove a program. Its user may have requested the work once more.`;
      return { notJudged, ...judgedRepeats(occasions, breaches) };
    }
    if (known.length < again.length) {
      const uncertain = again.length - known.length;
      const notJudged = `The client may have sent ${uncertain} ${uncertain === 1 ? 'batch' : 'batches'} again before it had the response, or because the response was lost.`;
      return { notJudged, ...judgedRepeats(occasions, breaches) };
    }
    if (regrouped > 0) {
      const notJudged = `The client sent successful elements of ${regrouped} ${regrouped === 1 ? 'batch' : 'batches'} again in other batches, or alone, as it did the failed ones. It may have needed them once more.`;
      return { notJudged, ...judgedRepeats(occasions, breaches) };
    }
    if (unread === 0) return judgedRepeats(occasions, breaches);
    const notJudged = `The client did not send the failed elements of ${unread} ${unread === 1 ? 'batch' : 'batches'} again. The journal does not show whether it read their errors.`;
    return { notJudged, ...judgedRepeats(occasions, breaches) };
  },
};

/** The elements of a batch by their outputs. A missing output counts as failed. */
function split(attempt: Attempt): {
  readonly well: ReadonlySet<number>;
  readonly failed: ReadonlySet<number>;
} {
  const outputs = attempt.outputs ?? [];
  const keys = [...attempt.keys];
  return {
    well: new Set(keys.filter((_, index) => outputs[index] === 'ok')),
    failed: new Set(keys.filter((_, index) => outputs[index] !== 'ok')),
  };
}

function isPartial(attempt: Attempt): boolean {
  if (attempt.ending !== 'element-error' || attempt.outputs === null) return false;
  const { well, failed } = split(attempt);
  return well.size > 0 && failed.size > 0;
}

/** A partly failed batch, the next call with one of its elements, and how that breaks the rule. */
interface Followed {
  readonly asked: Attempt;
  readonly next: Attempt;
  readonly breach: Repeat | null;
}

/** Returns the repeats that a client sent although it certainly had the response. */
function withResponse(
  again: readonly Repeat[],
  repeats: readonly Followed[],
  knowledge: Knowledge,
): readonly Repeat[] {
  const breaches: ReadonlySet<Repeat | null> = new Set(again);
  const wrong = new Set(repeats.filter(({ breach }) => breaches.has(breach)));
  const informed = certainlyInformed(repeats, wrong);
  return again.filter(
    ({ calls: [batch, next] }) =>
      informed.has(batch.client) ||
      (knowledge.isProven(batch, next) &&
        !knowledge.copiesOf(batch).some((copy) => copy.number < next.number && mayHaveFailed(copy, next))),
  );
}

/** Whether the response to a copy of a batch is a reason to send the whole batch. */
function mayHaveFailed(copy: Attempt, next: Attempt): boolean {
  return copy.ending !== 'ok' && breachOf(copy, next) === null;
}

type Repeat = Breach & { readonly calls: readonly [batch: Attempt, next: Attempt] };

/** Returns the repeat of successful elements together with failed ones; null if the next call is something else. */
function breachOf(batch: Attempt, next: Attempt): Repeat | null {
  const { well, failed } = split(batch);
  const again = [...new Set(next.keys)];
  const needless = again.filter((key) => well.has(key) && !failed.has(key)).length;
  const retried = again.filter((key) => failed.has(key)).length;
  if (needless === 0 || retried === 0) return null;
  // Reads of some elements may be another page of the client.
  if (!isWrite(batch) && (next.request !== batch.request || !failedTemporarily(batch))) return null;
  const message = `${failed.size} of ${batch.keys.length} elements failed, and the client sent ${needless} successful ones again.`;
  return { message, calls: [batch, next] };
}

/** Whether a client sent successful elements of a batch again soon, as well as failed ones, but otherwise grouped. */
function isRegrouped(batch: Attempt, followUps: FollowUps): boolean {
  const isSoon = (later: Attempt): boolean => waited(batch, later) < retryMs;
  const { well, failed } = split(batch);
  return (
    (isWrite(batch) || failedTemporarily(batch)) &&
    followUps.next(batch, failed, isSoon) !== undefined &&
    followUps.next(batch, well, isSoon) !== undefined
  );
}

/** Whether a batch that can be repeated safely came at its usual time, or much later. */
function mayBeNextRun({ calls: [batch, next] }: Repeat, isUsual: Calls['isUsual']): boolean {
  if (!isSafe(batch)) return false;
  return isUsual(batch, next) || waited(batch, next) >= nextRunMs;
}

function pauseOf({ calls: [batch, next] }: Repeat): number {
  return waited(batch, next);
}

function isSafe(batch: Attempt): boolean {
  return !isWrite(batch) || isSafeWrite(batch);
}

function isSafeWrite({ entry: { operation } }: Attempt): boolean {
  return (
    isOperationName(operation) && operationFacts[operation].writes && operationFacts[operation].safeToRepeat
  );
}

function isWrite({ entry: { operation } }: Attempt): boolean {
  return isOperationName(operation) && operationFacts[operation].writes;
}

function failedTemporarily({ entry: { failures } }: Attempt): boolean {
  return failures.some(({ kind }) => kind === 'injected');
}
