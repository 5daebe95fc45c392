import { parseJson } from '../../contract/envelope.ts';
import { isObject } from '../../base/is-object.ts';
import { isTooDeep } from '../../base/json-depth.ts';

/** A remark about a place in a body. */
interface Remark {
  readonly pointer: string;
  readonly message: string;
}

/** A part of a body, with remarks on its lines. Line 0 is the request or the response as a whole. */
interface Excerpt {
  readonly text: string;
  readonly marks: readonly { readonly line: number; readonly message: string }[];
}

/** Bounds of an excerpt. Fields and elements with remarks are shown in addition. */
const max = {
  lines: 60,
  /** Of a value that is not split into lines. */
  lineChars: 72,
  anyLineChars: 230,
  stringChars: 160,
  fields: 12,
  elements: 2,
  depth: 10,
  rawChars: 1500,
  marks: 10,
};

/**
 * Returns the parts of a body that matter: JSON with one field on each line, the first elements of lists, and
 * the places of remarks. `cut` is the number of characters that were not stored.
 */
export function excerptOf(body: string, cut: number, remarks: readonly Remark[]): Excerpt {
  const shown = remarks.slice(0, max.marks);
  const json = body === '' || isTooDeep(body) ? undefined : parseJson(body);
  if (json === undefined) {
    const rest = cut + Math.max(0, body.length - max.rawChars);
    const text = `${body.slice(0, max.rawChars)}${rest > 0 ? `… ${rest} more characters` : ''}`;
    return { text, marks: shown.map(({ message }) => ({ line: 0, message })) };
  }
  const printer = new Printer(shown.map(({ pointer }) => pointer));
  printer.print(json, { pointer: '', indent: '', start: '', end: '' });
  const marks = shown.map(({ pointer, message }) => ({ line: printer.lineOf(pointer), message }));
  return { text: printer.lines.map(shortLine).join('\n'), marks };
}

/** The place of a value: its pointer, and the text before and after it on its line. */
interface Place {
  readonly pointer: string;
  readonly indent: string;
  readonly start: string;
  readonly end: string;
}

class Printer {
  readonly lines: string[] = [];
  readonly #lineOf = new Map<string, number>();
  /** The pointers of the remarks and of everything around them. */
  readonly #wanted: ReadonlySet<string>;

  constructor(pointers: readonly string[]) {
    this.#wanted = new Set(pointers.flatMap(prefixesOf));
  }

  /** Returns the line of a place, or of what is around it; 0 for the whole. */
  lineOf(pointer: string): number {
    if (pointer === '') return 0;
    const nearest = prefixesOf(pointer).findLast((prefix) => this.#lineOf.has(prefix));
    return nearest === undefined ? 0 : (this.#lineOf.get(nearest) ?? 0);
  }

  print(value: unknown, place: Place): void {
    const { pointer, indent, start, end } = place;
    if (this.#add(`${indent}${start}`)) this.#lineOf.set(pointer, this.lines.length);
    else return;
    const text = typeof value === 'object' && value !== null ? null : shortValue(value);
    const line = text ?? this.#onOneLine(value, place);
    if (line !== null) return this.#append(`${line}${end}`);
    const members = membersOf(value);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    this.#append(open ?? '');
    const shown = members.filter(
      ([key], index) =>
        index < (Array.isArray(value) ? max.elements : max.fields) ||
        this.#wanted.has(`${pointer}/${escaped(key)}`),
    );
    let next = 0;
    for (const [key, member, index] of shown) {
      if (index > next) this.#add(`${indent}  … ${index - next} more`);
      next = index + 1;
      const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
      const comma = next < members.length ? ',' : '';
      this.print(member, {
        pointer: `${pointer}/${escaped(key)}`,
        indent: `${indent}  `,
        start: name,
        end: comma,
      });
    }
    if (members.length > next) this.#add(`${indent}  … ${members.length - next} more`);
    this.#add(`${indent}${close}${end}`);
  }

  /** Returns a short value without remarks in it as one line; null for others. */
  #onOneLine(value: unknown, { pointer, indent }: Place): string | null {
    const text = JSON.stringify(value);
    const isMarkedInside =
      text.length > 2 && [...this.#wanted].some((wanted) => wanted.startsWith(`${pointer}/`));
    if (!isMarkedInside && text.length <= max.lineChars) return text;
    return indent.length >= 2 * max.depth ? `${text.slice(0, max.lineChars)}…` : null;
  }

  /** Starts a line. Returns false if there is no room. */
  #add(line: string): boolean {
    if (this.lines.length > max.lines) return false;
    this.lines.push(this.lines.length === max.lines ? '…' : line);
    return this.lines.length <= max.lines;
  }

  /** Extends the last line. */
  #append(text: string): void {
    this.lines.push(`${this.lines.pop() ?? ''}${text}`);
  }
}

function membersOf(value: unknown): readonly (readonly [key: string, member: unknown, index: number])[] {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [String(index), member, index]);
  return isObject(value) ? Object.entries(value).map(([key, member], index) => [key, member, index]) : [];
}

function shortLine(line: string): string {
  return line.length <= max.anyLineChars ? line : `${line.slice(0, max.anyLineChars)}…`;
}

function shortValue(value: unknown): string {
  if (typeof value !== 'string' || value.length <= max.stringChars) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, max.stringChars)).slice(0, -1)}… ${value.length - max.stringChars} more characters"`;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns a pointer and the pointers of everything around it, the outermost first. */
function prefixesOf(pointer: string): readonly string[] {
  const parts = pointer.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
