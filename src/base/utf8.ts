import { isUtf8 } from 'node:buffer';

/** What a decoder puts in the place of invalid bytes. It may also have been sent as such. */
export const replacement = '\u{fffd}';

/** Returns the offset of the first byte that is not UTF-8, or null. */
export function invalidByteIn(bytes: Buffer): number | null {
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

/** Returns what is wrong with a body that is not UTF-8. */
export function notUtf8(offset: number): string {
  return `is not UTF-8, at byte ${offset}, counted from 0. Send it in UTF-8.`;
}

/** Some clients begin a body with a byte order mark; RFC 8259 lets a server ignore it. */
export function withoutMark(text: string): string {
  return text.startsWith('\u{feff}') ? text.slice(1) : text;
}
