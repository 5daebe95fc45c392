import type { ValidateFunction } from 'ajv';
import { explain } from './explain.ts';
import type { Records } from './generated/facts.ts';
import * as validators from './generated/record-validators.js';
import type { Violation } from '../base/violation.ts';

const byCollection: { readonly [N in keyof Records]: ValidateFunction } = validators;

/** Returns the violations of a record, empty if it is valid. `base` is its pointer in the document. */
export function checkRecord(collection: keyof Records, record: unknown, base = ''): readonly Violation[] {
  const validate = byCollection[collection];
  return validate(record) ? [] : explain(validate.errors ?? [], base);
}
