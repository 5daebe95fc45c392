import { bytesIn, standardMemory } from '../base/amounts.ts';
import { toEntry, type JournalEntry, type StoredEntry } from '../sandbox/journal-entry.ts';

/** What is kept of a run at most; the oldest makes room. */
interface Bounds {
  readonly exchanges: number;
  /** Of bodies, together. */
  readonly characters: number;
}

/** Every exchange of a run, in whichever sandbox: a client that clears a journal, or removes a sandbox, takes nothing away here. */
export class Recorder {
  readonly #bounds: Bounds;
  readonly #kept: (StoredEntry | undefined)[] = [];
  #first = 0;
  #characters = 0;
  #evicted = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** As large as the journals of the server together. */
  static of({ journalMemory = '' }: { readonly journalMemory?: number | string }): Recorder {
    return new Recorder({ exchanges: 100_000, characters: bytesIn(journalMemory) ?? standardMemory(256) });
  }

  /** How many had to make room. */
  get evicted(): number {
    return this.#evicted;
  }

  readonly record = (exchange: StoredEntry): void => {
    this.#kept.push(exchange);
    this.#characters += size(exchange);
    while (this.#kept.length - this.#first > this.#bounds.exchanges || this.#characters > this.#bounds.characters) this.#evict();
  };

  /** In the order in which they were answered. */
  entries(): readonly JournalEntry[] {
    return this.#all().map(toEntry);
  }

  /** The sandboxes that were called, in the order of their first calls. */
  sandboxIds(): readonly string[] {
    return [...new Set(this.#all().map(({ sandboxId }) => sandboxId))];
  }

  #all(): readonly StoredEntry[] {
    return this.#kept.filter((kept) => kept !== undefined);
  }

  #evict(): void {
    const oldest = this.#kept[this.#first];
    if (oldest !== undefined) this.#characters -= size(oldest);
    this.#kept[this.#first] = undefined;
    this.#first += 1;
    this.#evicted += 1;
    // Rarely, because it moves all that are left.
    if (this.#first > this.#bounds.exchanges) this.#first -= this.#kept.splice(0, this.#first).length;
  }
}

function size({ request, response }: StoredEntry): number {
  return request.length + response.length;
}
