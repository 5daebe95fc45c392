import { didYouMean } from '../base/did-you-mean.ts';
import { describe, pointerTo } from '../base/violation.ts';
import type { ViolationList } from '../contract/violation-list.ts';

type Query = Readonly<Record<string, unknown>>;

/** Adds a violation for each parameter of a query that is not a filter. */
export function addUnknownFilters(list: ViolationList, query: Query, filters: readonly string[]): void {
  for (const name of Object.keys(query))
    if (!filters.includes(name))
      list.add(
        pointerTo('', name),
        () => `is unknown.${didYouMean(name, filters)} The filters are ${filters.join(', ')}.`,
      );
}

/** Returns a number in a query; null if it is missing, or with a violation if it is not a whole number above 0. */
export function countIn(list: ViolationList, query: Query, name: string, least = 1): number | null {
  const { [name]: value } = query;
  if (value === undefined) return null;
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (number >= least) return number;
  list.add(pointerTo('', name), () => `must be a whole number from ${least}, but is ${describe(value)}.`);
  return null;
}
