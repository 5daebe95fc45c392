import type { ValidateFunction } from 'ajv';
import { explain } from './explain.ts';
import * as validators from './generated/control-validators.js';
import type { Violation } from '../base/violation.ts';
import type { ViolationList } from './violation-list.ts';

/** A schema of `openapi/control.yaml` that has a validator. */
export type ControlSchema = keyof typeof validators;

const bySchema: { readonly [N in ControlSchema]: ValidateFunction } = validators;

/**
 * Returns the violations of a value that was sent to the control plane. `base` is its pointer in the body.
 */
export function checkControl(schema: ControlSchema, value: unknown, base = ''): readonly Violation[] {
  const validate = bySchema[schema];
  return validate(value) ? [] : explain(validate.errors ?? [], base);
}

/** Checks a whole body, and adds its violations to a list. */
export function checkControlInto(list: ViolationList, schema: ControlSchema, value: unknown): void {
  const validate = bySchema[schema];
  if (!validate(value)) list.addErrors(validate.errors ?? [], '');
}
