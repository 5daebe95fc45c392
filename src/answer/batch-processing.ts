import type { OptionOf } from '../assumptions.ts';
import type { CallContext } from './call-context.ts';

/**
 * Returns how a batch is processed. For a batch of one, all options are the same (specification, Endpoints).
 */
export function batchProcessing({ assume }: CallContext, elements: number): OptionOf<'batchProcessing'> {
  return elements > 1 ? assume('batchProcessing') : 'each-in-order';
}

/** Returns how many elements of a batch are processed, without listing the assumption in the reply. */
export function processedElements({ options }: CallContext, elements: number): number {
  return options.batchProcessing === 'first-only' ? Math.min(1, elements) : elements;
}
