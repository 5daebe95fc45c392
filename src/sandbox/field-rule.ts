import { isList } from '../base/is-object.ts';
import type { OptionOf } from '../assumptions.ts';

/** Returns whether the records in a result have a field with this value. */
export type FieldRule = (value: unknown) => boolean;

export const everyField: FieldRule = (value) => value !== undefined;

/** The rules, by option of the assumption `responseFields`. */
export const fieldRules: { readonly [O in OptionOf<'responseFields'>]: FieldRule } = {
  all: everyField,
  'not-null': (value) => value !== undefined && value !== null,
  'not-empty': (value) =>
    value !== undefined && value !== null && value !== '' && (!isList(value) || value.length > 0),
};

/** Returns plain data without the fields that a rule leaves out, at any depth. Lists keep their members. */
export function withFields(value: unknown, rule: FieldRule): unknown {
  if (Array.isArray(value)) return value.map((member) => withFields(member, rule));
  if (typeof value !== 'object' || value === null) return value;
  return withFieldsInside(
    Object.fromEntries(Object.entries(value).filter(([, member]) => rule(member))),
    rule,
  );
}

/** Does the same for a whole result, which always has its own fields. */
export function withFieldsInside(result: object, rule: FieldRule): object {
  return Object.fromEntries(Object.entries(result).map(([name, member]) => [name, withFields(member, rule)]));
}
