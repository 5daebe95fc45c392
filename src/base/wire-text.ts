/**
 * Text as it goes over the wire: its UTF-8 bytes, one per character. Its length is its length in bytes, it needs no encoding
 * when it is sent, and putting pieces together never looks inside them. Text in ASCII is the same either way.
 */
export type WireText = string & { readonly [encoded]: true };

declare const encoded: unique symbol;

/** Marks text that is wire text already: text in ASCII, pieces of wire text, or several joined. */
export function joined(text: string): WireText {
  // Only the caller can know; the compiler asks for `toWire` everywhere else.
  return text as WireText;
}

/** Anything that UTF-8 writes in more than one byte. */
const beyondAscii = /[\u0080-\uffff]/;

export function toWire(text: string): WireText {
  return joined(beyondAscii.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text);
}

export function fromWire(wire: WireText): string {
  return beyondAscii.test(wire) ? Buffer.from(wire, 'latin1').toString('utf8') : wire;
}
