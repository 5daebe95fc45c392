/** Names and values of headers, one after the other, as they are kept. */
export type KeptHeaders = readonly string[];

/**
 * Keeps headers once where calls repeat them: a client sends the same ones with every call of a connection, and thousands of exchanges
 * are kept.
 */
export class HeaderMemory {
  #lastRaw: readonly string[] = [];
  #lastKept: KeptHeaders = [];
  #lastKey: string | undefined;

  /**
   * The headers as they are kept: `shown` gives the value of each as it may be, which depends on nothing else but the API key. Few
   * differ from one call to the next (most often Content-Length), so `shown` is only asked about those.
   */
  keep(raw: readonly string[], key: string | undefined, shown: (name: string, value: string) => string): KeptHeaders {
    if (isSame(raw, this.#lastRaw)) return this.#lastKept;
    const known = key === this.#lastKey ? this.#lastRaw : [];
    const kept: string[] = [];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const value = raw[at + 1] ?? '';
      const isKnown = name === known[at] && value === known[at + 1];
      kept.push(name, isKnown ? (this.#lastKept[at + 1] ?? '') : shown(name.toLowerCase(), value));
    }
    this.#lastKey = key;
    this.#lastRaw = raw;
    this.#lastKept = Object.freeze(kept);
    return this.#lastKept;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
