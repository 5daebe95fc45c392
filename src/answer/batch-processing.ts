import type { OptionOf } from '../assumptions.ts';
import type { Exchange } from './exchange.ts';

/** How a batch is processed; a batch of one is the same under every reading (specification, Endpoints). */
export function batchProcessing({ assume }: Exchange, elements: number): OptionOf<'batchProcessing'> {
  return elements > 1 ? assume('batchProcessing') : 'each-in-order';
}
