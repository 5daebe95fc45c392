import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Report } from './report.ts';

/** Requests named for each violation. */
const mostNamed = 10;

/** What the client got wrong against the contract: each mistake once, with the requests that made it. */
export function violations(entries: readonly JournalEntry[]): Report['violations'] {
  const found = new Map<string, { operation: string; pointer: string; message: string; count: number; requestIds: string[] }>();
  for (const { operation, requestId, violations: made } of entries) {
    for (const { pointer, message } of made) {
      // The same mistake in another element of a batch is the same mistake.
      const place = pointer.replace(/^\/data\/\d+/, '/data/*');
      const key = `${operation} ${place} ${message}`;
      const known = found.get(key) ?? { operation, pointer: place, message, count: 0, requestIds: [] };
      known.count += 1;
      if (known.requestIds.length < mostNamed && known.requestIds.at(-1) !== requestId) known.requestIds.push(requestId);
      found.set(key, known);
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}
