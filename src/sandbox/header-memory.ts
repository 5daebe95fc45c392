/** Names and values of headers, one after the other, as they are kept. */
export type KeptHeaders = readonly string[];

/**
 * Keeps headers once where calls repeat them: a client sends the same ones with every call of a connection, and thousands of exchanges
 * are kept.
 */
export class HeaderMemory {
  #lastRaw: readonly string[] = [];
  #lastKept: KeptHeaders = [];

  /** The headers as they are kept: `shown` gives the value of each as it may be. */
  keep(raw: readonly string[], shown: (name: string, value: string) => string): KeptHeaders {
    if (isSame(raw, this.#lastRaw)) return this.#lastKept;
    const kept: string[] = [];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at] ?? '';
      kept.push(name, shown(name.toLowerCase(), raw[at + 1] ?? ''));
    }
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
