import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Report } from './report.ts';

/** Requests named for each violation. */
const mostNamed = 10;

/** What the client got wrong against the contract: each mistake once, with the requests that made it. */
export function violations(entries: readonly JournalEntry[]): Report['violations'] {
  return gathered(entries, (entry) => entry.violations, /^\/data\/\d+/, '/data/*');
}

/** The same of another server behind the proxy; nothing where none was asked. */
export function responseViolations(entries: readonly JournalEntry[]): Pick<Report, 'responseViolations'> {
  if (entries.every((entry) => entry.responseViolations === undefined)) return {};
  return { responseViolations: gathered(entries, (entry) => entry.responseViolations ?? [], /^\/\d+/, '/*') };
}

/** The same mistake in another element of a batch is the same mistake: `element` is how a pointer leads to one, `any` stands for it. */
function gathered(
  entries: readonly JournalEntry[],
  of: (entry: JournalEntry) => JournalEntry['violations'],
  element: RegExp,
  any: string,
): Report['violations'] {
  const found = new Map<string, { operation: string; pointer: string; message: string; count: number; requestIds: string[] }>();
  for (const entry of entries) {
    const { operation, requestId } = entry;
    for (const { pointer, message } of of(entry)) {
      const place = pointer.replace(element, any);
      const key = `${operation} ${place} ${message}`;
      const known = found.get(key) ?? { operation, pointer: place, message, count: 0, requestIds: [] };
      known.count += 1;
      if (known.requestIds.length < mostNamed && known.requestIds.at(-1) !== requestId) known.requestIds.push(requestId);
      found.set(key, known);
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}
