import { parseKnown } from '../base/parse-known.ts';
import type { Records } from '../contract/generated/facts.ts';
import {
  hasRelativeTime,
  SeedCollection,
  type CollectionName,
  type Seed,
  type SeedRecords,
} from '../sandbox/seed.ts';
import { deepFreeze } from '../base/deep-freeze.ts';

/** Returns the collection with valid records. `mayBeRelative` says whether any can have relative times. */
export function collectionOf<N extends CollectionName>(
  name: N,
  records: readonly Records[N][],
  mayBeRelative = true,
): SeedCollection<N> {
  const frozen = frozenRecords(records, mayBeRelative);
  const collection = new SeedCollection(name, () => frozen);
  collection.prepare();
  return collection;
}

/**
 * Returns the collection of a text that the build has checked. It is parsed on first use, so that a long text
 * does not delay the start.
 */
export function checkedCollectionOf<N extends CollectionName>(
  name: N,
  text: string,
  mayBeRelative: boolean,
): SeedCollection<N> {
  // Every record has passed the check of its collection.
  return new SeedCollection(name, () =>
    frozenRecords(parseKnown<readonly Records[N][]>(text), mayBeRelative),
  );
}

function frozenRecords<N extends CollectionName>(
  records: readonly Records[N][],
  mayBeRelative: boolean,
): SeedRecords<N> {
  deepFreeze(records);
  const relative = mayBeRelative ? records.filter(hasRelativeTime) : [];
  return {
    byId: new Map(records.map((record) => [record.id, record])),
    relative: new Set(relative.map(({ id }) => id)),
  };
}

export type NamedCollection = readonly [CollectionName, SeedCollection<CollectionName>];

/** Returns the collections of a seed; there is one for each name. */
export function collectionsFrom(named: readonly NamedCollection[]): Seed['collections'] {
  // The type of an entry does not show which collection has which name.
  return Object.fromEntries(named) as Seed['collections'];
}
