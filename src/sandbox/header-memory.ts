/** Stored headers: names and values in turn. */
export type KeptHeaders = readonly string[];

/** How headers are masked. The results may depend only on the header and the API key. */
interface HeaderMasks {
  readonly shownName: (name: string) => string;
  /** Masks a value. This and `hasKey` receive the name in lower case. */
  readonly shown: (name: string, value: string) => string;
  /** Whether a value has the API key, although its header is not for keys. */
  readonly hasKey: (name: string, value: string) => boolean;
}

/**
 * Stores repeated headers once: a client sends the same headers with every call of a connection, and the
 * journal stores thousands of calls.
 */
export class HeaderMemory {
  #lastRaw: readonly string[] = [];
  #lastKept: KeptHeaders = [];
  #lastKey: string | undefined;
  /** For each header, whether it has the key, in its name or value, although it is not the header of the key. */
  #haveKey: readonly boolean[] = [];

  /** Whether one of the headers that were stored last has the key, although it is not the header of the key. */
  get haveKey(): boolean {
    return this.#haveKey.includes(true);
  }

  /**
   * Returns the headers to store. The masks are called only for headers that differ from the previous call, which
   * are few (usually Content-Length).
   */
  keep(
    raw: readonly string[],
    key: string | undefined,
    { shownName, shown, hasKey }: HeaderMasks,
  ): KeptHeaders {
    if (isSame(raw, this.#lastRaw)) return this.#lastKept;
    const known = key === this.#lastKey ? this.#lastRaw : [];
    const stored: string[] = [];
    const haveKey: boolean[] = [];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const value = raw[at + 1] ?? '';
      const isKnown = name === known[at] && value === known[at + 1];
      const storedName = name === known[at] ? (this.#lastKept[at] ?? '') : shownName(name);
      stored.push(storedName, isKnown ? (this.#lastKept[at + 1] ?? '') : shown(name.toLowerCase(), value));
      const has = (): boolean => storedName !== name || hasKey(name.toLowerCase(), value);
      haveKey.push(isKnown ? (this.#haveKey[at / 2] ?? false) : has());
    }
    this.#lastKey = key;
    this.#lastRaw = raw;
    this.#haveKey = haveKey;
    this.#lastKept = Object.freeze(stored);
    return this.#lastKept;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
