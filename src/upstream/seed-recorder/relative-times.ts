import { recordOf, withValues } from '../../base/keys.ts';
import { relativeTimeOf } from '../../base/relative-time.ts';
import { timeFields, type Records } from '../../contract/generated/facts.ts';
import { anchorOf, collectionNames, type CollectionName } from '../../sandbox/seed.ts';
import type { Collections } from './complete.ts';

/** Times farther away than 50 years are placeholders, such as 1970 and 9999 for "never": they stay. */
const maxDistanceMs = 50 * 365 * 86_400_000;

/**
 * Returns the collections with times relative to a moment, so that what was in the future then is in the future of
 * each sandbox. A sandbox that starts at this moment has the original times.
 */
export function relativeTo(moment: number, collections: Collections): Collections {
  const anchor = anchorOf(moment);
  const moved = <N extends CollectionName>(name: N): readonly Records[N][] =>
    collections[name].map((record) => recordRelativeTo(anchor, record));
  // There is a list of the same kind for each name.
  return recordOf<CollectionName, readonly object[]>(collectionNames, moved) as Collections;
}

function recordRelativeTo<R extends object>(anchor: number, record: R): R {
  return withValues(record, (value, name) =>
    // Other texts can look like a time, but do not move with it.
    timeFields.has(name) && typeof value === 'string' ? relative(anchor, value) : value,
  );
}

function relative(anchor: number, time: string): string {
  const distance = Date.parse(time) - anchor;
  return Math.abs(distance) <= maxDistanceMs ? relativeTimeOf(distance) : time;
}
