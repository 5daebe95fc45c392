/** Divides a text into pieces. Surrogate pairs stay together, because each half alone is not a character. */
export function* textPieces(text: string, length: number): Generator<string, void, void> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    yield text.slice(from, to);
    from = to;
  }
}
