/** The end of what was written, however much that was. */
export class Tail {
  readonly #most: number;
  #text = '';
  #isCut = false;

  /** `most` is in characters. */
  constructor(most: number) {
    this.#most = most;
  }

  readonly add = (piece: string): void => {
    this.#text += piece;
    // Not at every piece, because it copies what is left.
    if (this.#text.length > 2 * this.#most) this.#cut();
  };

  /** Begins with … where the beginning is gone. */
  get text(): string {
    if (this.#text.length > this.#most) this.#cut();
    return this.#isCut ? `…${this.#text}` : this.#text;
  }

  #cut(): void {
    this.#text = this.#text.slice(-this.#most);
    this.#isCut = true;
  }
}
