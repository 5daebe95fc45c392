import type { ValidateFunction } from 'ajv';
import { explain } from './explain.ts';
import * as validators from './generated/facts-validators.js';
import type { Violation } from '../base/violation.ts';

const bySchema: { readonly [N in keyof typeof validators]: ValidateFunction } = validators;

/** Returns the violations of stored data, empty if it matches a schema of `openapi/state.yaml`. */
export function checkFacts(
  schema: keyof typeof validators,
  value: unknown,
  base: string,
): readonly Violation[] {
  const validate = bySchema[schema];
  return validate(value) ? [] : explain(validate.errors ?? [], base, 'It has');
}
