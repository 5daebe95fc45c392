import { isObject } from '../base/is-object.ts';
import { operationFacts } from './generated/facts.ts';
import { hasOtherFields } from './other-type.ts';
import type { OperationName } from './operation-types.ts';

/** The names of an object's fields, nested. */
interface Shape {
  readonly [field: string]: Shape;
}

/** Whether parameters leave out documented fields, or have undocumented ones. */
export interface FieldUse {
  readonly omits: boolean;
  readonly adds: boolean;
}

/** A field and the documented fields inside it. */
type Field = readonly [name: string, inner: readonly Field[]];

function fieldsOf(shape: Shape): readonly Field[] {
  return Object.entries(shape).map(([name, inner]) => [name, fieldsOf(inner)]);
}

const documented: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries(operationFacts).map(([operation, { parameters }]) => [operation, fieldsOf(parameters)]),
);

/**
 * Returns parameters without the documented fields that are null, at every level; the same parameters if there are
 * none.
 */
export function withoutNulls(operation: OperationName, parameters: unknown): unknown {
  return stripped(parameters, documented.get(operation) ?? []);
}

function stripped(value: unknown, fields: readonly Field[]): unknown {
  if (Array.isArray(value)) {
    const members: readonly unknown[] = value.map((member) => stripped(member, fields));
    return members.every((member, index) => member === value[index]) ? value : members;
  }
  if (!isObject(value)) return value;
  let changed: Record<string, unknown> | null = null;
  for (const [name, inner] of fields) {
    const part = value[name];
    const kept = part === null ? undefined : stripped(part, inner);
    if (kept === part) continue;
    changed ??= { ...value };
    if (kept === undefined) delete changed[name];
    else changed[name] = kept;
  }
  return changed ?? value;
}

/**
 * Compares the fields of valid parameters with the documented ones (specification, Endpoints). With `isTypeOpen`, an
 * object without a type can be of any.
 */
export function fieldUse(operation: OperationName, parameters: unknown, isTypeOpen: boolean): FieldUse {
  const use = { omits: false, adds: false, isTypeOpen };
  compare(parameters, documented.get(operation) ?? [], use);
  return use;
}

interface Comparison {
  omits: boolean;
  adds: boolean;
  readonly isTypeOpen: boolean;
}

function compare(value: unknown, fields: readonly Field[], use: Comparison): void {
  if (Array.isArray(value)) for (const member of value) compare(member, fields, use);
  if (!isObject(value)) return;
  let known = 0;
  for (const [name, inner] of fields) {
    const part = value[name];
    if (part === undefined) use.omits = true;
    else {
      known += 1;
      if (inner.length > 0 && !hasOtherFields(name, part, use.isTypeOpen)) compare(part, inner, use);
    }
  }
  if (Object.keys(value).length > known) use.adds = true;
}
