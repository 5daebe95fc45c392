import { joined, type WireText } from '../base/wire-text.ts';

/** The maximum number of characters of a body that the journal stores. */
export const maxKeptChars = 64 * 1024;

/** Returns the part of a text that the journal stores. */
export function keptPart(text: string, maxChars = maxKeptChars): string {
  return text.length <= maxChars ? text : copyOf(text.slice(0, maxChars));
}

/** Returns the part of a wire text that the journal stores. Does not split characters of several bytes. */
export function keptWire(wire: WireText): WireText {
  if (wire.length <= maxKeptChars) return wire;
  let end = maxKeptChars;
  while ((wire.charCodeAt(end) & 0xc0) === 0x80) end -= 1;
  return joined(copyOf(wire.slice(0, end)));
}

/** Characters that JavaScript cannot store in one byte. */
const wide = /[\u0100-\uffff]/;

/** Returns whether JavaScript needs two bytes for each character of a text. */
export function isWide(text: string): boolean {
  return wide.test(text);
}

/** Copies a part of a text, which would otherwise keep the whole text in memory. */
function copyOf(part: string): string {
  const encoding = isWide(part) ? 'utf16le' : 'latin1';
  return Buffer.from(part, encoding).toString(encoding);
}
