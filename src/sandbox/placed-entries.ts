import type { StoredEntry } from './journal-entry.ts';

/**
 * Journal entries by their *place*, a running number that stays the same when others are removed, with the bytes of all
 * entries up to each.
 */
export class PlacedEntries {
  /** The entry of a place is at the place minus `#base`. Undefined if it was removed. */
  #entries: (StoredEntry | undefined)[] = [];
  /** For each index, the bytes of all entries up to it. */
  #sums: number[] = [];
  #base = 0;
  /** The bytes of all entries before `#base`. */
  #baseSum = 0;
  #oldest = 0;

  /** All entries, oldest first. */
  get all(): readonly StoredEntry[] {
    return this.#entries.slice(this.#oldest - this.#base).filter((entry) => entry !== undefined);
  }

  /** The place of the oldest entry. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The place of the next entry. */
  get next(): number {
    return this.#base + this.#entries.length;
  }

  get last(): StoredEntry | undefined {
    return this.#entries.at(-1);
  }

  at(place: number): StoredEntry | undefined {
    return this.#entries[place - this.#base];
  }

  /** Returns the bytes of the entries from a place on. */
  bytesFrom(place: number): number {
    return this.#sumAt(this.next - 1) - this.#sumAt(Math.max(place, this.#oldest) - 1);
  }

  /** Returns the first place from which the entries take up at most `maxBytes`. */
  placeWithin(maxBytes: number): number {
    let place = this.#oldest;
    for (let end = this.next; place < end;) {
      const middle = Math.floor((place + end) / 2);
      if (this.bytesFrom(middle) > maxBytes) place = middle + 1;
      else end = middle;
    }
    return place;
  }

  add(entry: StoredEntry, bytes: number): void {
    this.#sums.push(this.#sumAt(this.next - 1) + bytes);
    this.#entries.push(entry);
  }

  /** Removes the oldest entry, which must be there. Returns its bytes. */
  removeOldest(): number {
    const place = this.#oldest;
    const bytes = this.#sumAt(place) - this.#sumAt(place - 1);
    this.#entries[place - this.#base] = undefined;
    this.#oldest += 1;
    this.#compact();
    return bytes;
  }

  removeAll(): void {
    this.#baseSum = this.#sumAt(this.next - 1);
    this.#base = this.#oldest = this.next;
    this.#entries = [];
    this.#sums = [];
  }

  #sumAt(place: number): number {
    return this.#sums[place - this.#base] ?? this.#baseSum;
  }

  /**
   * Moves the entries to the front once at least as many were removed, so that each entry moves once on
   * average.
   */
  #compact(): void {
    const gone = this.#oldest - this.#base;
    if (gone < 64 || gone < this.#entries.length / 2) return;
    this.#baseSum = this.#sumAt(this.#oldest - 1);
    this.#entries = this.#entries.slice(gone);
    this.#sums = this.#sums.slice(gone);
    this.#base = this.#oldest;
  }
}
