import { isObject } from '../base/is-object.ts';

/** An expected value, prepared for comparison with many calls. */
export interface ExpectedValue {
  readonly value: unknown;
  /** The members of an object; null for other values. */
  readonly members: readonly (readonly [string, ExpectedValue])[] | null;
  /** The items of a list; null for other values. */
  readonly items: readonly ExpectedValue[] | null;
  /** The number of single values in it, at least one. */
  readonly weight: number;
}

export function expectedValue(value: unknown): ExpectedValue {
  if (Array.isArray(value)) {
    const items = value.map(expectedValue);
    return { value, members: null, items, weight: weightOf(items) };
  }
  if (!isObject(value)) return { value, members: null, items: null, weight: 1 };
  // JSON omits undefined members, so they expect nothing, in process and over HTTP alike.
  const members = Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, expectedValue(member)] as const]));
  return { value, members, items: null, weight: weightOf(members.map(([, member]) => member)) };
}

function weightOf(parts: readonly ExpectedValue[]): number {
  return Math.max(
    1,
    parts.reduce((sum, { weight }) => sum + weight, 0),
  );
}
