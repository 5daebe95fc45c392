import { fullFormats } from 'ajv-formats/dist/formats.js';
import { anyAddress, emailFormats, isAscii, isInternational, isLimited } from './email-format.ts';

/**
 * The formats in schemas. Each check needs a few milliseconds for a text as large as a body, whatever is in it. The
 * checks of ajv-formats can need half a second, or overflow the stack.
 */
export const formats = {
  'date-time': isDateTime,
  [emailFormats.ascii]: isAscii,
  [emailFormats['ascii-limited']]: isLimited,
  [emailFormats.international]: isInternational,
  'idn-email': anyAddress,
} as const;

// Cast: the types of ajv-formats do not state which kind of format it is.
const { validate } = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };
const separator = /[t\s]/i;

/** The digits of a fraction of a second that decide whether ajv-formats rounds it up, and all that follow. */
const longFraction = /^(.{19}\.\d{64})\d*/s;

/**
 * The same as the format `date-time` of ajv-formats, which splits a text at all separators and can overflow the stack
 * at a long fraction.
 */
function isDateTime(text: string): boolean {
  const hasOneSeparator = separator.test(text.charAt(10)) && !separator.test(text.slice(11));
  return hasOneSeparator && validate(text.replace(longFraction, '$1'));
}
