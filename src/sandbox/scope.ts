import { isBlank } from '../base/blank.ts';
import { derivedId } from './random.ts';
import { withoutEncodedKeys, type SentKey } from './encoded-keys.ts';
import { maskUrls } from './secrets.ts';

/** The maximum length of a scope's name in characters. */
const maxScopeChars = 128;

/** The length of the hash at the end of a shortened name. */
const codeChars = 12;

/**
 * Returns the scope that a text names, without keys and other secrets. A long name is shortened, and ends in
 * a hash of the full name, because long names often begin in the same way. Null if it names none.
 */
export function scopeIn(text: string | undefined, sent?: SentKey): string | null {
  const name = text?.trim() ?? '';
  if (isBlank(name)) return null;
  const masked = withoutEncodedKeys(maskUrls(name), sent);
  if (masked.length <= maxScopeChars) return masked;
  const code = `~${derivedId(masked).slice(0, codeChars)}`;
  return `${masked.slice(0, maxScopeChars - code.length)}${code}`;
}
