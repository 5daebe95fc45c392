import { bytesOfEntry, bytesOfHeaders } from './journal-bytes.ts';
import { requestIdOf, toEntry, type JournalEntry, type StoredEntry } from './journal-entry.ts';
import { JournalListeners, type JournalListener } from './journal-listeners.ts';
import type { JournalMemory } from './journal-memory.ts';
import { PlacedEntries } from './placed-entries.ts';
import type { CurrentLimits } from './quotas.ts';

/** What `clear` removed. */
interface Cleared {
  readonly entries: readonly StoredEntry[];
  readonly bytes: number;
  readonly evicted: number;
}

/**
 * The journal of one sandbox, newest entry last. Beyond its limits it evicts the oldest entries. Each entry
 * has a *place*, a running number that stays the same when others are evicted.
 */
export class Journal {
  readonly #limits: CurrentLimits;
  readonly #memory: JournalMemory;
  readonly #listeners = new JournalListeners();
  /** Their bytes are without headers. */
  readonly #entries = new PlacedEntries();
  #bytes = 0;
  #evicted = 0;
  /** What `restore` puts back. The first to go if the memory is needed. */
  #cleared: Cleared | null = null;
  #isOver = false;
  #changes = 0;
  #storedBefore = Infinity;
  /** The scope of calls that name none. */
  scope: string | null = null;

  /** `memory` is what all journals of the server share. */
  constructor(limits: CurrentLimits, memory: JournalMemory) {
    this.#limits = limits;
    this.#memory = memory;
  }

  append(entry: StoredEntry): void {
    // Nobody can read the journal of a deleted sandbox.
    if (this.#isOver) return;
    this.#add(entry);
    this.#memory.resized(this);
    this.#listeners.notify((listener) => listener.exchange(entry));
  }

  #add(entry: StoredEntry): void {
    const bytes = bytesOfEntry(entry);
    this.#bytes += bytes;
    // Calls of one connection share their headers, which count once.
    if (this.#entries.last?.requestHeaders !== entry.requestHeaders)
      this.#bytes += bytesOfHeaders(entry.requestHeaders);
    this.#entries.add(entry, bytes);
    this.#fit();
  }

  #fit(): void {
    const { journalEntries, journalBytes } = this.#limits.caps;
    while (this.count > journalEntries) this.#evict();
    while (this.bytes > journalBytes) this.evictOldest();
  }

  /** Evicts what exceeds limits that have become smaller. */
  shrink(): void {
    this.#fit();
    this.#memory.resized(this);
  }

  get count(): number {
    return this.next - this.oldest;
  }

  /** How often it was cleared, restored or filled. */
  get changes(): number {
    return this.#changes;
  }

  /** The entries before this place are stored. Infinity if entries are not stored. */
  get storedBefore(): number {
    return this.#storedBefore;
  }

  set storedBefore(place: number) {
    this.#storedBefore = place;
    this.#listeners.notify((listener) => listener.stored?.());
  }

  /** Whether its sandbox was deleted. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Its approximate size in memory. */
  get bytes(): number {
    return this.#bytes + (this.#cleared?.bytes ?? 0);
  }

  /** The stored entries, oldest first. */
  get stored(): readonly StoredEntry[] {
    return this.#entries.all;
  }

  /** The number of entries evicted since the journal was last cleared. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The place of the oldest entry. */
  get oldest(): number {
    return this.#entries.oldest;
  }

  /** The place of the next entry. */
  get next(): number {
    return this.#entries.next;
  }

  at(place: number): StoredEntry | undefined {
    return this.#entries.at(place);
  }

  /** Returns the place of the entry with a request id. */
  placeOf(requestId: string): number | undefined {
    const number = Number(requestId.slice(requestId.lastIndexOf('-') + 1));
    // Backwards, because most requests are for a recent entry.
    for (let place = this.next - 1; place >= this.oldest; place -= 1) {
      const entry = this.at(place);
      if (entry?.number === number && requestIdOf(entry.sandboxId, number) === requestId) return place;
    }
    return undefined;
  }

  /** Returns the bytes of the entries from a place on. */
  bytesFrom(place: number): number {
    return this.#entries.bytesFrom(place);
  }

  /** Returns the first place from which the entries take up at most `maxBytes`. */
  placeWithin(maxBytes: number): number {
    return this.#entries.placeWithin(maxBytes);
  }

  get(requestId: string): JournalEntry | undefined {
    const place = this.placeOf(requestId);
    const found = place === undefined ? undefined : this.at(place);
    return found === undefined ? undefined : toEntry(found);
  }

  /** Removes all entries. `restore` puts them back until the next time. */
  clear(): void {
    this.#changes += 1;
    const cleared = { entries: this.stored, bytes: this.#bytes, evicted: this.#evicted };
    this.#drop();
    if (cleared.entries.length > 0) this.#cleared = cleared;
    this.#memory.resized(this);
    this.#listeners.notify((listener) => listener.emptied?.());
  }

  /**
   * Puts the entries that the last `clear` removed in front of the later ones. Returns whether there were any;
   * they are gone if the memory was needed. To its listeners, the journal is cleared and filled again.
   */
  restore(): boolean {
    if (this.#cleared === null) return false;
    this.#changes += 1;
    const { entries, evicted } = this.#cleared;
    const all = [...entries, ...this.stored];
    const evictedSince = this.#evicted;
    this.#drop();
    this.#evicted = evicted + evictedSince;
    for (const entry of all) this.#add(entry);
    this.#memory.resized(this);
    this.#listeners.notify((listener) => listener.emptied?.());
    for (const entry of this.stored) this.#listeners.notify((listener) => listener.exchange(entry));
    return true;
  }

  /** Fills an empty journal with what was stored of it. */
  fill(entries: readonly StoredEntry[], evicted: number): void {
    this.#evicted = evicted;
    for (const entry of entries) this.#add(entry);
    this.#memory.resized(this);
  }

  get hasCleared(): boolean {
    return this.#cleared !== null;
  }

  /** Removes the oldest entry, or what was cleared, if it is still there. */
  evictOldest(): void {
    if (this.#cleared === null) this.#evict();
    else this.#cleared = null;
  }

  #evict(): void {
    const entry = this.at(this.oldest);
    if (entry === undefined) return;
    if (this.at(this.oldest + 1)?.requestHeaders !== entry.requestHeaders)
      this.#bytes -= bytesOfHeaders(entry.requestHeaders);
    this.#bytes -= this.#entries.removeOldest();
    this.#evicted += 1;
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: JournalListener): () => void {
    return this.#listeners.add(listener);
  }

  get hasListeners(): boolean {
    return this.#listeners.count > 0;
  }

  /** Ends all listeners, which can listen again. */
  disconnectListeners(): void {
    this.#listeners.disconnect();
  }

  /** Ends all listeners, including later ones. */
  dismissListeners(): void {
    this.#listeners.end();
  }

  /**
   * Ends all listeners and frees the memory, because the sandbox was deleted. A call may still refer to the
   * sandbox.
   */
  end(): void {
    this.#isOver = true;
    this.#listeners.end();
    this.#drop();
    this.#memory.leave(this);
  }

  #drop(): void {
    this.#entries.removeAll();
    this.#bytes = 0;
    this.#evicted = 0;
    this.#cleared = null;
  }
}
