import { checkControlInto, type ControlSchema } from '../contract/control-check.ts';
import type { components } from '../contract/generated/control.ts';
import { sizeOf } from '../base/json-size.ts';
import type { Violation } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { ValidationError } from '../base/errors.ts';
import type { ServerLimits } from '../base/server-limits.ts';

type Schemas = components['schemas'];

/** Adds to violations what only one route knows. */
type Reword = (violations: readonly Violation[]) => readonly Violation[];

const asTheyAre: Reword = (violations) => violations;

/** Throws ValidationError with what a list has; nothing happens if it is empty. */
export function refuse(what: string, list: ViolationList, reword: Reword = asTheyAre): void {
  if (!list.isEmpty) throw new ValidationError(what, reword(list.violations), { unlisted: list.unlisted });
}

/** The body, if it fits a schema. Throws ValidationError. Its size is checked first, because the check of each value may tell of a violation. */
export function fitting<N extends ControlSchema>(schema: N, body: unknown, caps: ServerLimits, reword?: Reword): Schemas[N] {
  checkSize(body, caps, 'The body does not fit.');
  const list = new ViolationList(caps.violations);
  checkControlInto(list, schema, body);
  refuse('The body does not fit.', list, reword);
  // It fits the schema that the type was made from.
  return body as Schemas[N];
}

/** Throws ValidationError for a value that holds more than a body or record may. */
export function checkSize(value: unknown, caps: ServerLimits, what: string): void {
  const wrong = tooMuchIn(value, caps);
  if (wrong !== null) throw new ValidationError(what, [{ pointer: '', message: wrong }]);
}

/** Why a value holds more than a body or record may; null where it does not. */
export function tooMuchIn(value: unknown, { recordValues, recordBytes }: ServerLimits): string | null {
  const size = sizeOf(value, { values: recordValues, characters: recordBytes });
  if (size.values > recordValues) return `has more than ${recordValues} values, the limit of this server (recordValues).`;
  return size.characters > recordBytes ? `has more than ${recordBytes} characters, the limit of this server (recordBytes).` : null;
}
