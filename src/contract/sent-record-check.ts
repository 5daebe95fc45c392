import type { ValidateFunction } from 'ajv';
import { sizeOf } from '../base/json-size.ts';
import type { Records } from './generated/facts.ts';
import * as first from './generated/first-record-violation-validators.js';
import * as every from './generated/record-validators.js';
import type { ViolationList } from './violation-list.ts';

type Validators = { readonly [N in keyof Records]: ValidateFunction };

const validators: { readonly every: Validators; readonly first: Validators } = { every, first };

/**
 * Records with more values are checked up to their first violation, because all violations together can be many times
 * as large.
 */
const maxValues = 5000;

/** Adds the violations of a record to a list. Returns whether the record is valid. */
export function checkRecordInto<N extends keyof Records>(
  list: ViolationList,
  collection: N,
  record: unknown,
  base: string,
): record is Records[N] {
  const { values } = sizeOf(record, { values: maxValues, characters: Infinity });
  const validate = validators[values > maxValues ? 'first' : 'every'][collection];
  if (validate(record)) return true;
  list.addErrors(validate.errors ?? [], base);
  return false;
}
