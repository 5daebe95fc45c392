/**
 * Text that holds UTF-8 bytes, one per character. Its length is its length in bytes, it needs no encoding
 * when it is sent, and pieces are joined without a scan. ASCII text is its own wire text.
 */
export type WireText = string & { readonly [encoded]: true };

declare const encoded: unique symbol;

/** Marks text that is wire text already: ASCII text, or pieces of wire text, joined or not. */
export function joined(text: string): WireText {
  // Only the caller knows that this is wire text.
  return text as WireText;
}

/** Characters that UTF-8 encodes in more than one byte. */
const beyondAscii = /[\u0080-\uffff]/;

export function toWire(text: string): WireText {
  return joined(beyondAscii.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text);
}

export function fromWire(wire: WireText): string {
  return beyondAscii.test(wire) ? Buffer.from(wire, 'latin1').toString('utf8') : wire;
}
