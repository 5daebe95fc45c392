import { isObject } from '../base/is-object.ts';
import { pointerTo } from '../base/violation.ts';
import { isOfOtherType } from './other-type.ts';
import type { Schema } from './openapi.ts';

/** One form of a documented field, such as a value of an enum, null, an empty list, or left out. */
export interface FieldOption {
  /** `*` stands for any member of a list. */
  readonly pointer: string;
  readonly option: string;
}

/** Returns every form that the fields of an object can have. */
export function optionsOf(schema: Schema, base = ''): readonly FieldOption[] {
  const { properties = {}, required = [], items } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const pointer = `${base}/${name}`;
    const options = [...formsOf(field), ...(required.includes(name) ? [] : ['left out'])];
    return [...options.map((option) => ({ pointer, option })), ...optionsOf(field, pointer)];
  });
  return items === undefined ? own : [...own, ...optionsOf(items, `${base}/*`)];
}

/** Calls back with the form of each field of a value, as far as the value has the documented structure. */
export function eachOption(
  schema: Schema,
  value: unknown,
  onOption: (found: FieldOption) => void,
  base = '',
): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const member of value) eachOption(items, member, onOption, `${base}/*`);
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const pointer = `${base}/${name}`;
      const part = Object.hasOwn(value, name) ? value[name] : undefined;
      onOption({ pointer, option: formOf(field, part) });
      eachOption(field, part, onOption, pointer);
    }
  }
}

/** Returns the pointers to the undocumented fields of a value. With `isTypeOpen`, an object without a type can be of any. */
export function undocumentedFields(
  schema: Schema,
  value: unknown,
  base = '',
  isTypeOpen = false,
): readonly string[] {
  const { items, properties, 'x-fields-of': type } = schema;
  if (typeof type === 'string' && isOfOtherType(type, value, isTypeOpen)) return [];
  if (Array.isArray(value)) {
    return items === undefined
      ? []
      : value.flatMap((member, index) => undocumentedFields(items, member, `${base}/${index}`, isTypeOpen));
  }
  if (!isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const pointer = pointerTo(base, name);
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field === undefined ? [pointer] : undocumentedFields(field, part, pointer, isTypeOpen);
  });
}

/** Returns the number of these fields, much faster. */
export function countUndocumented(schema: Schema, value: unknown, isTypeOpen: boolean): number {
  const { items, properties, 'x-fields-of': type } = schema;
  if (typeof type === 'string' && isOfOtherType(type, value, isTypeOpen)) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const member of value) count += countUndocumented(items, member, isTypeOpen);
  } else if (isObject(value) && properties !== undefined) {
    for (const name of Object.keys(value)) {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      count += field === undefined ? 1 : countUndocumented(field, value[name], isTypeOpen);
    }
  }
  return count;
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
  const isListed = valuesOf(field) !== null && typeof value !== 'object';
  if (isListed || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : 'not empty';
  return 'given';
}

/** Returns the values of an enum, or the known values of an open one. Null if the field accepts any value. */
function valuesOf(field: Schema): readonly string[] | null {
  const values = field['enum'] ?? field['x-known-values'];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : null;
}
