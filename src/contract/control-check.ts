import type { ValidateFunction } from 'ajv';
import { explain } from './explain.ts';
import type { components } from './generated/control.ts';
import * as validators from './generated/control-validators.js';
import type { Violation } from './violation.ts';

const byName: { readonly [N in keyof components['schemas']]: ValidateFunction } = validators;

/** Checks something that steers a sandbox against its schema in `openapi/control.yaml`. `base` is where it stands in what was sent. */
export function checkControl(schema: keyof components['schemas'], value: unknown, base: string): readonly Violation[] {
  const validate = byName[schema];
  return validate(value) ? [] : (validate.errors ?? []).map((error) => explain(error, base));
}
