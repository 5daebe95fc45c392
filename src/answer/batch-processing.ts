import type { OptionOf } from '../assumptions.ts';
import type { CallContext } from './call-context.ts';

/** How a batch is processed; a batch of one is the same under every reading (specification, Endpoints). */
export function batchProcessing({ assume }: CallContext, elements: number): OptionOf<'batchProcessing'> {
  return elements > 1 ? assume('batchProcessing') : 'each-in-order';
}

/** How many elements of a batch are processed; nothing of the reply is shaped by asking. */
export function processedElements({ options }: CallContext, elements: number): number {
  return options.batchProcessing === 'first-only' ? Math.min(1, elements) : elements;
}
