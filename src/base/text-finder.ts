/**
 * Up to this product of the lengths of the text and the searched part, the built-in search is used. It is fastest for
 * ordinary texts, but a client that chooses both can make it take time proportional to the product: a few milliseconds
 * at this limit.
 */
const maxProduct = 20_000_000;

/** Returns whether to ignore an occurrence. */
export type Exception = (text: string, start: number, end: number) => boolean;

const noException: Exception = () => false;

/** Finds a part in texts, in time proportional to their lengths, whatever they are. */
export class TextFinder {
  readonly #part: string;
  #linear: LinearFinder | null = null;

  constructor(part: string) {
    this.#part = part;
  }

  isIn(text: string, isException: Exception = noException): boolean {
    const size = this.#part.length;
    if (text.length < size) return false;
    const { first } = this.#isShort(text) ? this.#directly(text) : this.#linearly(text);
    let at = first(0);
    while (at >= 0 && isException(text, at, at + size)) at = first(at + size);
    return at >= 0;
  }

  /** Returns the text with another one in place of every occurrence of the part that counts. */
  replaceIn(text: string, other: string, isException: Exception = noException): string {
    const size = this.#part.length;
    if (text.length < size) return text;
    if (this.#isShort(text))
      return text.replaceAll(this.#part, (part, at: number) =>
        isException(text, at, at + size) ? part : other,
      );
    const { first } = this.#linearly(text);
    let replaced = '';
    let done = 0;
    for (let at = first(0); at >= 0; at = first(at + size)) {
      if (isException(text, at, at + size)) continue;
      replaced += text.slice(done, at) + other;
      done = at + size;
    }
    return done === 0 ? text : replaced + text.slice(done);
  }

  #isShort(text: string): boolean {
    return text.length * this.#part.length <= maxProduct;
  }

  #directly(text: string): { first(from: number): number } {
    return { first: (from) => text.indexOf(this.#part, from) };
  }

  #linearly(text: string): { first(from: number): number } {
    const finder = (this.#linear ??= new LinearFinder(this.#part));
    const units = unitsOf(text);
    return { first: (from) => finder.indexIn(units, from) };
  }
}

/** The algorithm of Knuth, Morris and Pratt. */
class LinearFinder {
  readonly #part: Uint16Array;
  /** For each beginning of the part, the length of its longest proper beginning that is also its end. */
  readonly #borders: Int32Array;

  constructor(text: string) {
    const part = unitsOf(text);
    const borders = new Int32Array(part.length);
    for (let at = 1; at < part.length; at += 1)
      borders[at] = grown(part, borders, borders[at - 1] ?? 0, part[at] ?? 0);
    this.#part = part;
    this.#borders = borders;
  }

  indexIn(text: Uint16Array, from: number): number {
    const [part, borders] = [this.#part, this.#borders];
    let matched = 0;
    for (let at = from; at < text.length; at += 1) {
      matched = grown(part, borders, matched, text[at] ?? 0);
      if (matched === part.length) return at - matched + 1;
    }
    return -1;
  }
}

/** Returns how much of the part matches after one more unit of the text. */
function grown(part: Uint16Array, borders: Int32Array, before: number, unit: number): number {
  let matched = before;
  while (matched > 0 && part[matched] !== unit) matched = borders[matched - 1] ?? 0;
  return part[matched] === unit ? matched + 1 : matched;
}

/** Faster to read one by one than the characters of a string. */
function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}
