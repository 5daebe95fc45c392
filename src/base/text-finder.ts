/**
 * Up to this product of the lengths of a text and the part to find, the search that is built into the language is
 * used. It is the fastest for usual texts, but takes time proportional to the product if a client chooses both, such
 * as `aaab…` and `a` many times: some milliseconds for this one.
 */
const maxProduct = 20_000_000;

/** Finds a part in texts, in time proportional to their lengths, whatever they are. */
export class TextFinder {
  readonly #part: string;
  #linear: LinearFinder | null = null;

  constructor(part: string) {
    this.#part = part;
  }

  isIn(text: string): boolean {
    if (text.length < this.#part.length) return false;
    return this.#isShort(text) ? text.includes(this.#part) : this.#linearly(text).first(0) >= 0;
  }

  /** Returns the text with another one in place of every occurrence of the part. */
  replaceIn(text: string, other: string): string {
    if (text.length < this.#part.length) return text;
    if (this.#isShort(text)) return text.replaceAll(this.#part, () => other);
    const occurrences = this.#linearly(text);
    let replaced = '';
    let done = 0;
    for (let at = occurrences.first(0); at >= 0; at = occurrences.first(done)) {
      replaced += text.slice(done, at) + other;
      done = at + this.#part.length;
    }
    return done === 0 ? text : replaced + text.slice(done);
  }

  #isShort(text: string): boolean {
    return text.length * this.#part.length <= maxProduct;
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
