import { isObject } from './is-object.ts';
import type { ServerLimits } from './server-limits.ts';

/** The size of a JSON value. */
export interface JsonSize {
  /** Texts, numbers, lists, objects and so on, including the value itself. */
  readonly values: number;
  /** Characters of JSON in its texts, and characters in its field names. */
  readonly characters: number;
}

/** Returns the limit that a record or a body for the control plane exceeds, or null. */
export function exceededBy(
  value: unknown,
  { recordValues, recordBytes }: Pick<ServerLimits, 'recordValues' | 'recordBytes'>,
): 'recordValues' | 'recordBytes' | null {
  const size = sizeOf(value, { values: recordValues, characters: recordBytes });
  if (size.values > recordValues) return 'recordValues';
  return size.characters > recordBytes ? 'recordBytes' : null;
}

/** Measures a value of plain data. Stops at the first bound that it exceeds. */
export function sizeOf(value: unknown, bound: JsonSize): JsonSize {
  let values = 0;
  let characters = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && values <= bound.values && characters <= bound.characters) {
    const one = left.pop();
    values += 1;
    if (typeof one === 'string') characters += lengthOf(one, bound.characters - characters);
    else if (Array.isArray(one)) {
      if (one.length > bound.values) return { values: values + one.length, characters };
      for (const member of one) left.push(member);
    } else if (isObject(one)) {
      // Plain data has no inherited fields, so `for … in` is safe; it takes half as long as Object.entries.
      for (const name in one) {
        characters += name.length;
        left.push(one[name]);
      }
    }
  }
  return { values, characters };
}

const pieceLength = 65_536;

/**
 * Returns the length of a text in JSON, which has six characters for a control character or a lone surrogate.
 * Stops beyond `max`.
 */
function lengthOf(text: string, max: number): number {
  let length = 0;
  for (let start = 0; start < text.length && length <= max; start += pieceLength)
    length += JSON.stringify(text.slice(start, start + pieceLength)).length - 2;
  return length;
}
