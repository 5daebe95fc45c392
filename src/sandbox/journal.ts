import { outcomeOf, requestIdOf, toEntry, type JournalEntry, type KeptExchange } from './journal-entry.ts';

/** What the journal keeps at most, per sandbox. */
const maxEntries = 2000;
const maxCharacters = 16 * 1024 * 1024;

/** Which exchanges are wanted. */
export interface JournalFilter {
  readonly operation?: string;
  readonly outcome?: string;
  readonly school?: string;
  /** Only those after the exchange of this request id, or from this moment on (ISO 8601, the sandbox's time). */
  readonly since?: string;
  /** At most so many: the first ones after `since`, else the newest. */
  readonly limit?: number;
}

/** Exchanges, newest last. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** How many were kept once and had to make room since the journal was last cleared. */
  readonly evicted: number;
  /** Whether more fit the filter, newer ones where `since` is given, else older ones. */
  readonly more: boolean;
}

/** Who is told of what happens to a journal. */
export interface JournalListener {
  exchange(kept: KeptExchange): void;
  /** Somebody emptied it. */
  emptied?(): void;
  /** Nothing more will come: the sandbox is gone. */
  ended?(): void;
}

/** The exchanges of one sandbox, newest last, bounded by number and size: the oldest make room. */
export class Journal {
  /** A ring: the exchange of number n stands at n modulo the length. */
  readonly #ring: (KeptExchange | undefined)[] = [];
  readonly #listeners = new Set<JournalListener>();
  #oldest = 0;
  #next = 0;
  #characters = 0;
  #evicted = 0;

  record(exchange: KeptExchange): void {
    if (this.#next - this.#oldest >= maxEntries) this.#evict();
    this.#ring[this.#next % maxEntries] = exchange;
    this.#next += 1;
    this.#characters += size(exchange);
    while (this.#characters > maxCharacters) this.#evict();
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.exchange(exchange);
  }

  get count(): number {
    return this.#next - this.#oldest;
  }

  /** How many had to make room since the journal was last cleared. */
  get evicted(): number {
    return this.#evicted;
  }

  page({ operation, outcome, school, since, limit = Infinity }: JournalFilter = {}): JournalPage {
    const fitting = this.#after(since).filter(
      (kept) =>
        (operation ?? kept.operation) === kept.operation &&
        (school ?? kept.school) === kept.school &&
        (outcome === undefined || outcome === outcomeOf(kept)),
    );
    const page = since === undefined ? fitting.slice(Math.max(0, fitting.length - limit)) : fitting.slice(0, limit);
    return { entries: page.map(toEntry), evicted: this.#evicted, more: page.length < fitting.length };
  }

  /** The exchanges that fit, newest last. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    return this.page(filter).entries;
  }

  get(requestId: string): JournalEntry | undefined {
    const found = this.#all().find((kept) => requestIdOf(kept.sandboxId, kept.number) === requestId);
    return found === undefined ? undefined : toEntry(found);
  }

  clear(): void {
    this.#ring.length = 0;
    this.#oldest = this.#next;
    this.#characters = 0;
    this.#evicted = 0;
    for (const listener of this.#listeners) listener.emptied?.();
  }

  /** Tells of what happens from now on; call what it returns to end that. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Nothing more will come: the sandbox is gone. */
  end(): void {
    for (const listener of this.#listeners) listener.ended?.();
  }

  #all(): readonly KeptExchange[] {
    const all: KeptExchange[] = [];
    for (let number = this.#oldest; number < this.#next; number += 1) {
      const kept = this.#ring[number % maxEntries];
      if (kept !== undefined) all.push(kept);
    }
    return all;
  }

  /** An exchange that is not there any more has those after it all the same: all that are kept. */
  #after(since: string | undefined): readonly KeptExchange[] {
    const all = this.#all();
    if (since === undefined) return all;
    const place = all.findIndex((kept) => requestIdOf(kept.sandboxId, kept.number) === since);
    if (place >= 0) return all.slice(place + 1);
    const moment = momentOf(since);
    return Number.isNaN(moment) ? all : all.filter(({ at }) => at >= moment);
  }

  #evict(): void {
    const kept = this.#ring[this.#oldest % maxEntries];
    if (kept !== undefined) this.#characters -= size(kept);
    this.#ring[this.#oldest % maxEntries] = undefined;
    this.#oldest += 1;
    this.#evicted += 1;
  }
}

/** The moment that a text of the form ISO 8601 names; NaN where it is no such text. */
export function momentOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
}

function size({ request, response }: KeptExchange): number {
  return request.length + response.length;
}
