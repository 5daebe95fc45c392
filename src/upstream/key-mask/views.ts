import type { SlicedWork } from '../../base/sliced-work.ts';

/** A text as a reader may understand it, with the place of each of its characters in the original text. */
export interface View {
  /** Whether it is the text itself, only its letters and digits, or what its numbers stand for. */
  readonly kind: 'text' | 'bare' | 'numbers';
  /** In lower case. */
  readonly text: string;
  /** Where each character begins and ends. Null if nothing has moved. */
  readonly places: Places | null;
}

/** The place of each character in the original text. */
interface Places {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Encoded characters: `%73`, `%2573`, `%u0073`, `\u0073`, `\u{73}`, `\x{73}`, `\x73`, `\0073` and `\000073` of CSS, `&#115;`,
 * `&#x73;`, `~1` of a JSON Pointer, escapes such as `\/`, `&amp;` and `\e[`, other forms of a letter, such as full
 * width, and several bytes of UTF-8 that were decoded one by one. A run of backslashes is read once, however long it
 * is.
 */
const encoded =
  /%u([\da-f]{4})|%(?:25)*([\da-f]{2})|(?<!\\)\\+(?:(e|033)(?=\[)|([\da-f]{4}|[\da-f]{6})(?![\da-f])|u([\da-f]{4})|[ux]\{([\da-f]{1,6})\}|x([\da-f]{2})|(["'/])|[bfnrtv0])|&#x([\da-f]{1,6});?|&#(\d{1,7});?|&([a-z]{2,8});|~([01])|([ªº²³¹ſʰ-ʸˡ-ˣᴬ-ᵪᵸᶛ-ᶿⱼⱽꟲ-ꟴ\u2070-\u209c\u2100-\u214f\u2160-\u217f\u2460-\u24ff\uff01-\uff5e]|\ud801\udfa5|\ud835[\udc00-\udfff]|\ud83c[\udd00-\udd89\udde6-\uddff]|\ud83e[\udff0-\udff9])|([\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3})/g;

/** The beginnings of what is encoded. */
const mayBeEncoded =
  /[%\\&~ªº²³¹ſʰ-ʸˡ-ˣᴬ-ᵪᵸᶛ-ᶿⱼⱽꟲ-ꟴ\u2070-\u214f\u2160-\u217f\u2460-\u24ff\uff01-\uff5e\ud801\ud835\ud83c\ud83e]|[\u00c2-\u00f4][\u0080-\u00bf]/;

/** Separates characters, like an escape for no letter or digit. */
export const separator = '\u0001';

const ofPointers: Readonly<Record<string, string>> = { '0': '~', '1': '/' };
const ofNames: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** A text can be encoded several times, but each time costs a pass. */
const maxEncodings = 4;

/** Returns the letters and digits of a text, in lower case: what spaces, dashes and the like separate. */
export function compacted(text: string): string {
  return lowerCase(text).replaceAll(/[^\da-z]+/g, '');
}

/** Unlike `toLowerCase`, never changes the length. */
export function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns a text without encodings; the same view if it has none. */
export function* decodedView(view: View): SlicedWork<View> {
  let decoded = view;
  for (let pass = 0; pass < maxEncodings && mayBeEncoded.test(decoded.text); pass += 1) {
    const next = decodedOnce(decoded);
    if (next === decoded) break;
    decoded = next;
    yield;
  }
  return decoded;
}

function decodedOnce(view: View): View {
  const { text } = view;
  const places = roomFor(text.length);
  const parts: string[] = [];
  let length = 0;
  let next = 0;
  const take = (from: number, to: number): void => {
    places.starts[length] = startIn(view, from);
    places.ends[length] = endIn(view, to - 1);
    length += 1;
  };
  const takeAll = (to: number): void => {
    parts.push(text.slice(next, to));
    for (; next < to; next += 1) take(next, next + 1);
  };
  for (const match of text.matchAll(encoded)) {
    takeAll(match.index);
    parts.push(lowerCase(characterOf(match)));
    next += match[0].length;
    take(match.index, next);
  }
  if (next === 0) return view;
  takeAll(text.length);
  return { kind: 'text', text: parts.join(''), places };
}

/** Returns the one character that an escape stands for. */
function characterOf(match: RegExpExecArray): string {
  const [, percentUnicode, percent, escape, css, unicode, braced, hex, escaped, entityHex, ...rest] = match;
  const [entity, name, pointer, other, bytes] = rest;
  if (escape !== undefined) return '\u001b';
  if (escaped !== undefined) return escaped;
  if (name !== undefined) return ofNames[name] ?? separator;
  if (pointer !== undefined) return ofPointers[pointer] ?? separator;
  if (other !== undefined) return plainLetter(other);
  if (bytes !== undefined) return plainLetter(Buffer.from(bytes, 'latin1').toString());
  const digits = percentUnicode ?? percent ?? css ?? unicode ?? braced ?? hex ?? entityHex;
  const code = digits === undefined ? Number(entity) : Number.parseInt(digits, 16);
  return code > 0 && code <= 0xffff ? String.fromCharCode(code) : separator;
}

/** The first of the letters A to Z in forms that Unicode does not map to them: negative circled, squared, flags. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6] as const;

/** Returns the letter or digit that a character is a form of, also in parentheses or with a full stop. */
function plainLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const start = alphabets.find((first) => code >= first && code < first + 26);
  if (start !== undefined) return String.fromCharCode(0x61 + code - start);
  const plain = character.normalize('NFKC');
  // Others are one letter in parentheses, or a digit with a full stop or a comma.
  const letter = plain.length === 1 ? plain : /^(?:\((\w)\)|(\w)[.,])$/.exec(plain)?.slice(1).join('');
  return letter !== undefined && letter < '\u0080' ? letter : separator;
}

/** Returns only the letters and digits of a text. */
export function bareView(view: View): View {
  const { text } = view;
  const places = roomFor(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isPlain(text.charCodeAt(at))) continue;
    places.starts[length] = startIn(view, at);
    places.ends[length] = endIn(view, at);
    length += 1;
  }
  return { kind: 'bare', text: compacted(text), places };
}

function roomFor(length: number): Places {
  return { starts: new Int32Array(length), ends: new Int32Array(length) };
}

function isPlain(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Returns where a character of a view begins in the original text. */
export function startIn({ places }: View, at: number): number {
  return places === null ? at : (places.starts[at] ?? at);
}

/** Returns where a character of a view ends in the original text. */
export function endIn({ places }: View, at: number): number {
  return places === null ? at + 1 : (places.ends[at] ?? at + 1);
}
