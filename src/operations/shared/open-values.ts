import type { OptionOf } from '../../assumptions.ts';
import type { Services } from './operation.ts';

/**
 * Which values occur in status and type fields whose full list is not given (specification, States and
 * transitions).
 */
export type Values = OptionOf<'openValues'>;

export function openValues(assume: Services['assume']): Values {
  return assume('openValues');
}

/** Returns the value in the data, or with `shown-only` the value that the specification shows. */
export function openValue(values: Values, actual: string, shown: string): string {
  return values === 'plausible' ? actual : shown;
}
