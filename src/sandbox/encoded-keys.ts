import type { SlicedWork } from '../base/sliced-work.ts';
import { TextFinder } from '../base/text-finder.ts';
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
  const finder = new KeyFinder(key);
  const plain = withoutKeys(finder.replaceIn(text, shown));
  return plain.includes('\\u') ? withoutEscapedKeys(plain, finder) : plain;
}

/** Masks the keys in a text that has some characters as escape sequences of JSON. */
function withoutEscapedKeys(text: string, finder: KeyFinder): string {
  return text.replaceAll(/(?:\\u[0-9a-f]{4}|[\w.~+/=-])+/gi, (word) => {
    if (!word.includes('\\u')) return word;
    const plain = word.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    );
    return finder.isIn(plain) || holdsKey(plain) ? '…' : word;
  });
}

/**
 * As `withoutPlainKeys`, and also masks keys that are percent-encoded, or in base64 or hexadecimal. For URLs and
 * headers.
 */
export function withoutEncodedKeys(text: string, sent: SentKey = noKey): string {
  const finder = new KeyFinder(sent.key);
  const holds = (decoded: string): boolean => finder.isIn(decoded) || holdsKey(decoded);
  return withoutPlainKeys(text, sent)
    .replaceAll(/[^\s/"'<>,;&?#]{12,}/g, (word) =>
      word.includes('%') && holds(percentDecoded(word)) ? '…' : word,
    )
    .replaceAll(encodedWord, (word) => (isEncoded(word, holds) ? '…' : word));
}

/** A key can be encoded several times, but each time costs several passes. */
const maxEncodings = 3;

/** How every key begins. */
const plainBeginning = 'sbx_';

/** How every key begins in base64, after zero to two other bytes, in hexadecimal, and percent-encoded. */
const encodedBeginning = /c2J4X|NieF|zYnhf|7362785f|sbx%5f|%73%62%78/i;

/** How every key begins if it is encoded in base64 several times. */
const nestedBeginning = new RegExp(nestedIn(inBase64(plainBeginning), maxEncodings - 1).join('|'));

/** Returns how a text looks in base64 after zero to two other bytes: the characters that no other byte changes. */
function inBase64(text: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('.'.repeat(before) + text).toString('base64');
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });
}

function nestedIn(encoded: readonly string[], times: number): readonly string[] {
  const again = encoded.flatMap(inBase64);
  return times > 1 ? [...again, ...nestedIn(again, times - 1)] : again;
}

/** A key of 20 characters is as long if it is encoded in base64 twice. Few other words are. */
const shortestNested = 40;

/** Whether a text may have a key that is encoded in base64 several times. */
function mayBeNested(text: string): boolean {
  return hasLongWord(text) && nestedBeginning.test(text);
}

/** Looks at few of the characters: every call is searched, and most have only short words. */
function hasLongWord(text: string): boolean {
  for (let end = shortestNested; end <= text.length;) {
    let start = end;
    while (start > end - shortestNested && isOfBase64(text.charCodeAt(start - 1))) start -= 1;
    if (start === end - shortestNested) return true;
    end = start + shortestNested;
  }
  return false;
}

/** Whether a character is a letter, a digit, or one of `+/-_`. */
function isOfBase64(code: number): boolean {
  const isLetter = (code > 64 && code < 91) || (code > 96 && code < 123);
  return isLetter || (code > 47 && code < 58) || code === 43 || code === 47 || code === 45 || code === 95;
}

/** The first encodings, or how a key begins plain, or a character as an escape sequence of JSON. */
const anyBeginning = new RegExp(String.raw`sbx_|\\u|${encodedBeginning.source}`, 'i');

/**
 * As `withoutEncodedKeys`, for bodies. Most have no encoded key, and the search for its beginning is quick; therefore,
 * keys that do not have the form of the sandbox's keys are found only if they are plain.
 */
export function withoutKeysInBody(text: string, sent: SentKey): string {
  const isNested = mayBeNested(text);
  if (!isNested && !anyBeginning.test(text) && !new KeyFinder(sent.key).isIn(text)) return text;
  return isNested || encodedBeginning.test(text)
    ? withoutEncodedKeys(text, sent)
    : withoutPlainKeys(text, sent);
}

/** Returns whether a text contains a key unencoded. Unlike masking, this is quick for long texts. */
export function hasPlainKey(text: string, { key }: SentKey): boolean {
  return new KeyFinder(key).isIn(text) || holdsKey(text);
}

/** All keys that have the form of the sandbox's keys are shorter. */
export const maxKeyChars = 256;

/** The characters that are searched without a pause: they take a few milliseconds. */
const searchedChars = 262_144;

/** As `hasPlainKey`, for a text of any length. */
export function* hasPlainKeyIn(text: string, { key }: SentKey): SlicedWork<boolean> {
  const finder = new KeyFinder(key);
  // A key may extend over the end of a piece.
  const overlap = Math.max(maxKeyChars, key.length);
  for (let from = 0; from < text.length; from += searchedChars) {
    if (from > 0) yield;
    const piece = text.slice(from, from + searchedChars + overlap);
    if (finder.isIn(piece) || holdsKey(piece)) return true;
  }
  return false;
}

/** Finds the key that a client sent. Ignores very short ones: they are not secret and occur in any text. */
class KeyFinder {
  readonly #finder: TextFinder | null;

  constructor(key: string) {
    this.#finder = key.length < 8 ? null : new TextFinder(key);
  }

  isIn(text: string): boolean {
    return this.#finder?.isIn(text) === true;
  }

  replaceIn(text: string, shown: string): string {
    return this.#finder?.replaceIn(text, shown) ?? text;
  }
}

const encodedWord = /[\w%+/=-]{12,}/g;

function isEncoded(word: string, holds: (decoded: string) => boolean, left = maxEncodings): boolean {
  return decodings(word).some(
    (decoded) =>
      holds(decoded) ||
      (left > 1 && (decoded.match(encodedWord) ?? []).some((inner) => isEncoded(inner, holds, left - 1))),
  );
}

/** Returns what a word may stand for. `Buffer` skips characters that base64 does not have. */
function decodings(word: string): readonly string[] {
  const url = word.includes('%') ? [percentDecoded(word)] : [];
  // The value of a query parameter follows its name.
  const value = word.slice(word.search(/=(?=[^=])/) + 1);
  // A prefix such as `a-` or `X-` may come before the key.
  const hexadecimal = (value.match(/[0-9a-f]{24,}/gi) ?? []).flatMap((digits) =>
    [0, 1].map((from) => Buffer.from(digits.slice(from), 'hex').toString('latin1')),
  );
  // Letters may come before the key.
  const base64 = [0, 1, 2, 3].map((from) => Buffer.from(value.slice(from), 'base64').toString('latin1'));
  return [...url, ...hexadecimal, ...base64];
}
