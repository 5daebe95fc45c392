import type { ValidateFunction } from 'ajv';
import { explain } from './explain.ts';
import * as validators from './generated/control-validators.js';
import type { Violation } from '../base/violation.ts';
import type { ViolationList } from './violation-list.ts';

/** A schema of `openapi/control.yaml` that something sent is held against. */
export type ControlSchema = keyof typeof validators;

const bySchema: { readonly [N in ControlSchema]: ValidateFunction } = validators;

/** Checks something that steers a sandbox. `base` is where it stands in what was sent. */
export function checkControl(schema: ControlSchema, value: unknown, base = ''): readonly Violation[] {
  const validate = bySchema[schema];
  return validate(value) ? [] : (validate.errors ?? []).map((error) => explain(error, base));
}

/** The same for a whole body: adds what does not fit to a list. */
export function checkControlInto(list: ViolationList, schema: ControlSchema, value: unknown): void {
  const validate = bySchema[schema];
  if (!validate(value)) list.addErrors(validate.errors ?? [], '');
}
