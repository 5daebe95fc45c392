import type { OptionOf } from '../assumptions.ts';

/** The format of e-mail addresses in schemas for each option of `emailFormat`; only `email` is in the documents. */
export const emailFormats = {
  ascii: 'email',
  'ascii-limited': 'email-limited',
  international: 'email-international',
} as const satisfies { readonly [O in OptionOf<'emailFormat'>]: string };

/** The limits of RFC 5321. */
export const maxWordChars = 64;
const maxChars = 254;
const encoder = new TextEncoder();

const dot = 0x2e;
const dash = 0x2d;
const inLabel = codesOf(/[a-z0-9-]/i);
const inWord = codesOf(/[a-z0-9!#$%&'*+/=?^_`{|}~-]/i);

/** Returns a table of the ASCII characters of a class: 1 for each. For long texts, it is faster than a set. */
function codesOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(characters.test(String.fromCharCode(code))));
}

const international =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u;

/**
 * Matches the addresses that records and responses may have, under every option. `aa*` for `a+`: see
 * ARCHITECTURE.md, Long texts.
 */
export const anyAddress = /^[^\s@][^\s@]*@[^\s@][^\s@]*$/;

/**
 * Whether a text is an address of ASCII characters: the same as the format `email` of ajv-formats, whose regular
 * expression overflows the stack at long texts.
 */
export function isAscii(address: string): boolean {
  const at = address.indexOf('@');
  return at > 0 && areAtoms(address, at) && areLabels(address, at + 1);
}

/** Whether the first characters of a text are words with single dots in between. */
function areAtoms(text: string, end: number): boolean {
  let previous = dot;
  for (let index = 0; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === dot ? previous === dot : inWord[code] !== 1) return false;
    previous = code;
  }
  return previous !== dot;
}

/** Whether a text has at least two labels of a host name from an index on, and nothing else. */
function areLabels(text: string, start: number): boolean {
  let previous = dot;
  let dots = 0;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === dot) {
      if (previous === dot || previous === dash) return false;
      dots += 1;
    } else if (inLabel[code] !== 1 || (code === dash && previous === dot)) return false;
    previous = code;
  }
  return dots > 0 && previous !== dot && previous !== dash;
}

/** Whether an address of ASCII characters is not too long for RFC 5321. */
export function isLimited(address: string): boolean {
  return isShort(address) && isAscii(address);
}

/** Whether an address is one with letters of any script. */
export function isInternational(address: string): boolean {
  return (
    address.length <= maxChars && encoder.encode(address).length <= maxChars && international.test(address)
  );
}

/** Whether the options of `emailFormat` disagree about an address. */
export function isDisputed(address: string): boolean {
  return isAscii(address) ? !isShort(address) : isInternational(address);
}

/** Whether an address has a length that RFC 5321 allows. */
export function isShort(address: string): boolean {
  return address.length <= maxChars && address.indexOf('@') <= maxWordChars;
}
