/** The base of the rolling hash, and the number of bits by which most parts are ruled out. */
const base = 0x01000193;
const sieveBits = 13;
const sieveMask = 2 ** sieveBits - 1;

/** Texts of one length. Finds all of them in a text in one pass. */
export class Parts {
  readonly #size: number;
  readonly #hashes = new Set<number>();
  readonly #sieve = new Uint8Array(2 ** sieveBits);
  /** The factor of the character that leaves the window. */
  readonly #leaving: number;

  constructor(size: number) {
    this.#size = size;
    let leaving = 1;
    for (let at = 0; at < size; at += 1) leaving = Math.imul(leaving, base);
    this.#leaving = leaving;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds every part of a text, except those that end before `from`. */
  addAll(text: string, from = 0): void {
    this.#roll(text, (hash, end) => {
      if (end <= from) return;
      this.#hashes.add(hash);
      this.#sieve[sieved(hash)] = 1;
    });
  }

  /** Calls `found` with the end of each part in a text. */
  findIn(text: string, found: (end: number) => void): void {
    if (this.#hashes.size === 0) return;
    this.#roll(text, (hash, end) => {
      if (this.#sieve[sieved(hash)] === 1 && this.#hashes.has(hash)) found(end);
    });
  }

  #roll(text: string, each: (hash: number, end: number) => void): void {
    const size = this.#size;
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
      if (at >= size) hash = (hash - Math.imul(text.charCodeAt(at - size), this.#leaving)) | 0;
      if (at >= size - 1) each(hash, at + 1);
    }
  }
}

function sieved(hash: number): number {
  return (hash ^ (hash >>> sieveBits)) & sieveMask;
}
