import { ControlProblem } from '../control-problem.ts';
import { formText } from './form-text.ts';

/**
 * Returns the time in a form as RFC 3339; an empty string if it is empty. Throws ControlProblem at the pointer for a
 * time without a date.
 */
export function momentIn(form: FormData, name: string, pointer: string): string {
  const [date, time] = [formText(form, `${name}.date`), formText(form, `${name}.time`)];
  if (date === '' && time === '') return '';
  if (date === '') throw momentProblem(pointer, 'The time needs a date. Choose one, or clear the time.');
  if (time === '') return withTime(date);
  // Browsers leave out seconds that are zero.
  return `${date}T${time.length === 5 ? `${time}:00` : time}Z`;
}

/** Returns a problem that is shown at the field of a time. */
export function momentProblem(pointer: string, message: string): ControlProblem {
  return new ControlProblem({
    status: 0,
    title: 'Invalid time',
    detail: message,
    violations: [{ pointer, message }],
  });
}

/** Returns the beginning of a day, in UTC, for a date without a time; any other text as it is. */
export function withTime(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}
