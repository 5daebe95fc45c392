import { bytesIn, defaultMemoryBytes } from '../base/amounts.ts';
import { bytesOfEntry, bytesOfHeaders } from '../sandbox/journal-bytes.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';

/** Maximum size of a recording; the oldest entries are evicted. */
interface Bounds {
  readonly exchanges: number;
  /** Total size in memory. */
  readonly bytes: number;
}

/**
 * Stores every call of a run, in any sandbox. Clearing a journal or deleting a sandbox has no effect here.
 */
export class Recorder {
  readonly #bounds: Bounds;
  readonly #kept: (StoredEntry | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #evicted = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Returns a recorder with the same bounds as the server's journals together, or a part of them. */
  static of({ journalMemory = '' }: { readonly journalMemory?: number | string }, parts = 1): Recorder {
    const bytes = bytesIn(journalMemory) ?? defaultMemoryBytes(256);
    return new Recorder({ exchanges: 100_000, bytes: bytes / parts });
  }

  /** Number of evicted entries. */
  get evicted(): number {
    return this.#evicted;
  }

  readonly record = (exchange: StoredEntry): void => {
    const previous = this.#kept.length > this.#first ? this.#kept.at(-1) : undefined;
    this.#kept.push(exchange);
    this.#bytes += bytesOfEntry(exchange);
    // Calls of one connection share their headers, which count once.
    if (previous?.requestHeaders !== exchange.requestHeaders)
      this.#bytes += bytesOfHeaders(exchange.requestHeaders);
    while (this.#kept.length - this.#first > this.#bounds.exchanges || this.#bytes > this.#bounds.bytes)
      this.#evict();
  };

  /** The sandboxes that were called, in the order of their first calls. */
  sandboxIds(): readonly string[] {
    return [...new Set(this.stored.map(({ sandboxId }) => sandboxId))];
  }

  /** The entries in the order of their responses. */
  get stored(): readonly StoredEntry[] {
    return this.#kept.filter((kept) => kept !== undefined);
  }

  #evict(): void {
    const oldest = this.#kept[this.#first];
    if (oldest === undefined) return;
    this.#bytes -= bytesOfEntry(oldest);
    if (this.#kept[this.#first + 1]?.requestHeaders !== oldest.requestHeaders)
      this.#bytes -= bytesOfHeaders(oldest.requestHeaders);
    this.#kept[this.#first] = undefined;
    this.#first += 1;
    this.#evicted += 1;
    // Not on each eviction, because it moves all remaining entries.
    if (this.#first > this.#bounds.exchanges) this.#first -= this.#kept.splice(0, this.#first).length;
  }
}
