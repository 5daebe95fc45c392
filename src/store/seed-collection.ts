import type { Records } from '../contract/generated/facts.ts';
import { hasRelativeTime, SeedCollection, type CollectionName, type Seed } from '../sandbox/seed.ts';
import { deepFreeze } from '../sandbox/state.ts';

/** Returns the collection with valid records. `mayBeRelative` says whether any can have relative times. */
export function collectionOf<N extends CollectionName>(
  name: N,
  records: readonly Records[N][],
  mayBeRelative = true,
): SeedCollection<N> {
  deepFreeze(records);
  const relative = mayBeRelative ? records.filter(hasRelativeTime) : [];
  return new SeedCollection(name, records, new Set(relative.map(({ id }) => id)));
}

export type NamedCollection = readonly [CollectionName, SeedCollection<CollectionName>];

/** Returns the collections of a seed; there is one for each name. */
export function collectionsFrom(named: readonly NamedCollection[]): Seed['collections'] {
  // The type of an entry does not tell which collection has which name.
  return Object.fromEntries(named) as Seed['collections'];
}
