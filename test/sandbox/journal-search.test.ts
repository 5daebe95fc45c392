import { describe, expect, it } from 'vitest';
import { placesOf } from '../../src/sandbox/journal-page.ts';

describe('a search for a text in a journal', () => {
  it('ends, although other calls come with each of its steps', () => {
    const journal = { oldest: 0, next: 3, at: () => undefined, placeOf: () => undefined };
    const search = placesOf(journal, { text: 'a' });
    let steps = 0;
    while (steps < 100 && search.next().done !== true) {
      steps += 1;
      journal.next += 1;
    }
    expect(steps).toBe(3);
  });
});
