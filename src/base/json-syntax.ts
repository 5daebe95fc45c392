import { maxEscape, whyNoEscape } from './json-escape.ts';
import { NumberReader } from './json-number.ts';
import type { SlicedWork } from './sliced-work.ts';

/** What may come next in a JSON text. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' | 'nothing';

/** The number of tokens that are read without a pause. */
const sliceTokens = 20_000;

/** The maximum length of a quoted part. */
const maxQuoted = 20;

/** The number of characters that are read without a pause. Each expression reads at most half as many. */
const sliceChars = 65_536;

const blanks = /[ \t\r\n]{0,32768}/y;
const literal = /(?:true|false|null)(?![\w.+-])/y;
const word = /[\w$.+-]+/y;
/** All but quotation marks, backslashes and control characters. */
const plainText = /[ !#-[\]-\uffff]{0,32768}/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Returns where and why a text is not JSON, to follow "The body": `is not JSON at line 1, column 9: …`. Null if
 * it is JSON. The words are the same in every version of Node.js.
 */
export function* jsonErrorIn(text: string): SlicedWork<string | null> {
  const reader = new Reader(text);
  let slice = 0;
  for (let tokens = 1; !reader.isAtEnd; tokens += 1) {
    if (tokens % sliceTokens === 0 || reader.at - slice >= sliceChars) {
      slice = reader.at;
      yield;
    }
    const wrong = reader.readToken();
    if (wrong !== null) return `is not JSON at ${yield* placeIn(text, reader.at)}: ${wrong}`;
  }
  const unfinished = reader.unfinished();
  if (unfinished !== null)
    return `is not JSON: it ends inside the ${unfinished.kind} that starts at ${yield* placeIn(text, unfinished.from)}.`;
  return reader.isComplete ? null : 'is not JSON: it has no value.';
}

/** The number of lines that are counted without a pause. */
const sliceLines = 100_000;

/** Returns a place in words, counted from 1. */
function* placeIn(text: string, at: number): SlicedWork<string> {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
    if (line % sliceLines === 0) yield;
  }
  return `line ${line}, column ${at - start + 1}`;
}

/** Reads a text token by token. It does not use the call stack, so any depth is safe. */
class Reader {
  readonly #text: string;
  /** Where the open arrays and objects begin. */
  readonly #open: number[] = [];
  #at = 0;
  /** Where the text begins that is being read; -1 if none is. */
  #textFrom = -1;
  #number: NumberReader | null = null;
  #expected: Expected = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Whether the text has a complete value. */
  get isComplete(): boolean {
    return this.#expected === 'nothing' && this.unfinished() === null;
  }

