import { holdsKey, withoutKeys } from '../sandbox/keys.ts';
import { maskPath } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';

/** The key of a call, and how it is shown. */
export interface ShownKey {
  readonly call: Pick<Call, 'header'>;
  readonly shownKey: string | null;
}

/**
 * Returns the text with masked keys: everything that has the form of a key, and the key that the client sent.
 */
export function secretless(text: string, { call, shownKey }: ShownKey): string {
  const key = call.header('service-api-key');
  return withoutKeys(key !== undefined && isKeyIn(text, key) ? text.replaceAll(key, shownKey ?? '') : text);
}

/** As `secretless`, and also masks keys that are percent-encoded or base64-encoded. For URLs and headers. */
export function withoutEncodedKeys(text: string, shown: ShownKey): string {
  const plain = secretless(text, shown);
  const key = shown.call.header('service-api-key') ?? '';
  return plain.replaceAll(/[\w%+/=-]{12,}/g, (word) =>
    decodings(word).some((decoded) => isKeyIn(decoded, key) || holdsKey(decoded)) ? '…' : word,
  );
}

/** Returns a path without keys and other secrets. */
export function shownPath(path: string, shown: ShownKey): string {
  const segments = maskPath(path).split('/');
  // Base64 may contain slashes.
  return withoutEncodedKeys(segments.map((segment) => withoutEncodedKeys(segment, shown)).join('/'), shown);
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

/** A word can be encoded several times, but each time costs a pass. */
const maxEncodings = 4;

function percentDecoded(word: string): string {
  let plain = word;
  try {
    for (let pass = 0; pass < maxEncodings && plain.includes('%'); pass += 1)
      plain = decodeURIComponent(plain);
  } catch {
    // What is left is not encoded.
  }
  return plain;
}
