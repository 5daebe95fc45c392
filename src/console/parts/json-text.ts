import { pointerBelow, type JsonLine } from './json-lines.ts';

/** JSON tokens: strings, punctuation, everything else. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * Formats a JSON text, changing only whitespace: duplicate members, number formats, escapes and order stay.
 * Throws if it is not JSON.
 */
export function jsonTextLines(text: string): readonly JsonLine[] {
  JSON.parse(text);
  const tokens = text.match(token) ?? [];
  const lines: { readonly pointer: string | null; text: string }[] = [];
  let at = 0;
  const take = (): string => tokens[at++] ?? '';
  const value = (pointer: string, before: string, indent: string): void => {
    const open = take();
    const isObject = open === '{';
    const close = isObject ? '}' : ']';
    if (!isObject && open !== '[') {
      lines.push({ pointer, text: `${before}${open}` });
      return;
    }
    if (tokens[at] === close) {
      lines.push({ pointer, text: `${before}${open}${take()}` });
      return;
    }
    lines.push({ pointer, text: `${before}${open}` });
    for (let index = 0, separator = ','; separator === ','; index += 1) {
      const last = lines.at(-1);
      if (index > 0 && last !== undefined) last.text += ',';
      const name = isObject ? take() : '';
      if (isObject) take();
      const below = pointerBelow(pointer, isObject ? String(JSON.parse(name)) : String(index));
      value(below, `${indent}  ${isObject ? `${name}: ` : ''}`, `${indent}  `);
      separator = take();
    }
    lines.push({ pointer: null, text: `${indent}${close}` });
  };
  value('', '', '');
  return lines;
}

/** Returns the pointers that occur more than once. */
export function repeatedIn(lines: readonly JsonLine[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { pointer } of lines) {
    if (pointer !== null && seen.has(pointer)) repeated.add(pointer);
    if (pointer !== null) seen.add(pointer);
  }
  return [...repeated];
}
