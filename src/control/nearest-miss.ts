import type { components } from '../contract/generated/control.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { misfits, type Difference, type Expectation } from './misfits.ts';
import type { SentCall } from './sent-call.ts';

type NearestMiss = components['schemas']['NearestMiss'];

/** How much one request may still compare in search of nearest misses. */
export interface SearchBudget {
  left: number;
}

/**
 * Finds, of calls that do not fit, the one that comes closest, as a verdict has it: of the same operation if there is one, with the
 * fewest differences, the newest of equal ones. Nothing where there are no calls. Once the budget is spent, the search ends with what it has.
 */
export function* findingNearestMiss(
  calls: readonly SentCall[],
  expectation: Expectation,
  budget: SearchBudget,
): SlicedWork<{ readonly nearest?: NearestMiss }> {
  const { operation } = expectation.expected;
  const sameOperation = calls.filter(({ entry }) => entry.operation === operation);
  let nearest: { readonly call: SentCall; readonly differences: readonly Difference[] } | null = null;
  let least = Infinity;
  for (const call of (sameOperation.length > 0 ? sameOperation : calls).toReversed()) {
    if (budget.left <= 0) break;
    const differences: Difference[] = [];
    let far = 0;
    for (const misfit of misfits(call, expectation, least)) {
      budget.left -= 1;
      if (misfit === undefined) yield;
      else {
        differences.push(misfit.difference);
        far += misfit.weight;
        if (differences.length % 256 === 0) yield;
      }
      if (far >= least) break;
    }
    if (far < least) [nearest, least] = [{ call, differences }, far];
    yield;
  }
  return nearest === null ? {} : { nearest: { requestId: nearest.call.entry.requestId, differences: nearest.differences } };
}
