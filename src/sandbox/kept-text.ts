import type { WireText } from './wire-text.ts';

/** Characters of a body that the journal keeps. */
export const mostKept = 64 * 1024;

/** A part of a text holds on to the whole of it, unless it is copied. */
export function keptPart(text: string): string {
  return text.length <= mostKept ? text : Buffer.from(text.slice(0, mostKept), 'utf16le').toString('utf16le');
}

/** The same for wire text, whose characters may take several bytes: none is torn apart. */
export function keptWire(wire: WireText): WireText {
  if (wire.length <= mostKept) return wire;
  let end = mostKept;
  while ((wire.charCodeAt(end) & 0xc0) === 0x80) end -= 1;
  return keptPart(wire.slice(0, end));
}
