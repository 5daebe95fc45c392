import { isDeepStrictEqual } from 'node:util';
import type { Attempt } from '../attempt.ts';
import type { Breach, Check } from '../check.ts';

export const batches: Check = {
  check: 'batches',
  title: 'Does again only those elements of a batch that failed',
  rule:
    'Where some elements of a batch failed and others went well, the next call of the operation with elements of it does not have those that went well: outputs are read by their index. Time ' +
    'plays no part. What a client does about an error that it does not send again cannot be seen from here.',
  occasion: 'batches that failed in part',
  exercise: 'lp-sandbox exec --scenario partial-batches -- CMD',
  examine: ({ attempts }) => {
    const partial = attempts.flatMap((attempt, index) => {
      const parts = partsOf(attempt);
      return parts === null ? [] : [{ attempt, parts, later: attempts.slice(index + 1) }];
    });
    return { occasions: partial.length, breaches: partial.flatMap(({ attempt, parts, later }) => breachOf(attempt, parts, later)) };
  },
};

/** The elements of a batch by how they ended. */
interface Parts {
  readonly well: readonly unknown[];
  readonly failed: readonly unknown[];
}

/** Null where it is no batch, or did not fail in part. */
function partsOf(attempt: Attempt): Parts | null {
  const elements = attempt.elements();
  const outputs = attempt.outputs();
  if (attempt.ending !== 'element-error' || elements.length < 2 || outputs === null) return null;
  const well = elements.filter((_, index) => outputs[index]?.status === 'ok');
  const failed = elements.filter((_, index) => outputs[index]?.status !== 'ok');
  return well.length === 0 ? null : { well, failed };
}

function breachOf(attempt: Attempt, { well, failed }: Parts, later: readonly Attempt[]): readonly Breach[] {
  const again = later.find(
    (next) =>
      next.client === attempt.client &&
      next.entry.operation === attempt.entry.operation &&
      next.received >= attempt.replied &&
      next.elements().some((element) => has(well, element) || has(failed, element)),
  );
  if (again === undefined) return [];
  const needless = again.elements().filter((element) => has(well, element) && !has(failed, element));
  if (needless.length === 0) return [];
  const message = `${failed.length} of ${well.length + failed.length} elements failed, and it sent ${needless.length} again that had gone well.`;
  return [{ message, calls: [attempt, again] }];
}

function has(elements: readonly unknown[], wanted: unknown): boolean {
  return elements.some((element) => isDeepStrictEqual(element, wanted));
}
