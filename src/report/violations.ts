import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Report } from './report.ts';

/** Maximum number of requests listed for each violation. */
const maxNamed = 10;

/** Maximum number of kinds of violations in a report; a hostile client can cause any number. */
const maxListed = 500;

/** The listed violations, grouped by kind, and the number of unlisted kinds and occurrences. */
export interface GatheredViolations {
  readonly listed: Report['violations'];
  readonly unlisted: { readonly kinds: number; readonly count: number };
}

/** Returns the client's contract violations, grouped by kind, with the requests that have them. */
export function violationsIn(entries: readonly JournalEntry[]): SlicedWork<GatheredViolations> {
  return gathering(entries, (entry) => entry.violations, /^\/data\/\d+/, '/data/*');
}

/** Returns the violations by the upstream of a proxy; null if there is no upstream. */
export function* responseViolationsIn(
  entries: readonly JournalEntry[],
): SlicedWork<GatheredViolations | null> {
  if (entries.every((entry) => entry.responseViolations === undefined)) return null;
  return yield* gathering(entries, (entry) => entry.responseViolations ?? [], /^\/\d+/, '/*');
}

/**
 * Groups violations of all elements of a batch: `element` matches the element in a pointer, `any` replaces
 * it.
 */
function* gathering(
  entries: readonly JournalEntry[],
  of: (entry: JournalEntry) => JournalEntry['violations'],
  element: RegExp,
  any: string,
): SlicedWork<GatheredViolations> {
  const found = new Map<
    string,
    { operation: string; pointer: string; message: string; count: number; requestIds: string[] }
  >();
  for (const entry of entries) {
    yield;
    const { operation, requestId } = entry;
    for (const { pointer, message } of of(entry)) {
      const place = pointer.replace(element, any);
      const key = `${operation} ${place} ${message}`;
      const known = found.get(key) ?? { operation, pointer: place, message, count: 0, requestIds: [] };
      known.count += 1;
      if (known.requestIds.length < maxNamed && known.requestIds.at(-1) !== requestId)
        known.requestIds.push(requestId);
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
