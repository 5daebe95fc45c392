import { messageOf } from '../base/message-of.ts';
import { ValidationError } from '../base/errors.ts';

/**
 * Returns an independent copy of a value, as JSON over HTTP would give. Throws ValidationError if JSON cannot
 * represent it.
 */
export function asJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new ValidationError('The body is invalid.', [
      { pointer: '', message: `cannot be written as JSON: ${reason}.` },
    ]);
  }
}
