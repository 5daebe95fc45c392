/** The forms of text, of which the first one that matches counts. */
const textForms: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['empty text', /^$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i],
  ['date-time without time zone', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['HTTP date', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/],
  ['digits', /^\d+$/],
  ['URL', /^https?:\/\//],
  ['e-mail address', /^[^\s@/]+@[^\s@/]+$/],
  ['path', /^\/\S*$/],
  ['query', /^\?\S*$/],
  ['hexadecimal', /^[0-9a-f]{16,}$/i],
];

/** Longer texts have no other form: V8 gives up a regular expression after some millions of characters. */
export const maxFormChars = 64 * 1024;

/** Returns the form of a text, such as `date-time`. */
export function textForm(value: string): string {
  if (value.length > maxFormChars) return 'text';
  return textForms.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text';
}

/** Returns the form of a time of an instructor, by option of `instructorTimestampFormat`. */
export function timestampForm(text: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/i.test(text)) return 'iso-8601';
  if (/^\d{12,14}$/.test(text)) return 'epoch-milliseconds';
  return /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text) ? 'rfc-1123' : 'another form';
}
