import { endIn, lowerCase, separator, startIn, type View } from './views.ts';

/**
 * An index before a number, as in the JSON of a `Uint8Array`, or a number: up to eight bytes in hexadecimal, such as
 * `0x73`, `U+0073` and `0x71375a74`, or one byte in seven or eight bits, or decimal, also `0115` and `115.0`.
 */
const token =
  /"\d+"\s*:|(?<![\da-z])(?:(?:0x|u\+)((?:[\da-f]{2}){1,8})|(?:0b)?([01]{7,8})|0?(\d{1,3})(?:\.0{1,9})?)(?![\da-z])/g;

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
  return viewOf(view, token, codesOf);
}

/** Returns the same for octal numbers, as a list of one view; an empty list if there are none. */
export function octalViews(view: View): readonly View[] {
  if (!mayBeOctal.test(view.text)) return [];
  return [viewOf(view, octalToken, ([, octal = '']) => [Number.parseInt(octal, 8)])];
}

function viewOf(view: View, numbers: RegExp, codes: (match: RegExpExecArray) => readonly number[]): View {
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
    // Every second byte of UTF-16 is zero.
    for (const code of codes(match)) if (code !== 0) add(characterOf(code), index, done);
  }
  return {
    kind: 'numbers',
    text: characters.join(''),
    places: { starts: Int32Array.from(starts), ends: Int32Array.from(ends) },
  };
}

/** Returns the bytes of a number; none for an index. */
function codesOf([, hexadecimal, bits, decimal]: RegExpExecArray): readonly number[] {
  if (hexadecimal !== undefined) return [...Buffer.from(hexadecimal, 'hex')];
  if (bits !== undefined) return [Number.parseInt(bits, 2)];
  return decimal === undefined ? [] : [Number(decimal)];
}

function characterOf(code: number): string {
  return code > 0x20 && code < 0x7f ? lowerCase(String.fromCharCode(code)) : separator;
}
