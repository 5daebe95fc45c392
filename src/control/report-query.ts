import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError, ValidationError } from '../base/errors.ts';
import { noThresholds, readFailOn, type Thresholds } from '../report/thresholds.ts';

/** Returns the thresholds in a query: `failOn=violations,conduct`. Throws ValidationError for an unknown name. */
export function thresholdsIn({ failOn, ...others }: Readonly<Record<string, unknown>>): Thresholds {
  const unknown = Object.keys(others).map((name) => ({
    pointer: `/${name}`,
    message: `is not a parameter.${didYouMean(name, ['failOn'])} The only one is failOn.`,
  }));
  if (unknown.length > 0) throw new ValidationError('The query is invalid.', unknown);
  if (failOn === undefined) return noThresholds;
  if (typeof failOn !== 'string') throw wrong('must be given once.');
  try {
    return { ...noThresholds, failOn: readFailOn(failOn) };
  } catch (error) {
    throw error instanceof SandboxError ? wrong(error.message.replace('--fail-on', 'failOn')) : error;
  }
}

function wrong(message: string): ValidationError {
  return new ValidationError('The query is invalid.', [{ pointer: '/failOn', message }]);
}
