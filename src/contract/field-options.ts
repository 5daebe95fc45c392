import { isObject } from '../base/is-object.ts';
import type { Schema } from './openapi.ts';

/** One form that a documented field can have: a value of a closed or known list, null, an empty list, or being left out. */
export interface FieldOption {
  /** `*` stands for any member of a list. */
  readonly pointer: string;
  readonly option: string;
}

/** Every form that the fields of an object can have. */
export function optionsOf(schema: Schema, base = ''): readonly FieldOption[] {
  const { properties = {}, required = [], items } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const pointer = `${base}/${name}`;
    const options = [...formsOf(field), ...(required.includes(name) ? [] : ['left out'])];
    return [...options.map((option) => ({ pointer, option })), ...optionsOf(field, pointer)];
  });
  return items === undefined ? own : [...own, ...optionsOf(items, `${base}/*`)];
}

/** Tells the form of every field of a value, as far as the value has the documented structure. */
export function eachOption(schema: Schema, value: unknown, tell: (found: FieldOption) => void, base = ''): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const member of value) eachOption(items, member, tell, `${base}/*`);
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const pointer = `${base}/${name}`;
      const part = Object.hasOwn(value, name) ? value[name] : undefined;
      tell({ pointer, option: formOf(field, part) });
      eachOption(field, part, tell, pointer);
    }
  }
}

/** Where a value has fields that are not documented. */
export function undocumentedFields(schema: Schema, value: unknown, base = ''): readonly string[] {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((member, index) => undocumentedFields(items, member, `${base}/${index}`));
  }
  if (!isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const pointer = `${base}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field === undefined ? [pointer] : undocumentedFields(field, part, pointer);
  });
}

function formsOf(field: Schema): readonly string[] {
  const types = new Set([field.type ?? []].flat());
  const nullable = types.has('null') ? ['null'] : [];
  const values = valuesOf(field);
  if (values !== null) return [...values, ...nullable];
  if (types.has('boolean')) return ['true', 'false', ...nullable];
  return [...(types.has('array') ? ['not empty', 'empty'] : ['given']), ...nullable];
}

function formOf(field: Schema, value: unknown): string {
  if (value === undefined) return 'left out';
  if (value === null) return 'null';
  if (valuesOf(field) !== null || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : 'not empty';
  return 'given';
}

/** The values of a closed list, or those that are known of an open one; null for a field of any value. */
function valuesOf(field: Schema): readonly string[] | null {
  const values = field['enum'] ?? field['x-known-values'];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : null;
}
