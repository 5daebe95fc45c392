import { bytesOfExchange, bytesOfHeaders } from './journal-bytes.ts';
import { requestIdOf, toEntry, type JournalEntry, type StoredEntry } from './journal-entry.ts';
import { JournalListeners, type JournalListener } from './journal-listeners.ts';
import type { JournalMemory } from './journal-memory.ts';

/** What bounds a journal. */
export interface JournalBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** What all journals of the server share. */
  readonly memory: JournalMemory;
}

/**
 * The exchanges of one sandbox, newest last, bounded by number and memory: the oldest make room. Each exchange has a *place*, a number
 * that grows by one with each exchange and stays the same when others make room.
 */
export class Journal {
  readonly #bounds: JournalBounds;
  readonly #listeners = new JournalListeners();
  /** The exchange of a place stands at the place minus `#base`; it is undefined if it had to make room. */
  #kept: (StoredEntry | undefined)[] = [];
  /** The bytes of all exchanges up to that of each index, headers excepted. */
  #sums: number[] = [];
  #base = 0;
  /** The sum of what stood before `#base`. */
  #baseSum = 0;
  #oldest = 0;
  #bytes = 0;
  #evicted = 0;
  #isOver = false;

  constructor(bounds: JournalBounds) {
    this.#bounds = bounds;
  }

  append(exchange: StoredEntry): void {
    // Nobody can look at the journal of a sandbox that is gone.
    if (this.#isOver) return;
    if (this.count >= this.#bounds.maxEntries) this.evictOldest();
    const bytes = bytesOfExchange(exchange);
    this.#bytes += bytes;
    // Calls of one connection share their headers, so these count once.
    if (this.#kept.at(-1)?.requestHeaders !== exchange.requestHeaders) this.#bytes += bytesOfHeaders(exchange.requestHeaders);
    this.#sums.push(this.#sumAt(this.next - 1) + bytes);
    this.#kept.push(exchange);
    while (this.#bytes > this.#bounds.maxBytes) this.evictOldest();
    this.#bounds.memory.resized(this);
    this.#listeners.tell((listener) => listener.exchange(exchange));
  }

  get count(): number {
    return this.next - this.#oldest;
  }

  /** What it takes of the memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What is kept from a place on. */
  keptFrom(place: number): readonly StoredEntry[] {
    return this.#all().slice(Math.max(0, place - this.#oldest));
  }

  /** How many had to make room since the journal was last cleared. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The place of the oldest exchange. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The place of the next exchange that comes. */
  get next(): number {
    return this.#base + this.#kept.length;
  }

  at(place: number): StoredEntry | undefined {
    return this.#kept[place - this.#base];
  }

  /** The place of the exchange of a request id. */
  placeOf(requestId: string): number | undefined {
    const number = Number(requestId.slice(requestId.lastIndexOf('-') + 1));
    // From the newest on: who asks has mostly seen it a moment ago.
    for (let place = this.next - 1; place >= this.#oldest; place -= 1) {
      const kept = this.at(place);
      if (kept?.number === number && requestIdOf(kept.sandboxId, number) === requestId) return place;
    }
    return undefined;
  }

  /** The bytes of the exchanges from a place on. */
  bytesFrom(place: number): number {
    return this.#sumAt(this.next - 1) - this.#sumAt(Math.max(place, this.#oldest) - 1);
  }

  /** The place from which on the exchanges take so many bytes at most. */
  placeWithin(bytes: number): number {
    let place = this.#oldest;
    for (let end = this.next; place < end;) {
      const middle = Math.floor((place + end) / 2);
      if (this.bytesFrom(middle) > bytes) place = middle + 1;
      else end = middle;
    }
    return place;
  }

  get(requestId: string): JournalEntry | undefined {
    const place = this.placeOf(requestId);
    const found = place === undefined ? undefined : this.at(place);
    return found === undefined ? undefined : toEntry(found);
  }

  clear(): void {
    this.#drop();
    this.#bounds.memory.resized(this);
    this.#listeners.tell((listener) => listener.emptied?.());
  }

  /** Lets the oldest exchange make room. */
  evictOldest(): void {
    const kept = this.at(this.#oldest);
    if (kept === undefined) return;
    this.#bytes -= this.#sumAt(this.#oldest) - this.#sumAt(this.#oldest - 1);
    if (this.at(this.#oldest + 1)?.requestHeaders !== kept.requestHeaders) this.#bytes -= bytesOfHeaders(kept.requestHeaders);
    this.#kept[this.#oldest - this.#base] = undefined;
    this.#oldest += 1;
    this.#evicted += 1;
    this.#compact();
  }

  /** Tells of what happens from now on; call what it returns to end that. */
  listen(listener: JournalListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Ends all listening, now and from now on. */
  dismissListeners(): void {
    this.#listeners.end();
  }

  /** Nothing more will come: the sandbox is gone, and what it kept goes even if a call still holds the sandbox. */
  end(): void {
    this.#listeners.end();
    this.#isOver = true;
    this.#drop();
    this.#bounds.memory.leave(this);
  }

  #drop(): void {
    this.#baseSum = this.#sumAt(this.next - 1);
    this.#base = this.#oldest = this.next;
    this.#kept = [];
    this.#sums = [];
    this.#bytes = 0;
    this.#evicted = 0;
  }

  #sumAt(place: number): number {
    return this.#sums[place - this.#base] ?? this.#baseSum;
  }

  /** Moves what is kept to the front, once at least as much is gone: on average, each exchange is moved once. */
  #compact(): void {
    const gone = this.#oldest - this.#base;
    if (gone < 64 || gone < this.#kept.length / 2) return;
    this.#baseSum = this.#sumAt(this.#oldest - 1);
    this.#kept = this.#kept.slice(gone);
    this.#sums = this.#sums.slice(gone);
    this.#base = this.#oldest;
  }

  #all(): readonly StoredEntry[] {
    // Only what had to make room is undefined, and it stands in front.
    return this.#kept.slice(this.#oldest - this.#base) as StoredEntry[];
  }
}
