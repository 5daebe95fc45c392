import { operationFacts } from './generated/facts.ts';
import type { OperationName } from './operation-types.ts';

/** The names of an object's fields, nested. */
interface Shape {
  readonly [field: string]: Shape;
}

/** Whether parameters leave documented fields out, or carry undocumented ones. */
export interface FieldUse {
  readonly omits: boolean;
  readonly adds: boolean;
}

/** Compares the fields of parameters that fit the contract with the documented ones (specification, Endpoints). */
export function fieldUse(operation: OperationName, parameters: unknown): FieldUse {
  const use = { omits: false, adds: false };
  compare(parameters, operationFacts[operation].parameters, use);
  return use;
}

function compare(value: unknown, shape: Shape, use: { omits: boolean; adds: boolean }): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const member of value) compare(member, shape, use);
    return;
  }
  let known = 0;
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (inner === undefined) use.adds = true;
    else {
      known += 1;
      if (hasFields(inner)) compare(part, inner, use);
    }
  }
  if (known < Object.keys(shape).length) use.omits = true;
}

function hasFields(shape: Shape): boolean {
  for (const _ in shape) return true;
  return false;
}
