import { ascii85After, base32After, base58Of, base64After } from './byte-forms.ts';
import { Parts } from './parts.ts';
import { compacted, lowerCase } from './views.ts';

/** The shortest part of a key that is masked, in characters. */
export const shortest = 5;

/** The same, backwards and with anything between the characters: five of them stand in many sentences, as `rside` in "id is required". */
export const shortestScattered = 8;

/** How many digits in hexadecimal, also of UTF-16, and characters in base64, hold as much. */
const shortestHex = 10;
const shortestHex16 = 18;
const shortestBase64 = 7;
const shortestBase64Of16 = 13;
const shortestBase32 = 8;
const shortestBase58 = 7;
const shortestAscii85 = 7;

/** Of longer keys, only the beginning is derived in other encodings, which takes some 50 microseconds a character. */
export const maxEncodedChars = 1024;

/** The parts of keys in all forms, by their length. */
export class PartsBySize {
  readonly #bySize = new Map<number, Parts>();

  get all(): readonly Parts[] {
    return [...this.#bySize.values()];
  }

  get smallest(): number {
    return Math.min(...this.#bySize.keys());
  }

  ofSize(size: number): Parts {
    const known = this.#bySize.get(size) ?? new Parts(size);
    this.#bySize.set(size, known);
    return known;
  }
}

/** Returns the characters of a key in reverse order. */
export function backwards(key: string): string {
  return key.split('').toReversed().join('');
}

/**
 * Adds a key forwards, and backwards where no part shorter than `shortestBackwards` counts. Parts that end within its first
 * `open` characters are not secret.
 */
export function addForms(parts: PartsBySize, key: string, open: number, shortestBackwards: number): void {
  if (key === '') return;
  parts.ofSize(Math.min(shortest, key.length)).addAll(key, open);
  const size = Math.min(shortestBackwards, key.length);
  parts.ofSize(size).addAll(backwards(key).slice(0, key.length - Math.max(0, open - size + 1)));
}

/** Adds the bytes of a key, in each case and backwards, in hexadecimal, base64, Base32, base58 and Ascii85. */
export function addBytes(written: PartsBySize, bare: PartsBySize, whole: string): void {
  const key = whole.slice(0, maxEncodedChars);
  for (const form of new Set([key, key.toLowerCase(), key.toUpperCase(), backwards(key)])) {
    for (const [bytes, hex, base64] of [
      [Buffer.from(form), shortestHex, shortestBase64],
      [Buffer.from(form, 'utf16le'), shortestHex16, shortestBase64Of16],
      // As in UTF-7.
      [Buffer.from(form, 'utf16le').swap16(), shortestHex16, shortestBase64Of16],
    ] as const) {
      for (const parts of [written, bare]) addForm(parts, bytes.toString('hex'), hex);
      for (const before of [0, 1, 2]) {
        const text = lowerCase(base64After(bytes, before));
        addForm(written, text, base64);
        addForm(written, text.replaceAll('+', '-').replaceAll('/', '_'), base64);
        addForm(bare, compacted(text), base64);
      }
    }
    for (const words of wordsIn(Buffer.from(form)))
      for (const parts of [written, bare]) addForm(parts, words.toString('hex'), shortestHex);
    addForm(written, lowerCase(base58Of(Buffer.from(form))), shortestBase58);
    for (const before of [0, 1, 2, 3])
      for (const isLast of [true, false])
        addForm(written, lowerCase(ascii85After(Buffer.from(form), before, isLast)), shortestAscii85);
    for (const before of [0, 1, 2, 3, 4]) {
      const text = lowerCase(base32After(Buffer.from(form), before));
      for (const parts of [written, bare]) addForm(parts, text, shortestBase32);
    }
  }
}

/** Returns bytes as little-endian words of two, as `hexdump` shows them, beginning with the first or the second one. */
function wordsIn(bytes: Buffer): readonly Buffer[] {
  return [0, 1].map((first) => {
    const end = bytes.length - ((bytes.length - first) % 2);
    return Buffer.from(bytes.subarray(first, end)).swap16();
  });
}

/** Adds a text forwards and backwards, of which no shorter part counts. */
export function addWhole(parts: PartsBySize, text: string): void {
  addForm(parts, text, text.length);
  addForm(parts, backwards(text), text.length);
}

function addForm(parts: PartsBySize, text: string, size: number): void {
  if (text !== '') parts.ofSize(Math.min(size, text.length)).addAll(text);
}
