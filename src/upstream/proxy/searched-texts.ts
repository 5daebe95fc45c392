/** Searching so much takes at most a few milliseconds, even if everything is escaped. */
const pieceChars = 16_384;

/** Returns the pieces of a text, of which each repeats the last `overlap` characters of the one before. */
export function* overlapping(text: string, overlap: number): Generator<string, void> {
  const step = Math.max(pieceChars, overlap);
  for (let at = 0; at === 0 || at + overlap < text.length; at += step)
    yield text.slice(at, at + step + overlap);
}

/**
 * Returns a text without the escapes that JSON and URLs allow for printable ASCII, escaped once or several
 * times.
 */
export function unescaped(text: string): string {
  const json = text.includes('\\u00') ? text.replaceAll(/(?<!\\)\\+u00([2-7][\da-f])/gi, characterOf) : text;
  return json.includes('%') ? json.replaceAll(/%([2-7][\da-f])/gi, characterOf) : json;
}

function characterOf(_: string, code: string): string {
  return String.fromCharCode(parseInt(code, 16));
}
