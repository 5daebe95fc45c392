/** The maximum length of an escape; a character outside the basic plane counts as two. */
export const maxEscape = 10;

/** The end of a text in the middle of an escape. */
const cutEscape = /^\\(?:u[\da-fA-F]{0,3})?$/;

/**
 * Returns what is wrong with an invalid escape, which it quotes as it was sent. Null if the text ends in it. `rest` is
 * the text from the backslash on, of up to `maxEscape` characters.
 */
export function whyNoEscape(rest: string): string | null {
  if (cutEscape.test(rest)) return null;
  const [sent = '\\'] = /^\\(?:u[^"\\\p{Cc}]{0,4}|[^\p{Cc}])/u.exec(rest) ?? [];
  const shown = sent === '\\' ? 'a backslash before a line break or another control character' : `"${sent}"`;
  const why = sent.startsWith('\\u') ? ': \\u needs four hexadecimal digits' : '';
  return `${shown} is not a JSON escape${why}. Write a backslash as \\\\.`;
}
