import type { AssumptionName, OptionOf } from '../../assumptions.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { Services } from './operation.ts';

/**
 * Which values occur in status and type fields for which the specification does not list all values (States and
 * transitions).
 */
export type Values = OptionOf<'openValues'>;

/** The values that the specification shows, by collection and field. */
export const shownValues = {
  courseItems: { type: 'Article' },
  liveEvents: { type: 'LiveEventProduct', status: 'Active' },
  videos: { status: 'CcFailed' },
} as const satisfies { readonly [C in keyof Records]?: { readonly [F in keyof Records[C]]?: string } };

export function openValues(assume: Services['assume']): Values {
  return assume('openValues');
}

/** Returns the value in the data, or with `shown-only` the value that the specification shows. */
export function openValue(values: Values, actual: string, shown: string): string {
  return values === 'plausible' ? actual : shown;
}

/** A value that the API returns for a field whatever the record has, because of an assumption. */
interface FixedValue {
  readonly collection: string;
  readonly field: string;
  readonly value: string;
  readonly assumption: AssumptionName;
}

/** Returns the values that the operations return in place of those of the records. */
export function fixedValues(assume: Services['assume']): FixedValue[] {
  if (openValues(assume) === 'plausible') return [];
  return Object.entries(shownValues).flatMap(([collection, fields]) =>
    Object.entries(fields).map(([field, value]) => ({ collection, field, value, assumption: 'openValues' })),
  );
}
