import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Attempt } from '../attempt.ts';
import { waited, type Calls } from '../calls.ts';
import { judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';

/** A whole batch of reads that is sent again later may be a refresh of the data. */
const retryMs = 2000;

/** A write that can be repeated safely, and comes again after this time, may be the next run of a job. */
const nextRunMs = 30_000;

export const batches: Check = {
  check: 'batches',
  title: 'Retries only the failed elements of a batch',
  rule:
    'If only some elements of a batch fail, the client must not send the successful ones again together with failed ones. For reads, the check applies only ' +
    `to the whole batch, sent again within ${retryMs / 1000} s after an element failed temporarily, and not at the interval at which the client sends it anyway: otherwise, it may be a refresh. ` +
    `Writes that are safe to repeat, such as updates, count within ${nextRunMs / 1000} s, and not at their usual interval: later, they may be the next run of a job. ` +
    'It examines the next call of the operation that has elements of the batch. Match outputs to elements by index. Failed elements that the client does not send again are not judged: it may have read their errors, or not.',
  basis:
    'The specification, Common conventions 4: each element has its own output. Good practice: the successful ones need no retry.',
  strength: 'should',
  occasion: 'partially failed batches',
  exercise: 'lp-sandbox exec --scenario partial-batches -- CMD',
  *examine({ byOperation, isUsual }): SlicedWork<Examination> {
    const breaches: Breach[] = [];
    let occasions = 0;
    let unread = 0;
    for (const own of byOperation) {
      const partial = own.filter(isPartial);
      const followUps = yield* FollowUps.prepare(partial, own);
      for (const batch of partial) {
        yield;
        occasions += 1;
        const next = followUps.next(batch);
        if (next !== undefined) breaches.push(...breachOf(batch, next, isUsual));
        if (followUps.next(batch, split(batch).failed) === undefined) unread += 1;
      }
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
  const outputs = attempt.outputs() ?? [];
  const keys = [...attempt.keys];
  return {
    well: new Set(keys.filter((_, index) => outputs[index]?.status === 'ok')),
    failed: new Set(keys.filter((_, index) => outputs[index]?.status !== 'ok')),
  };
}

function isPartial(attempt: Attempt): boolean {
  if (attempt.ending !== 'element-error' || attempt.outputs() === null) return false;
  const { well, failed } = split(attempt);
  return well.size > 0 && failed.size > 0;
}

function breachOf(batch: Attempt, next: Attempt, isUsual: Calls['isUsual']): readonly Breach[] {
  const { well, failed } = split(batch);
  const again = [...new Set(next.keys)];
  const needless = again.filter((key) => well.has(key) && !failed.has(key)).length;
  const retried = again.filter((key) => failed.has(key)).length;
  if (needless === 0 || retried === 0) return [];
  if ((!isWrite(batch) || isSafeWrite(batch)) && isUsual(batch, next)) return [];
  if (!isWrite(batch) && (next.request !== batch.request || !isHurried(batch, next))) return [];
  if (isSafeWrite(batch) && waited(batch, next) >= nextRunMs) return [];
  const message = `${failed.size} of ${batch.keys.length} elements failed, and the client sent ${needless} successful ones again.`;
  return [{ message, calls: [batch, next] }];
}

function isSafeWrite({ entry: { operation } }: Attempt): boolean {
  return (
    isOperationName(operation) && operationFacts[operation].writes && operationFacts[operation].safeToRepeat
  );
}

function isWrite({ entry: { operation } }: Attempt): boolean {
  return isOperationName(operation) && operationFacts[operation].writes;
}

/** Whether the client retried a batch at once because of an element that failed temporarily. */
function isHurried(batch: Attempt, next: Attempt): boolean {
  const isTemporary = batch.entry.failures.some(({ kind }) => kind === 'injected');
  return isTemporary && waited(batch, next) < retryMs;
}
