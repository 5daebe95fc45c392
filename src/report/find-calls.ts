import type { SlicedWork } from '../base/sliced-work.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { attemptOf, bodiesOf, ParsedRoom, type Attempt, type ParsedBodies } from './attempt.ts';
import { callsOf, type Calls } from './calls.ts';

/** Reads the bodies of a call while they are parsed. */
export type BodyReader = (entry: JournalEntry, bodies: ParsedBodies) => void;

/** Returns the calls of the entries. Parses each body once, and passes it to the readers. */
export function* findCalls(
  entries: readonly JournalEntry[],
  readers: readonly BodyReader[] = [],
): SlicedWork<Calls> {
  const room = new ParsedRoom();
  const unsorted: Attempt[] = [];
  for (const entry of entries) {
    const bodies = bodiesOf(entry);
    yield;
    unsorted.push(attemptOf(entry, bodies, room));
    for (const read of readers) {
      yield;
      read(entry, bodies);
    }
    yield;
  }
  const sorted = unsorted.toSorted(
    (one, other) => one.received - other.received || one.number - other.number,
  );
  const unmatched = sorted.filter(({ entry }) => entry.outcome === 'unmatched');
  const busy = sorted.filter(({ entry }) => entry.outcome === 'server-busy');
  const others = new Set([...unmatched, ...busy]);
  return yield* callsOf(
    sorted.filter((attempt) => !others.has(attempt)),
    { unmatched, busy },
  );
}