  /** Returns what is open at the end of the text, or null. */
  unfinished(): { readonly kind: 'string' | 'array' | 'object'; readonly from: number } | null {
    if (this.#textFrom >= 0) return { kind: 'string', from: this.#textFrom };
    const from = this.#open.at(-1);
    return from === undefined ? null : { kind: this.#isInArray() ? 'array' : 'object', from };
  }

  /** Reads a token, or a part of a long one. Returns what is wrong with it, or null. */
  readToken(): string | null {
    if (this.#textFrom >= 0) return this.#readText();
    if (this.#number !== null) return this.#readNumber(this.#number);
    this.#skip(blanks);
    const character = this.#text[this.#at];
    return character === undefined || /[ \t\r\n]/.test(character) ? null : this.#readToken(character);
  }

  #readToken(character: string): string | null {
    switch (this.#expected) {
      case 'value':
      case 'value or ]':
        return this.#readValue(character);
      case 'name':
      case 'name or }':
        return this.#readName(character);
      case 'colon':
        return character === ':'
          ? this.#take('value')
          : this.#unexpected('a colon after the name of a field');
      case 'comma or end':
        return this.#readComma(character);
      case 'nothing':
        return `${this.#quoted()} follows the end of the JSON. Remove it.`;
    }
  }

  #readValue(character: string): string | null {
    if (character === '"') return this.#beginText(this.#afterValue());
    if (character === '[' || character === '{') {
      this.#open.push(this.#at);
      return this.#take(character === '[' ? 'value or ]' : 'name or }');
    }
    if (character === ']' && this.#expected === 'value or ]') return this.#close();
    if (character === ']' && this.#isInArray()) return tooManyCommas(']');
    if (this.#skip(literal)) {
      this.#expected = this.#afterValue();
      return null;
    }
    this.#number = NumberReader.startAt(this.#text, this.#at);
    if (this.#number !== null) {
      this.#expected = this.#afterValue();
      return this.#readNumber(this.#number);
    }
    if (character === "'") return singleQuotes;
    if (/[-+.\d]/.test(character)) return this.#noNumber();
    if (/[\w$]/.test(character))
      return `${this.#quoted()} is not a JSON value. Strings need double quotes; other values are numbers, true, false and null.`;
    return this.#unexpected('a value');
  }

  #readName(character: string): string | null {
    if (character === '"') return this.#beginText('colon');
    if (character === '}') return this.#expected === 'name or }' ? this.#close() : tooManyCommas('}');
    if (character === "'") return singleQuotes;
    return this.#unexpected('the name of a field in double quotes');
  }

  #readComma(character: string): string | null {
    const end = this.#isInArray() ? ']' : '}';
    if (character === end) return this.#close();
    if (character === ',') return this.#take(this.#isInArray() ? 'value' : 'name');
    return this.#unexpected(`a comma or "${end}"`);
  }

  #beginText(next: Expected): null {
    this.#textFrom = this.#at;
    return this.#take(next);
  }

  #readNumber(number: NumberReader): string | null {
    const read = number.read();
    this.#at = number.at;
    if (read === 'unfinished') return null;
    this.#number = null;
    if (read === 'number') return null;
    this.#at = number.from;
    return this.#noNumber();
  }

  #noNumber(): string {
    return `${this.#quoted()} is not a JSON number. Examples: 7, -0.5, 1e3.`;
  }

  /** Reads a text up to its end or its next escape, or some thousand characters: it can have millions of each. */
  #readText(): string | null {
    this.#skip(plainText);
    const character = this.#text[this.#at];
    if (character === '"') {
      this.#textFrom = -1;
      this.#at += 1;
      return null;
    }
    if (character === undefined || this.#skip(escape) || isPlain(character)) return null;
    return character === '\\'
      ? this.#wrongEscape()
      : 'a string contains a line break or another control character. Write it as an escape, such as \\n.';
  }

  /** Returns what is wrong with an escape, or null if the text ends in it. */
  #wrongEscape(): string | null {
    const wrong = whyNoEscape(this.#text.slice(this.#at, this.#at + maxEscape));
    if (wrong === null) this.#at = this.#text.length;
    return wrong;
  }

  #take(next: Expected): null {
    this.#at += 1;
    this.#expected = next;
    return null;
  }

  #close(): null {
    this.#open.pop();
    return this.#take(this.#afterValue());
  }

  #afterValue(): Expected {
    return this.#open.length === 0 ? 'nothing' : 'comma or end';
  }

  #isInArray(): boolean {
    return this.#text[this.#open.at(-1) ?? -1] === '[';
  }

  /** Moves past a match. Returns whether there is one. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #unexpected(wanted: string): string {
    const isComment = /^(?:\/[/*]|#)/.test(this.#text.slice(this.#at, this.#at + 2));
    return `expected ${wanted}, but found ${this.#quoted()}.${isComment ? ' JSON has no comments.' : ''}`;
  }

  /** Returns the word or the character at the place. */
  #quoted(): string {
    word.lastIndex = this.#at;
    const found = word.exec(this.#text.slice(0, this.#at + maxQuoted))?.[0];
    return JSON.stringify(found ?? String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
  }
}

const isPlain = (character: string): boolean => character >= ' ' && character !== '\\';

const singleQuotes = 'strings and field names need double quotes, not single quotes.';

function tooManyCommas(end: string): string {
  return `a comma comes before this "${end}". Remove the comma.`;
}
