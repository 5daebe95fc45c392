/** What a text without the format `date-time` must be. */
export const dateTimeWords = 'an RFC 3339 date-time';

/** The date-times of ISO 8601 that `rfc3339Of` reads, in groups. */
const iso8601 =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt ](?<minutes>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d)(?:[.,](?<fraction>\d+))?)?(?<zone>[Zz]|(?<hours>[+-](?:[01]\d|2[0-3]))(?::?(?<rest>[0-5]\d))?)?)?$/;

/** Whether a text has the form of RFC 3339: a T, seconds, and a time zone with a colon. */
export function isRfc3339(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d\d*)?([Zz]|[+-]\d{2}:\d{2})$/.test(text);
}

/**
 * Returns a date-time of ISO 8601 in the form of RFC 3339. Null if the text is not a date-time. A date begins
 * at midnight, and without a time zone it is in UTC.
 */
export function rfc3339Of(text: string): string | null {
  const groups = text.length > maxChars ? undefined : iso8601.exec(text)?.groups;
  if (groups === undefined) return null;
  const { date = '', minutes = '00:00', seconds = '00', fraction, hours, rest = '00' } = groups;
  if (!isDate(date)) return null;
  const zone = hours === undefined ? 'Z' : `${hours}:${rest}`;
  return `${date}T${minutes}:${seconds}${fraction === undefined ? '' : `.${fraction}`}${zone}`;
}

/** Matches a time of ISO 8601 with a time zone or without. `colon` separates its parts in the extended format. */
function timeWith(colon: string): string {
  const fraction = String.raw`(?:[.,]\d+)?`;
  const midnight = `24(?:${colon}00(?:${colon}00(?:[.,]0+)?)?)?`;
  const any = String.raw`(?:[01]\d|2[0-3])(?:${colon}[0-5]\d(?:${colon}(?:[0-5]\d|60))?)?${fraction}`;
  return String.raw`[Tt](?:${any}|${midnight})(?:[Zz]|[+\-\u2212](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?`;
}

const week = String.raw`W(?:0[1-9]|[1-4]\d|5[0-3])`;
const dayOfYear = String.raw`(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])`;
const iso8601Date = new RegExp(
  String.raw`^(?:(?:\d{4}-\d{2}-\d{2}|\d{4}-${week}-[1-7]|\d{4}-${dayOfYear})(?:${timeWith(':')})?|(?:\d{8}|\d{4}${week}[1-7]|\d{4}${dayOfYear})(?:${timeWith('')}))$`,
);

/**
 * Whether a value is a date-time of ISO 8601 in any of its forms: calendar, week and ordinal dates, the basic and the
 * extended format, less precise times, and 24:00 for the end of a day.
 */
export function isIso8601(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxChars || !iso8601Date.test(value)) return false;
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(value) ?? [];
  return year === undefined || /^\d{4}-?\d{3}(?!\d)/.test(value) || isDate(`${year}-${month}-${day}`);
}

/** Longer than any date-time with a fraction that a client needs. */
const maxChars = 64;

/** Whether the calendar has the day: JavaScript takes February 30 for March 2. */
function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The date-times of ISO 8601 in its basic format, in groups: without dashes, and usually without colons. */
const basic =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[Tt ]?(\d{2}):?(\d{2})(?::?(\d{2}))?([.,]\d+)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Returns a date-time of the basic format in the extended one. Null if it has another format. */
function extendedOf(text: string): string | null {
  const groups = basic.exec(text);
  if (groups === null) return null;
  const [, year, month, day, hours, minutes, seconds = '00', fraction = '', zone = ''] = groups;
  const date = `${year}-${month}-${day}`;
  return hours === undefined ? date : `${date}T${hours}:${minutes}:${seconds}${fraction}${zone}`;
}

/** Returns what is wrong with a text that is almost a date-time of RFC 3339. Empty if nothing is known. */
export function dateTimeHint(text: string): string {
  if (text.length > maxChars) return '';
  const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[Tt ])/.exec(text)?.[0];
  if (date !== undefined && !isDate(date)) return ` There is no day ${date}.`;
  const isExtended = rfc3339Of(text) !== null;
  const extended = isExtended ? text : extendedOf(text);
  const meant = extended === null ? null : rfc3339Of(extended);
  if (extended === null || meant === null) return '';
  const lacks = lackingParts(extended);
  const wrong = isExtended
    ? `It lacks ${lacks.join(', ').replace(/, ([^,]+)$/, ' and $1')}`
    : 'It is in the basic format of ISO 8601';
  return ` ${wrong}: send "${meant}"${lacks.includes(noZone) ? ' for UTC' : ''}.`;
}

const noZone = 'a time zone';

/** Returns the parts that RFC 3339 requires and a date-time of ISO 8601 lacks. */
function lackingParts(text: string): readonly string[] {
  const { minutes, seconds, zone, hours, rest } = iso8601.exec(text)?.groups ?? {};
  if (minutes === undefined) return ['a time', noZone];
  const lacking: readonly (readonly [what: string, isLacking: boolean])[] = [
    ['a "T" before the time', text.includes(' ')],
    ['seconds', seconds === undefined],
    ['a dot before the fraction', text.includes(',')],
    [noZone, zone === undefined],
    ['minutes in the time zone', hours !== undefined && rest === undefined],
    ['a colon in the time zone', rest !== undefined && zone?.includes(':') === false],
  ];
  return lacking.flatMap(([what, isLacking]) => (isLacking ? [what] : []));
}
