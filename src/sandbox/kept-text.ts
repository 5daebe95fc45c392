import { joined, type WireText } from '../base/wire-text.ts';

/** Characters of a body that the journal keeps. */
export const maxKeptChars = 64 * 1024;

/** The first part of a text, if it is too long to be kept whole. */
export function keptPart(text: string): string {
  return text.length <= maxKeptChars ? text : copyOf(text.slice(0, maxKeptChars));
}

/** The same for wire text, whose characters may take several bytes: none is torn apart. */
export function keptWire(wire: WireText): WireText {
  if (wire.length <= maxKeptChars) return wire;
  let end = maxKeptChars;
  while ((wire.charCodeAt(end) & 0xc0) === 0x80) end -= 1;
  return joined(copyOf(wire.slice(0, end)));
}

/** Anything that JavaScript cannot store in one byte per character. */
const wide = /[\u0100-\uffff]/;

/** Whether JavaScript needs two bytes for each character of a text. */
export function isWide(text: string): boolean {
  return wide.test(text);
}

/** A part of a text holds on to the whole of it, unless it is copied; in as few bytes as it takes. */
function copyOf(part: string): string {
  const encoding = isWide(part) ? 'utf16le' : 'latin1';
  return Buffer.from(part, encoding).toString(encoding);
}
