/**
 * Breaks a text between words into lines of at most `width` characters. A longer word has a line of its own.
 */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<=\S) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.trimStart());
  }
  return lines;
}
