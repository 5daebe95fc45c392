import type { Attempt } from '../attempt.ts';
import { firstAfter } from '../calls.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Breach, Check } from '../check.ts';

export const batches: Check = {
  check: 'batches',
  title: 'Does again only those elements of a batch that failed',
  rule:
    'Where some elements of a batch failed and others went well, the next call of the operation with elements of it does not have those that went well: outputs are read by their index. Time ' +
    'plays no part. What a client does about an error that it does not send again cannot be seen from here.',
  occasion: 'batches that failed in part',
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
      if (batchesInPart.length > 0) partial.push(...(yield* judging(batchesInPart, own)));
    }
    return { occasions: partial.length, breaches: partial.flat() };
  },
};

/** A batch that failed in part: its elements by how they ended. */
interface PartialBatch {
  readonly attempt: Attempt;
  readonly well: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Null where it is no batch, or did not fail in part. */
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

/** What each batch has to be blamed for, among the calls of its client and operation. */
function* judging(partial: readonly PartialBatch[], own: readonly Attempt[]): SlicedWork<readonly (readonly Breach[])[]> {
  const callsWith = new Map<string, Attempt[]>(partial.flatMap(({ well, failed }) => [...well, ...failed].map((text) => [text, []])));
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

function breachOf({ attempt, well, failed }: PartialBatch, callsWith: ReadonlyMap<string, readonly Attempt[]>): readonly Breach[] {
  const nextCalls = [...well, ...failed].flatMap((text) => firstAfter(attempt, callsWith.get(text) ?? []) ?? []);
  const [again] = nextCalls.toSorted((one, other) => one.number - other.number);
  if (again === undefined) return [];
  const needless = textsOf(again).filter((text) => well.has(text) && !failed.has(text));
  if (needless.length === 0) return [];
  const message = `${failed.size} of ${attempt.elements().length} elements failed, and it sent ${needless.length} again that had gone well.`;
  return [{ message, calls: [attempt, again] }];
}
