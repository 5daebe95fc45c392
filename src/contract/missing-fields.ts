import { isObject } from '../base/is-object.ts';
import { pointerTo } from '../base/violation.ts';
import type { Schema } from './openapi.ts';

/** A documented field that the contract does not require, and that records lack. */
export interface MissingField {
  /** Where the first record lacks it, and the same place with `*` for any member of a list. */
  readonly pointer: string;
  readonly place: string;
  readonly types: readonly string[];
  /** How many records lack it. */
  count: number;
}

/** The maximum number of records that are looked at. */
const maxRecords = 20_000;

/** Returns the documented fields that records in results lack, and that the contract does not require. */
export function missingFields(
  results: readonly { readonly schema: Schema; readonly value: unknown; readonly base: string }[],
): readonly MissingField[] {
  const found = new Map<string, MissingField>();
  const waiting = results.map(({ schema, value, base }) => ({ schema, value, pointer: base, place: base }));
  for (let at = 0; at < waiting.length && at < maxRecords; at += 1) {
    const next = waiting[at];
    if (next === undefined) break;
    const { schema, value, pointer, place } = next;
    const { items, properties = {}, required = [] } = schema;
    if (Array.isArray(value) && items !== undefined) {
      for (const [index, member] of value.slice(0, maxRecords).entries())
        waiting.push({
          schema: items,
          value: member,
          pointer: `${pointer}/${index}`,
          place: `${place}/*`,
        });
    }
    if (!isObject(value)) continue;
    for (const [name, inner] of Object.entries(properties)) {
      const own = { pointer: pointerTo(pointer, name), place: pointerTo(place, name) };
      if (Object.hasOwn(value, name)) waiting.push({ schema: inner, value: value[name], ...own });
      else if (!required.includes(name)) {
        const known = found.get(own.place) ?? { ...own, types: [inner.type ?? []].flat(), count: 0 };
        known.count += 1;
        found.set(own.place, known);
      }
    }
  }
  return [...found.values()];
}
