import { valuesIn } from './json-depth.ts';

import { isObject } from './is-object.ts';
/** Estimates of the memory that the parts of a value take up, in bytes; rather too high than too low. */
const bytesOf = { entry: 300, object: 100, member: 60, text: 40, character: 2, other: 16 } as const;

/**
 * Estimates the memory that a changed record takes up, in bytes. Null stands for a removed record, undefined
 * for no change.
 */
export function weightOf(change: object | null | undefined): number {
  return change === undefined ? 0 : bytesOf.entry + weightOfValue(change);
}

function weightOfValue(value: unknown): number {
  if (typeof value === 'string') return bytesOf.text + bytesOf.character * value.length;
  let weight: number = bytesOf.object;
  if (Array.isArray(value)) {
    for (const member of value) weight += weightOfValue(member);
    return weight;
  }
  if (!isObject(value)) return bytesOf.other;
  // Plain data has no inherited fields, so `for … in` is safe; it allocates no list, unlike Object.entries.
  for (const name in value) {
    weight += bytesOf.member + bytesOf.character * name.length + weightOfValue(value[name]);
  }
  return weight;
}

/** Longer text is not scanned: its estimate assumes as many values as a body can have. */
const maxCounted = 1_048_576;

/** Estimates the memory of JSON text and its parsed value, which has the same characters again, in bytes. */
export function weightOfText(text: string): number {
  const values = text.length > maxCounted ? maxCounted / 4 : valuesIn(text);
  return bytesOf.entry + 2 * bytesOf.character * text.length + bytesOf.object * values;
}

/** Estimates the memory that the headers of a request take up, in bytes: as a list and by name. */
export function weightOfHeaders(headers: readonly string[]): number {
  let weight: number = bytesOf.object;
  for (const text of headers) weight += bytesOf.member + bytesOf.character * text.length;
  return weight;
}
