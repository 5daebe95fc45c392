import { isObject } from '../base/is-object.ts';
import { pointerTo } from '../base/violation.ts';
import { isRfc3339 } from './date-time-format.ts';
import type { Schema } from './openapi.ts';

/** Something in a result that the contract does not document. */
export interface Beyond {
  readonly kind: 'field' | 'value' | 'format' | 'null' | 'type';
  /** Where it is, and the same place with `*` for any member of a list. */
  readonly pointer: string;
  readonly place: string;
  /** The value of a list of values, the form of a format, or the type. Null for a field and for null. */
  readonly value: string | null;
}

/** Maximum number of levels, and of characters of a value. */
const maxDepth = 30;
const maxChars = 60;

/** Calls back with everything in a result that the contract does not document. */
export function eachBeyond(schema: Schema, value: unknown, base: string, found: (one: Beyond) => void): void {
  walk(schema, value, { pointer: base, place: base.replaceAll(/\/\d+/g, '/*'), depth: 0 }, found);
}

interface Place {
  readonly pointer: string;
  readonly place: string;
  readonly depth: number;
}

function walk(schema: Schema, value: unknown, at: Place, found: (one: Beyond) => void): void {
  const { pointer, place, depth } = at;
  const tell = (kind: Beyond['kind'], what: string | null): void =>
    found({ kind, pointer, place, value: what });
  // The contract may allow null because the sandbox can send it, though the specification states another type.
  if (value === null && schema['x-stated-type'] !== undefined) return tell('null', null);
  if (!isOfType(schema, value)) return value === null ? tell('null', null) : tell('type', typeName(value));
  if (typeof value === 'string') return textBeyond(schema, value, tell);
  if (depth >= maxDepth) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, member] of value.entries())
      walk(items, member, { pointer: `${pointer}/${index}`, place: `${place}/*`, depth: depth + 1 }, found);
  } else if (isObject(value) && schema.properties !== undefined) {
    fieldsBeyond(schema.properties, value, at, found);
  }
}

function fieldsBeyond(
  properties: NonNullable<Schema['properties']>,
  value: Readonly<Record<string, unknown>>,
  { pointer, place, depth }: Place,
  found: (one: Beyond) => void,
): void {
  for (const [name, part] of Object.entries(value)) {
    const inner = { pointer: pointerTo(pointer, name), place: pointerTo(place, name), depth: depth + 1 };
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined)
      found({ kind: 'field', pointer: inner.pointer, place: inner.place, value: null });
    else walk(field, part, inner, found);
  }
}

function textBeyond(schema: Schema, text: string, tell: (kind: Beyond['kind'], what: string) => void): void {
  const known = schema['enum'] ?? schema['x-known-values'];
  if (Array.isArray(known) && !known.includes(text)) tell('value', shortened(JSON.stringify(text)));
  if (schema['format'] === 'date-time' && !isRfc3339(text)) tell('format', shortened(formOf(text)));
}

/** Returns the form of a text: each digit is a 9, so that the same form counts once. */
function formOf(text: string): string {
  return JSON.stringify(text.replaceAll(/\d/g, '9').replaceAll(/9{5,}/g, '99999…'));
}

function shortened(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

function isOfType({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true;
  const types = new Set([type].flat());
  const own = typeName(value);
  return types.has(own) || (own === 'integer' && types.has('number'));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
