const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that are never shown: controls, lone surrogates, characters that change the text direction, and
 * those that XML 1.0 forbids.
 */
const unprintable = /[^\t\n\r\P{Cc}]|[\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** Escapes text for XML and HTML. */
export function escapedXml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Returns text as one line of at most `maxLength` characters, for terminals, tables and attributes. */
export function oneLine(text: string, maxLength = 400): string {
  const line = printable(
    (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text).replaceAll(/\s+/g, ' '),
  );
  return line.trim();
}

/** Returns text without the characters that can change what a terminal or a page shows. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '\ufffd');
}

/** Escapes unprintable characters in a JSON text, as in `\u202e`. They can only be in strings. */
export function printableJson(json: string): string {
  return json.replaceAll(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the JSON of a value for people: a file, or the output on a terminal. */
export function jsonText(value: object): string {
  return `${printableJson(JSON.stringify(value, null, 2))}\n`;
}
