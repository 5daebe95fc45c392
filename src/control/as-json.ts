import { ValidationError } from '../base/errors.ts';

/** A value as it would arrive over HTTP: a copy that is nobody else's, of JSON and nothing more. Throws ValidationError for what is no JSON. */
export function asJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ValidationError('The body does not fit.', [{ pointer: '', message: `cannot be written as JSON: ${reason}.` }]);
  }
}
