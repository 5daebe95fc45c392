import { checkControlInto, type ControlSchema } from '../contract/control-check.ts';
import type { components } from '../contract/generated/control.ts';
import { exceededBy } from '../base/json-size.ts';
import type { Violation } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { ValidationError } from '../base/errors.ts';
import type { ServerLimits } from '../base/server-limits.ts';

type Schemas = components['schemas'];

/** Adds route-specific hints to violations. */
type Reword = (violations: readonly Violation[]) => readonly Violation[];

const asTheyAre: Reword = (violations) => violations;

/** Throws ValidationError with the violations of a list, if there are any. */
export function refuse(what: string, list: ViolationList, reword: Reword = asTheyAre): void {
  if (!list.isEmpty) throw new ValidationError(what, reword(list.violations), { unlisted: list.unlisted });
}

/**
 * Returns the body if it matches a schema. Throws ValidationError. The size is checked first, because each
 * value may cause a violation.
 */
export function fitting<N extends ControlSchema>(
  schema: N,
  body: unknown,
  caps: ServerLimits,
  reword?: Reword,
): Schemas[N] {
  checkSize(body, caps, 'The body is invalid.');
  const list = new ViolationList(caps.violations);
  checkControlInto(list, schema, body);
  refuse('The body is invalid.', list, reword);
  // The type was generated from the schema.
  return body as Schemas[N];
}

/** Throws ValidationError for a value that is larger than a body or record may be. */
export function checkSize(value: unknown, caps: ServerLimits, what: string): void {
  const wrong = tooMuchIn(value, caps);
  if (wrong !== null) throw new ValidationError(what, [{ pointer: '', message: wrong }]);
}

/** Returns why a value is larger than a body or record may be, or null. */
export function tooMuchIn(value: unknown, caps: ServerLimits): string | null {
  const limit = exceededBy(value, caps);
  if (limit === null) return null;
  const unit = limit === 'recordValues' ? 'values' : 'characters';
  return `has more than ${caps[limit]} ${unit}. This is a limit of this server (${limit}).`;
}
