import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Report } from './report.ts';

/** Requests named for each violation. */
const maxNamed = 10;

/** Kinds of violations that a report lists; a hostile client makes as many as it likes. */
const maxListed = 500;

/** Violations, each kind once, and how many kinds, and times, are left out. */
export interface GatheredViolations {
  readonly listed: Report['violations'];
  readonly unlisted: { readonly kinds: number; readonly count: number };
}

/** What the client got wrong against the contract: each mistake once, with the requests that made it. */
export function gatheringViolations(entries: readonly JournalEntry[]): SlicedWork<GatheredViolations> {
  return gathering(entries, (entry) => entry.violations, /^\/data\/\d+/, '/data/*');
}

/** The same of another server behind the proxy; null where none was asked. */
export function* gatheringResponseViolations(entries: readonly JournalEntry[]): SlicedWork<GatheredViolations | null> {
  if (entries.every((entry) => entry.responseViolations === undefined)) return null;
  return yield* gathering(entries, (entry) => entry.responseViolations ?? [], /^\/\d+/, '/*');
}

/** The same mistake in another element of a batch is the same mistake: `element` is how a pointer leads to one, `any` stands for it. */
function* gathering(
  entries: readonly JournalEntry[],
  of: (entry: JournalEntry) => JournalEntry['violations'],
  element: RegExp,
  any: string,
): SlicedWork<GatheredViolations> {
  const found = new Map<string, { operation: string; pointer: string; message: string; count: number; requestIds: string[] }>();
  for (const entry of entries) {
    yield;
    const { operation, requestId } = entry;
    for (const { pointer, message } of of(entry)) {
      const place = pointer.replace(element, any);
      const key = `${operation} ${place} ${message}`;
      const known = found.get(key) ?? { operation, pointer: place, message, count: 0, requestIds: [] };
      known.count += 1;
      if (known.requestIds.length < maxNamed && known.requestIds.at(-1) !== requestId) known.requestIds.push(requestId);
      found.set(key, known);
    }
  }
  const sorted = [...found.values()].toSorted((one, other) => other.count - one.count);
  const rest = sorted.slice(maxListed);
  return {
    listed: sorted.slice(0, maxListed),
    unlisted: { kinds: rest.length, count: rest.reduce((sum, { count }) => sum + count, 0) },
  };
}
