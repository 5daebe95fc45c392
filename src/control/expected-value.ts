import { isObject } from '../base/is-object.ts';

/** A value that is expected, taken apart once, because it is compared with very many. */
export interface ExpectedValue {
  readonly value: unknown;
  /** Of an object; else null. */
  readonly members: readonly (readonly [string, ExpectedValue])[] | null;
  /** Of a list; else null. */
  readonly items: readonly ExpectedValue[] | null;
  /** The single values in it, at least one. */
  readonly weight: number;
}

export function expectedValue(value: unknown): ExpectedValue {
  if (Array.isArray(value)) {
    const items = value.map(expectedValue);
    return { value, members: null, items, weight: weightOf(items) };
  }
  if (!isObject(value)) return { value, members: null, items: null, weight: 1 };
  // A member that JSON would leave out expects nothing, so that it is the same for a server elsewhere.
  const members = Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, expectedValue(member)] as const]));
  return { value, members, items: null, weight: weightOf(members.map(([, member]) => member)) };
}

function weightOf(parts: readonly ExpectedValue[]): number {
  return Math.max(
    1,
    parts.reduce((sum, { weight }) => sum + weight, 0),
  );
}
