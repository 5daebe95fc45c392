import { formText } from './form-text.ts';

/** Returns the time in a form as RFC 3339; an empty string if there is no date. */
export function momentIn(form: FormData, name: string): string {
  const [date, time] = [formText(form, `${name}.date`), formText(form, `${name}.time`)];
  if (date === '') return '';
  if (time === '') return withTime(date);
  // Browsers leave out seconds that are zero.
  return `${date}T${time.length === 5 ? `${time}:00` : time}Z`;
}

/** Returns the beginning of a day, in UTC, for a date without a time; any other text as it is. */
export function withTime(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}
