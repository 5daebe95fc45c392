/** The part of a journal that bounds its memory. */
interface Shrinkable {
  readonly bytes: number;
  /** Whether it holds cleared entries, which it evicts first. */
  readonly hasCleared?: boolean;
  evictOldest(): void;
}

interface Member {
  readonly journal: Shrinkable;
  /** The size at the last call of `resized`. */
  bytes: number;
  /** The index in the heap. */
  index: number;
}

/**
 * The memory that all journals of a server share. If it is exceeded, all journals evict what was cleared, and then the
 * largest one its oldest entries.
 */
export class JournalMemory {
  readonly #maxBytes: number;
  readonly #members = new Map<Shrinkable, Member>();
  /** A binary heap with the largest journal first. */
  readonly #heap: Member[] = [];
  readonly #withCleared = new Set<Member>();
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The size of all journals together. */
  get used(): number {
    return this.#used;
  }

  /** Call after the size of a journal has changed. Shrinks the largest journals until all fit. */
  resized(journal: Shrinkable): void {
    this.#update(this.#members.get(journal) ?? this.#join(journal));
    for (
      let [largest] = this.#heap;
      this.#used > this.#maxBytes && largest !== undefined && largest.bytes > 0;
      [largest] = this.#heap
    ) {
      const [first = largest] = this.#withCleared;
      first.journal.evictOldest();
      this.#update(first);
    }
  }

  /** Removes a journal. */
  leave(journal: Shrinkable): void {
    const member = this.#members.get(journal);
    if (member === undefined) return;
    this.#members.delete(journal);
    this.#withCleared.delete(member);
    this.#used -= member.bytes;
    const last = this.#heap.pop();
    if (last === undefined || last === member) return;
    this.#place(last, member.index);
    this.#sift(last);
  }

  #join(journal: Shrinkable): Member {
    const member = { journal, bytes: 0, index: this.#heap.length };
    this.#members.set(journal, member);
    this.#heap.push(member);
    return member;
  }

  #update(member: Member): void {
    this.#used += member.journal.bytes - member.bytes;
    member.bytes = member.journal.bytes;
    if (member.journal.hasCleared === true) this.#withCleared.add(member);
    else this.#withCleared.delete(member);
    this.#sift(member);
  }

  #sift(member: Member): void {
    for (
      let above = this.#above(member);
      above !== undefined && above.bytes < member.bytes;
      above = this.#above(member)
    ) {
      this.#swap(above, member);
    }
    for (
      let below = this.#below(member);
      below !== undefined && below.bytes > member.bytes;
      below = this.#below(member)
    ) {
      this.#swap(member, below);
    }
  }

  #above({ index }: Member): Member | undefined {
    return index === 0 ? undefined : this.#heap[(index - 1) >> 1];
  }

  /** Returns the larger of the two members below. */
  #below({ index }: Member): Member | undefined {
    const left = this.#heap[2 * index + 1];
    const right = this.#heap[2 * index + 2];
    return left !== undefined && right !== undefined && right.bytes > left.bytes ? right : left;
  }

  #swap(upper: Member, lower: Member): void {
    const { index } = upper;
    this.#place(upper, lower.index);
    this.#place(lower, index);
  }

  #place(member: Member, index: number): void {
    this.#heap[index] = member;
    member.index = index;
  }
}
