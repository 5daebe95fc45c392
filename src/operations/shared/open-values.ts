import type { OptionOf } from '../../assumptions.ts';
import type { Services } from './operation.ts';

/** Which values statuses and types have whose full list is not given (specification, States and transitions). */
export type Values = OptionOf<'openValues'>;

export function openValues(assume: Services['assume']): Values {
  return assume('openValues');
}

/** The value of the data, or under the narrow reading the one that the specification shows. */
export function openValue(values: Values, actual: string, shown: string): string {
  return values === 'plausible' ? actual : shown;
}
