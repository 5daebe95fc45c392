import { distance } from 'fastest-levenshtein';
import { isBlank } from './blank.ts';

/** Longer texts are not mistaken identifiers. */
const maxChars = 200;

/** The maximum number of parts of a text that are compared with what is known. */
const maxParts = 8;

const placeholder =
  /^(?:\{\{?.*\}\}?|[#$]\{.+\}|\$\w+|<.*>|:\w+|%\w+%|__(?!proto__)\w+__|%7b.*%7d|your[-_ ].+|string|x{3,})$/i;
const emptyVariable = /^(?:undefined|null|none|nil|nan|\[object object\])$/i;

/**
 * Returns a hint for a text that identifies nothing: it is blank, is a placeholder, or has the right
 * identifier in capitals or with extra characters. Empty if nothing is known.
 */
export function textHint(text: string, isKnown: (other: string) => boolean): string {
  if (text.length > maxChars) return '';
  const meant = partsOf(text).find((part) => part !== text && isKnown(part));
  if (meant !== undefined) return ` Did you mean ${JSON.stringify(meant)}?`;
  return emptyHint(text);
}

/** Returns a hint for a text that is blank, a placeholder, or the text of an empty variable. */
export function emptyHint(text: string): string {
  if (text.length > maxChars) return '';
  const bare = text.trim().replaceAll(/^["']+|["']+$/g, '');
  if (isBlank(bare)) return ' It is blank.';
  if (placeholder.test(bare)) return ' It looks like a placeholder that was not replaced.';
  if (emptyVariable.test(bare)) return ' It looks like the text of an empty variable.';
  return '';
}

/** A placeholder of a template or a shell, which a program sends if nothing replaced it. */
const unreplaced = /^(?:\$?\{\{.*\}\}|\$\{.+\}|\$\w+)$/;

/** Returns what a program wrote by mistake in place of a text, in words; null if nothing is known. */
export function mistakeIn(text: string): string | null {
  if (text.length > maxChars) return null;
  if (emptyVariable.test(text)) return 'the text of an empty variable';
  return unreplaced.test(text) ? 'a placeholder that was not replaced' : null;
}

/** Returns the text without white space, in lower case, and the parts of it that can be identifiers. */
function partsOf(text: string): readonly string[] {
  const bare = text.trim();
  const parts = [bare, ...bare.split(/[^\w-]+/), ...bare.split(/[\W_]+/)].slice(0, maxParts);
  return parts.flatMap((part) => (part === '' ? [] : [part, part.toLowerCase()]));
}

/** An identifier of at least this length that differs from a known one in at most this many characters is a typo. */
const typo = { minChars: 20, maxWrong: 2 };

/** Returns a hint for an identifier that is a known one with few wrong characters. Empty if none is close. */
export function typoHint(id: string, known: readonly string[]): string {
  if (id.length < typo.minChars || id.length > maxChars) return '';
  const near = known.find(
    (other) => Math.abs(other.length - id.length) <= typo.maxWrong && distance(other, id) <= typo.maxWrong,
  );
  return near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}
