import type { Attempt } from '../attempt.ts';
import { firstAfter } from '../calls.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Breach, Check } from '../check.ts';

export const batches: Check = {
  check: 'batches',
  title: 'Retries only the failed elements of a batch',
  rule:
    'If only some elements of a batch fail, the client must not send the successful ones again. The check examines the next call of the operation that has elements of the batch. Match outputs to elements by index. ' +
    'The check ignores time. It cannot see how a client handles errors that it does not retry.',
  occasion: 'partially failed batches',
  exercise: 'lp-sandbox exec --scenario partial-batches -- CMD',
  *examine({ byOperation }) {
    const partial: (readonly Breach[])[] = [];
    for (const own of byOperation) {
      const batchesInPart: PartialBatch[] = [];
      for (const attempt of own) {
        const parts = partsOf(attempt);
        if (parts !== null) batchesInPart.push(parts);
        yield;
      }
      if (batchesInPart.length > 0) partial.push(...(yield* judge(batchesInPart, own)));
    }
    return { occasions: partial.length, breaches: partial.flat() };
  },
};

/** A partially failed batch: its elements by result. */
interface PartialBatch {
  readonly attempt: Attempt;
  readonly well: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Returns null for calls that are not partially failed batches. */
function partsOf(attempt: Attempt): PartialBatch | null {
  const outputs = attempt.outputs();
  if (attempt.ending !== 'element-error' || outputs === null) return null;
  const elements = textsOf(attempt);
  const well = new Set(elements.filter((_, index) => outputs[index]?.status === 'ok'));
  const failed = new Set(elements.filter((_, index) => outputs[index]?.status !== 'ok'));
  return well.size === 0 ? null : { attempt, well, failed };
}

function textsOf(attempt: Attempt): readonly string[] {
  return attempt.elements().map((element) => JSON.stringify(element) ?? '');
}

/** Returns the breaches of each batch. */
function* judge(
  partial: readonly PartialBatch[],
  own: readonly Attempt[],
): SlicedWork<readonly (readonly Breach[])[]> {
  const callsWith = new Map<string, Attempt[]>(
    partial.flatMap(({ well, failed }) => [...well, ...failed].map((text) => [text, []])),
  );
  for (const attempt of own) {
    for (const text of new Set(textsOf(attempt))) callsWith.get(text)?.push(attempt);
    yield;
  }
  const judged: (readonly Breach[])[] = [];
  for (const batch of partial) {
    judged.push(breachOf(batch, callsWith));
    yield;
  }
  return judged;
}

function breachOf(
  { attempt, well, failed }: PartialBatch,
  callsWith: ReadonlyMap<string, readonly Attempt[]>,
): readonly Breach[] {
  const nextCalls = [...well, ...failed].flatMap(
    (text) => firstAfter(attempt, callsWith.get(text) ?? []) ?? [],
  );
  const [again] = nextCalls.toSorted((one, other) => one.number - other.number);
  if (again === undefined) return [];
  const needless = textsOf(again).filter((text) => well.has(text) && !failed.has(text));
  if (needless.length === 0) return [];
  const message = `${failed.size} of ${attempt.elements().length} elements failed, and the client sent ${needless.length} successful ones again.`;
  return [{ message, calls: [attempt, again] }];
}
