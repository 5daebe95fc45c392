import { endIn, lowerCase, separator, startIn, type View } from './views.ts';

/**
 * An index before a number, as in the JSON of a `Uint8Array`, or a number of one byte: `0x73`, `0x0073`, `U+0073`,
 * seven or eight bits, or decimal, also `0115` and `115.0`.
 */
const token =
  /"\d+"\s*:|(?<![\da-z])(?:(?:0x|u\+)(?:00)?([\da-f]{2})|(?:0b)?([01]{7,8})|0?(\d{1,3})(?:\.0{1,9})?)(?![\da-z])/g;

/**
 * An octal number of one byte: `\\122`, `\\0122`, `\\o{122}`, `0122` or `0o122`. Escapes may be decoded before, up to
 * their digits.
 */
const octalToken = /(?<![\da-z])(?:0o?|o\{)?([0-7]{2,3})(?![\da-z])/g;

/** Two octal numbers in a row. Most texts have none. */
const mayBeOctal = /(?<![\da-z])(?:0o?|o\{)?[0-7]{2,3}[^\da-z]{1,9}(?:0o?|o\{)?[0-7]{2,3}(?![\da-z])/;

/** Between two numbers of a list. */
const betweenNumbers = /^[^\da-z]*$/;

/** Returns the numbers in a text as the characters that they stand for: a service may send the bytes of a key. */
export function numberView(view: View): View {
  return viewOf(view, token, codeOf);
}

/** Returns the same for octal numbers, as a list of one view; an empty list if there are none. */
export function octalViews(view: View): readonly View[] {
  if (!mayBeOctal.test(view.text)) return [];
  return [viewOf(view, octalToken, ([, octal = '']) => Number.parseInt(octal, 8))];
}

function viewOf(view: View, numbers: RegExp, code: (match: RegExpExecArray) => number | null): View {
  const { text } = view;
  const characters: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (character: string, from: number, to: number): void => {
    characters.push(character);
    starts.push(startIn(view, from));
    ends.push(endIn(view, to - 1));
  };
  let done = 0;
  for (const match of text.matchAll(numbers)) {
    const { index } = match;
    const isNext = betweenNumbers.test(text.slice(done, index));
    if (!isNext) add(separator, index, index + 1);
    done = index + match[0].length;
    const number = code(match);
    // Every second byte of UTF-16 is zero.
    if (number !== null && number !== 0) add(characterOf(number), index, done);
  }
  return {
    kind: 'numbers',
    text: characters.join(''),
    places: { starts: Int32Array.from(starts), ends: Int32Array.from(ends) },
  };
}

/** Returns the number; null for an index. */
function codeOf([, hexadecimal, bits, decimal]: RegExpExecArray): number | null {
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  if (bits !== undefined) return Number.parseInt(bits, 2);
  return decimal === undefined ? null : Number(decimal);
}

function characterOf(code: number): string {
  return code > 0x20 && code < 0x7f ? lowerCase(String.fromCharCode(code)) : separator;
}
