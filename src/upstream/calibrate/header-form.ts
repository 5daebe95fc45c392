import type { Reply } from './reply.ts';
import { theirs } from './shown-text.ts';

/** The headers that count, each with what of its value does. */
const forms: Readonly<Record<string, (value: string) => string>> = {
  'content-type': (value) =>
    value
      .toLowerCase()
      .replaceAll(/\s/g, '')
      .replace(/;charset="?utf-8"?/, ''),
  'retry-after': timeForm,
  ratelimit: isThere,
  'ratelimit-policy': isThere,
  'ratelimit-limit': timeForm,
  'ratelimit-remaining': timeForm,
  'ratelimit-reset': timeForm,
  'x-ratelimit-limit': timeForm,
  'x-ratelimit-remaining': timeForm,
  'x-ratelimit-reset': timeForm,
  'www-authenticate': (value) => `scheme ${/^[^\s,]*/.exec(value)?.[0] ?? ''}`,
  allow: (value) =>
    value
      .toUpperCase()
      .split(/\s*,\s*/)
      .toSorted()
      .join(', '),
  location: isThere,
  'access-control-allow-origin': (value) => (value === '*' ? '*' : 'an origin'),
  'access-control-allow-methods': isThere,
  'access-control-allow-headers': isThere,
};

/** The names of the headers in which services and sandboxes can differ. */
export const comparedHeaders: readonly string[] = Object.keys(forms);

function isThere(): string {
  return 'present';
}

function timeForm(value: string): string {
  if (/^\d+$/.test(value)) return 'a number';
  return Number.isNaN(Date.parse(value)) ? 'other text' : 'a date';
}

/** The headers whose form is a text of the service. */
const quoted: ReadonlySet<string> = new Set(['content-type', 'www-authenticate', 'allow']);

/** Returns what counts of a header, marked if it is a text of the service. */
export function quotedForm(name: string, reply: Reply): string {
  const form = headerForm(name, reply);
  return quoted.has(name.toLowerCase()) && reply.header(name) !== null ? theirs(form) : form;
}

/** Returns what counts of a header: its form, or `absent`. */
export function headerForm(name: string, reply: Reply): string {
  const value = reply.header(name);
  return value === null ? 'absent' : (forms[name.toLowerCase()] ?? isThere)(value);
}
