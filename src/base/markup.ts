import { escapedXml } from './escape.ts';

/** A piece of HTML or XML, as opposed to text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

/**
 * A template tag for markup. Escapes every part that is not markup itself, so that no text from a client
 * becomes a tag.
 */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(pieces.map((piece, index) => piece + textOf(parts[index] ?? '')).join(''));
}

export const nothing = new Markup('');

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapedXml(part);
  return typeof part === 'number' ? String(part) : part.map(({ text }) => text).join('\n');
}
