import { escapedXml } from './escape.ts';

/** A piece of HTML or XML, as opposed to text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** A template of markup. What is put into it is escaped, unless it is such a piece itself: nothing that a client sent can become a tag. */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(pieces.map((piece, index) => piece + textOf(parts[index] ?? '')).join(''));
}

export const nothing = new Markup('');

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapedXml(part);
  return typeof part === 'number' ? String(part) : part.map(({ text }) => text).join('\n');
}
