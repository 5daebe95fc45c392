import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReadEntries, RowText } from '../../src/ledger/journal-row.ts';
import { toEntry } from '../../src/sandbox/journal-entry.ts';
import { exchange } from '../support/stored-entry.ts';

it('shows an entry of a journal with the same times after it was stored and read', () => {
  const ms = fc.nat({ max: 1e12 }).map((ns) => ns / 1e6);
  fc.assert(
    fc.property(ms, ms, fc.option(ms), ms, (receivedMs, took, closedMs, openedMs) => {
      const entry = {
        ...exchange,
        receivedMs,
        delivery: { endedMs: receivedMs + took, isLeft: false },
        connection: { openedMs, closedMs },
      };
      const read = new ReadEntries();
      const row = new RowText();
      row.add(entry);
      read.add(row.text(1));
      expect(read.entries.map(toEntry)).toEqual([toEntry(entry)]);
    }),
    { numRuns: 300 },
  );
});
