import { isObject } from '../base/is-object.ts';
import { operationFacts } from './generated/facts.ts';
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

/** Compares the fields of valid parameters with the documented ones (specification, Endpoints). */
export function fieldUse(operation: OperationName, parameters: unknown): FieldUse {
  const use = { omits: false, adds: false };
  compare(parameters, documented.get(operation) ?? [], use);
  return use;
}

function compare(value: unknown, fields: readonly Field[], use: { omits: boolean; adds: boolean }): void {
  if (Array.isArray(value)) for (const member of value) compare(member, fields, use);
  if (!isObject(value)) return;
  let known = 0;
  for (const [name, inner] of fields) {
    const part = value[name];
    if (part === undefined) use.omits = true;
    else {
      known += 1;
      if (inner.length > 0) compare(part, inner, use);
    }
  }
  if (Object.keys(value).length > known) use.adds = true;
}
