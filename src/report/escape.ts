const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that XML 1.0 cannot hold in any way. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text as it may stand in XML and HTML. */
export function escapedXml(text: string): string {
  return text.replaceAll(forbidden, '\ufffd').replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
