import type { AssumptionName } from '../assumptions.ts';

/** What became of one element: ok, or the kind of its failure. */
export type ElementOutcome = 'ok' | 'error';

/** One exchange with a client, as it is kept: plain data, the key nowhere whole. */
export interface JournalEntry {
  readonly requestId: string;
  /** The sandbox's time when the call came, ISO 8601. */
  readonly at: string;
  /** Real milliseconds from reading the body to the reply. */
  readonly durationMs: number;
  readonly operation: string;
  /** The school's slug; null where the key named none. */
  readonly school: string | null;
  /** The key, shortened; null where none came. */
  readonly key: string | null;
  readonly address: string;
  readonly status: number;
  /** `ok`, `element-error` where an output is an error, or the kind of refusal. */
  readonly outcome: string;
  readonly outcomes: readonly ElementOutcome[];
  readonly assumed: readonly AssumptionName[];
  readonly request: string;
  readonly response: string;
}

/** What the journal keeps at most, per sandbox. */
const maxEntries = 2000;
const maxCharacters = 16 * 1024 * 1024;

/** The exchanges of one sandbox, newest last, bounded by number and size: the oldest make room. */
export class Journal {
  readonly #kept = new Map<number, { readonly entry: () => JournalEntry; readonly characters: number }>();
  #oldest = 0;
  #next = 0;
  #characters = 0;

  /** Records an exchange. `entry` is put together when somebody reads it; `characters` is about what it holds. */
  record(entry: () => JournalEntry, characters: number): void {
    this.#kept.set(this.#next, { entry, characters });
    this.#next += 1;
    this.#characters += characters;
    while (this.#kept.size > maxEntries || this.#characters > maxCharacters) this.#evict();
  }

  /** The exchanges kept, newest last. */
  list(filter: { readonly operation?: string; readonly outcome?: string } = {}): readonly JournalEntry[] {
    return [...this.#kept.values()]
      .map(({ entry }) => entry())
      .filter(({ operation, outcome }) => (filter.operation ?? operation) === operation && (filter.outcome ?? outcome) === outcome);
  }

  #evict(): void {
    this.#characters -= this.#kept.get(this.#oldest)?.characters ?? 0;
    this.#kept.delete(this.#oldest);
    this.#oldest += 1;
  }
}
