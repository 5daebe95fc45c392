import { withoutEncodedKeys, type SentKey } from './encoded-keys.ts';
import { maskUrls } from './secrets.ts';

/** The maximum length of a scope's name in characters. */
const maxScopeChars = 128;

/**
 * Returns the scope that a text names, without keys and other secrets, and cut to the maximum length. Null if it
 * names none.
 */
export function scopeIn(text: string | undefined, sent?: SentKey): string | null {
  const name = text?.trim() ?? '';
  return name === '' ? null : withoutEncodedKeys(maskUrls(name), sent).slice(0, maxScopeChars);
}
