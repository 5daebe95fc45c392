import { derivedId } from './random.ts';
import { withoutEncodedKeys, type SentKey } from './encoded-keys.ts';
import { maskUrls } from './secrets.ts';

/** The maximum length of a scope's name in characters. */
const maxScopeChars = 128;

/** The length of the code at the end of a name that was cut. */
const codeChars = 12;

/**
 * Returns the scope that a text names, without keys and other secrets. A longer name is cut, and ends in a code
 * of the whole one: long names often begin in the same way. Null if it names none.
 */
export function scopeIn(text: string | undefined, sent?: SentKey): string | null {
  const name = text?.trim() ?? '';
  if (name === '') return null;
  const masked = withoutEncodedKeys(maskUrls(name), sent);
  if (masked.length <= maxScopeChars) return masked;
  const code = `~${derivedId(masked).slice(0, codeChars)}`;
  return `${masked.slice(0, maxScopeChars - code.length)}${code}`;
}
