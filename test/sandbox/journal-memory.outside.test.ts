import { describe, expect, it } from 'vitest';
import { JournalMemory } from '../../src/sandbox/journal-memory.ts';

/** A journal whose exchanges take as many bytes as they are told to. */
class Entries {
  readonly #sizes: number[] = [];

  get bytes(): number {
    return this.#sizes.reduce((sum, size) => sum + size, 0);
  }

  add(bytes: number): void {
    this.#sizes.push(bytes);
  }

  evictOldest(): void {
    this.#sizes.shift();
  }
}

describe('the memory of all journals', () => {
  it('is always made free by the largest of many, in whatever order they grow, come and go', () => {
    const memory = new JournalMemory(1000);
    let journals: Entries[] = [];
    let evictions = 0;
    class Watched extends Entries {
      override evictOldest(): void {
        evictions += 1;
        expect(this.bytes).toBe(Math.max(...journals.map(({ bytes }) => bytes)));
        super.evictOldest();
      }
    }
    // Any sequence without a pattern, the same in each run.
    let number = 1;
    const next = (below: number): number => (number = (number * 48_271) % 2_147_483_647) % below;
    for (let step = 0; step < 5000; step += 1) {
      const chosen = next(20) === 0 ? undefined : journals[next(40)];
      const journal = chosen ?? new Watched();
      if (chosen === undefined) journals.push(journal);
      journal.add(1 + next(60));
      memory.resized(journal);
      if (next(30) === 0) {
        const gone = journals[next(journals.length)];
        if (gone !== undefined) memory.leave(gone);
        journals = journals.filter((one) => one !== gone);
      }
      const total = journals.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(memory.used).toBe(total);
      expect(total).toBeLessThanOrEqual(1000);
    }
    expect(evictions).toBeGreaterThan(1000);
  });

  it('counts nothing of a journal that was gone before', () => {
    const memory = new JournalMemory(100);
    const [one, other] = [new Entries(), new Entries()];
    one.add(40);
    memory.resized(one);
    memory.leave(one);
    memory.leave(one);
    memory.leave(other);
    expect(memory.used).toBe(0);
  });
});
