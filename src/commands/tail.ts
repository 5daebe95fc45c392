/** The last characters of a text of any length. */
export class Tail {
  readonly #maxChars: number;
  #text = '';
  #isCut = false;

  /** Stores up to twice `maxChars` before it cuts. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  readonly add = (piece: string): void => {
    this.#text += piece;
    // It does not cut for every piece, because cutting copies the rest.
    if (this.#text.length > 2 * this.#maxChars) this.#cut();
  };

  /** Starts with … if the beginning was cut. */
  get text(): string {
    if (this.#text.length > this.#maxChars) this.#cut();
    return this.#isCut ? `…${this.#text}` : this.#text;
  }

  #cut(): void {
    this.#text = this.#text.slice(-this.#maxChars);
    this.#isCut = true;
  }
}
