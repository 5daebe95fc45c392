import { wrapText } from '../base/wrap-text.ts';

/** In a narrower column, a text is hard to read; it then has its own lines below its term. */
const minTextWidth = 30;

/** The indentation of a text below its term. */
const below = 6;

/** No terminal is narrower, as far as the help is concerned. */
const minColumns = 40;

/**
 * Returns the lines of a list of terms with texts, in two columns. `columns` is the width of the terminal; null
 * if the output is no terminal: then each text is one line.
 */
export function termLines(
  terms: readonly (readonly [term: string, text: string])[],
  columns: number | null,
): readonly string[] {
  const width = Math.max(...terms.map(([term]) => term.length));
  return terms.flatMap(([term, text]) => {
    const head = `  ${term.padEnd(width)}  `;
    if (columns === null) return [`${head}${text}`];
    const room = Math.max(columns, minColumns) - head.length;
    if (room >= minTextWidth) return hanging(head, wrapText(text, room));
    const lines = wrapText(text, Math.max(columns, minColumns) - below);
    return [`  ${term}`, ...lines.map((line) => `${' '.repeat(below)}${line}`)];
  });
}

/** Returns the lines of a note. Its further lines begin where the text of the first one does. */
export function noteLines(note: string, columns: number | null): readonly string[] {
  if (columns === null) return [note];
  const [head = ''] = /^ *(?:\d+ +)?/.exec(note) ?? [];
  return hanging(head, wrapText(note.slice(head.length), Math.max(columns, minColumns) - head.length));
}

function hanging(head: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`);
}
