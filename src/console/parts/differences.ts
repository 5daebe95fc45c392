import { isObject } from './is-object.ts';
import { pointerBelow } from './json-lines.ts';

/** A value that differs between two records. Null: there is none. */
export interface Difference {
  /** JSON Pointer. */
  readonly pointer: string;
  /** As JSON. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns the values that differ, in the order of the fields. */
export function differencesBetween(before: unknown, after: unknown): readonly Difference[] {
  const [was, is] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((pointer) => ({ pointer, before: was.get(pointer) ?? null, after: is.get(pointer) ?? null }))
    .filter((one) => one.before !== one.after);
}

/** Returns the values that contain no others, by pointer. */
function leavesOf(value: unknown, pointer = ''): readonly (readonly [string, string])[] {
  if (value === null && pointer === '') return [];
  const isNested = Array.isArray(value) || isObject(value);
  if (!isNested || Object.keys(value).length === 0) return [[pointer, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, pointerBelow(pointer, name)));
}
