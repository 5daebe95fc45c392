const start = /-?(?:0(?!\d)|[1-9])/y;
const digits = /\d{1,32768}/y;
/** How the later parts of a number begin, in their order. */
const laterParts = [/\.\d/y, /[eE][+-]?\d/y];

/** Reads a JSON number in parts, because it can have millions of digits. */
export class NumberReader {
  readonly #text: string;
  readonly from: number;
  #at: number;
  /** How the next parts may begin. */
  #parts: readonly RegExp[] = laterParts;

  private constructor(text: string, from: number, at: number) {
    this.#text = text;
    this.from = from;
    this.#at = at;
  }

  /** Returns a reader if a number begins at an index, or null. */
  static startAt(text: string, index: number): NumberReader | null {
    start.lastIndex = index;
    return start.test(text) ? new NumberReader(text, index, start.lastIndex) : null;
  }

  /** The index of the first character that was not read. */
  get at(): number {
    return this.#at;
  }

  /** Reads some thousand digits, or the beginning of the next part. */
  read(): 'unfinished' | 'number' | 'no number' {
    this.#skip(digits);
    const next = this.#text[this.#at] ?? '';
    if (/\d/.test(next)) return 'unfinished';
    const found = this.#parts.findIndex((part) => this.#skip(part));
    this.#parts = this.#parts.slice(found + 1);
    if (found >= 0) return 'unfinished';
    return /[\w.+-]/.test(next) ? 'no number' : 'number';
  }

  /** Moves past a match. Returns whether there is one. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
