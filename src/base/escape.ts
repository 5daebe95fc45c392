const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What no reader is to meet as it is: controls, halves of characters, what turns the direction of text, and what XML 1.0 cannot hold. */
const unprintable = /[^\t\n\r\P{Cc}]|[\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** Text as it may stand in XML and HTML. */
export function escapedXml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Text on one line of at most so many characters, for terminals, tables and attributes. */
export function oneLine(text: string, most = 400): string {
  const line = printable((text.length > most ? `${text.slice(0, most - 1)}…` : text).replaceAll(/\s+/g, ' '));
  return line.trim();
}

function printable(text: string): string {
  return text.replaceAll(unprintable, '\ufffd');
}
