import { isObject } from '../base/is-object.ts';
import { typedFields } from './generated/facts.ts';

const types: ReadonlyMap<string, string> = new Map(Object.entries(typedFields));

/** Whether the value of a field may have other fields than the documented ones: those of another type. */
export function hasOtherFields(field: string, value: unknown, isTypeOpen: boolean): boolean {
  const documented = types.get(field);
  return documented !== undefined && isOfOtherType(documented, value, isTypeOpen);
}

/**
 * Whether a value is not of the documented type. Without a type, it may be if a stored one can be: if the
 * type is open.
 */
export function isOfOtherType(documented: string, value: unknown, isTypeOpen: boolean): boolean {
  if (!isObject(value)) return false;
  const { type } = value;
  return type === undefined ? isTypeOpen : typeof type === 'string' && type !== documented;
}
