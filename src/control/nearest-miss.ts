import type { components } from '../contract/generated/control.ts';
import { distance, misfits, type Difference, type ExpectedCall } from './misfits.ts';
import type { SentCall } from './sent-call.ts';

type NearestMiss = components['schemas']['NearestMiss'];

/**
 * Of calls that do not fit, the one that comes closest, as a verdict has it: of the same operation if there is one, with the
 * fewest differences, the newest of equal ones. Nothing where there are no calls.
 */
export function nearestMiss(calls: readonly SentCall[], expected: ExpectedCall): { readonly nearest?: NearestMiss } {
  const sameOperation = calls.filter(({ entry }) => entry.operation === expected.operation);
  let nearest: { readonly call: SentCall; readonly differences: readonly Difference[] } | null = null;
  let least = Infinity;
  for (const call of (sameOperation.length > 0 ? sameOperation : calls).toReversed()) {
    const differences = [...misfits(call, expected)];
    const far = distance(differences);
    if (far < least) [nearest, least] = [{ call, differences }, far];
  }
  return nearest === null ? {} : { nearest: { requestId: nearest.call.entry.requestId, differences: nearest.differences } };
}
