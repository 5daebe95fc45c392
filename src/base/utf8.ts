import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { withoutPause, type SlicedWork } from './sliced-work.ts';

/** The character that a decoder puts in place of invalid bytes. A client may also have sent it. */
export const replacement = '\u{fffd}';

/** Returns the offset of the first byte that is not UTF-8, or null. Decodes only the piece that it is in. */
export function invalidByteIn(bytes: Buffer): number | null {
  return isUtf8(bytes) ? null : withoutPause(firstInvalidByte(bytes));
}

function invalidByteInPiece(bytes: Buffer): number | null {
  if (isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  let offset = 0;
  let decoded = 0;
  for (;;) {
    const at = text.indexOf(replacement, decoded);
    if (at === -1) return null;
    offset += Buffer.byteLength(text.slice(decoded, at));
    if (bytes.toString('latin1', offset, offset + 3) !== '\u00ef\u00bf\u00bd') return offset;
    offset += 3;
    decoded = at + 1;
  }
}

/** The bytes that are examined without a pause. */
const pieceLength = 65_536;

/** Like `invalidByteIn`, for any number of bytes. */
export function* firstInvalidByte(bytes: Buffer): SlicedWork<number | null> {
  for (let from = 0; from < bytes.length;) {
    const to = endOfPiece(bytes, from + pieceLength);
    const at = invalidByteInPiece(bytes.subarray(from, to));
    if (at !== null) return from + at;
    from = to;
    yield;
  }
  return null;
}

/** The bytes that are decoded without a pause. Letters beyond Latin take 10 nanoseconds a byte. */
const decodedLength = 262_144;

/** Decodes bytes of any number. */
export function* decodedText(bytes: Buffer): SlicedWork<string> {
  if (bytes.length <= decodedLength) return bytes.toString('utf8');
  const decoder = new StringDecoder('utf8');
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += decodedLength) {
    pieces.push(decoder.write(bytes.subarray(from, from + decodedLength)));
    yield;
  }
  pieces.push(decoder.end());
  return pieces.join('');
}

/** Returns the offset, or the beginning of the character that it divides. */
function endOfPiece(bytes: Buffer, place: number): number {
  if (place >= bytes.length) return bytes.length;
  for (const end of [place, place - 1, place - 2, place - 3]) if (!isContinuation(bytes[end])) return end;
  // No character has more than 4 bytes.
  return place;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Returns what is wrong with a body that is not UTF-8. */
export function notUtf8(offset: number): string {
  return `is not UTF-8, at byte ${offset}, counted from 0. Send it in UTF-8.`;
}

/** Some clients begin a body with a byte order mark; RFC 8259 lets a server ignore it. */
export function withoutMark(text: string): string {
  return text.startsWith('\u{feff}') ? text.slice(1) : text;
}
