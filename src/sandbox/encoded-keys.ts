import { holdsKey, withoutKeys } from './keys.ts';
import { percentDecoded } from './secrets.ts';

/** The key that a client sent, and how it is shown. */
export interface SentKey {
  readonly key: string;
  readonly shown: string;
}

/** The length of the shortest encoded key that is found, in characters. */
export const shortestEncoded = 12;

const noKey: SentKey = { key: '', shown: '' };

/**
 * Returns the text with masked keys: everything that has the form of a key, and the key that the client sent.
 */
export function withoutPlainKeys(text: string, { key, shown }: SentKey): string {
  return withoutKeys(isKeyIn(text, key) ? text.replaceAll(key, shown) : text);
}

/** As `withoutPlainKeys`, and also masks keys that are percent-encoded or base64-encoded. For URLs and headers. */
export function withoutEncodedKeys(text: string, sent: SentKey = noKey): string {
  const holds = (decoded: string): boolean => isKeyIn(decoded, sent.key) || holdsKey(decoded);
  return withoutPlainKeys(text, sent)
    .replaceAll(/[^\s/"'<>,;&?#]{12,}/g, (word) =>
      word.includes('%') && holds(percentDecoded(word)) ? '…' : word,
    )
    .replaceAll(/[\w%+/=-]{12,}/g, (word) => (decodings(word).some(holds) ? '…' : word));
}

/** Ignores very short keys: they are not secret and occur in any text. */
export function isKeyIn(text: string, key: string): boolean {
  return key.length >= 8 && text.includes(key);
}

/** Returns what a word may stand for. `Buffer` skips characters that base64 does not have. */
function decodings(word: string): readonly string[] {
  const url = word.includes('%') ? [percentDecoded(word)] : [];
  // The value of a query parameter follows its name.
  const value = word.slice(word.search(/=(?=[^=])/) + 1);
  return [...url, Buffer.from(value, 'base64').toString('latin1')];
}
