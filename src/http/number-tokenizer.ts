import { Tokenizer } from '@streamparser/json';

/** The maximum length of a number in characters: converting it takes a millisecond. No short body has a longer one. */
export const maxNumberChars = 262_144;

/** Reads the tokens of JSON. A number that is too long has the value NaN. */
export class NumberTokenizer extends Tokenizer {
  #hasLongNumber = false;

  constructor(stringBufferSize: number) {
    // With buffers, long strings and numbers are assembled from pieces; without, character by character. Partial
    // tokens show that a number is too long before it ends: millions of its pieces would fill the memory.
    super({ stringBufferSize, numberBufferSize: 64, emitPartialTokens: true });
  }

  /** Whether a number was too long. It need not have ended. */
  get hasLongNumber(): boolean {
    return this.#hasLongNumber;
  }

  protected override parseNumber(text: string): number {
    if (text.length <= maxNumberChars) return super.parseNumber(text);
    this.#hasLongNumber = true;
    return NaN;
  }
}
