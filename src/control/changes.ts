import type { components } from '../contract/generated/control.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { pointerTo, quoted } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import type { Differences } from '../sandbox/collection.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from '../sandbox/state.ts';
import { refuse } from './fitting.ts';
import { knownCollections } from './import-state.ts';

type Change = components['schemas']['RecordChange'];

/**
 * Returns the records that differ from the seed; with `collection` in the query, those of this collection. The
 * sandbox must not change meanwhile. Throws ValidationError for an invalid query.
 */
export function listChanges(
  { state, caps }: Sandbox,
  query: Readonly<Record<string, unknown>>,
): SlicedWork<components['schemas']['ChangeList']> {
  return listing(state, collectionsIn(query, caps.violations));
}

function* listing(
  state: State,
  collections: readonly CollectionName[],
): SlicedWork<components['schemas']['ChangeList']> {
  const lists: (readonly Change[])[] = [];
  for (const name of collections) lists.push(yield* changesOf(state, name));
  return { changes: lists.flat() };
}

function* changesOf(state: State, name: CollectionName): SlicedWork<readonly Change[]> {
  const changes: Change[] = [];
  for (const id of state.collection(name).changes.keys()) {
    const change = changeOf(state, name, id);
    if (change !== null) changes.push(change);
    yield;
  }
  return changes;
}

/** Returns how many records each collection has, and how many differ from the seed. The sandbox must not change meanwhile. */
export function* listCollections({
  state,
}: Pick<Sandbox, 'state'>): SlicedWork<components['schemas']['CollectionList']> {
  const collections: components['schemas']['CollectionList']['collections'][number][] = [];
  for (const name of collectionNames) {
    const { added, changed, removed } = (state.collection(name).differences ??= yield* differencesOf(
      state,
      name,
    ));
    const records = state.seed.collections[name].byId.size + added - removed;
    collections.push({ name, records, differences: added + changed + removed });
  }
  return { collections };
}

function* differencesOf(state: State, name: CollectionName): SlicedWork<Differences> {
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const id of state.collection(name).changes.keys()) {
    const change = changeOf(state, name, id);
    if (change !== null) counts[change.kind] += 1;
    yield;
  }
  return counts;
}

/** Returns the collections that a query names, or all. */
function collectionsIn(
  query: Readonly<Record<string, unknown>>,
  maxViolations: number,
): readonly CollectionName[] {
  const list = new ViolationList(maxViolations);
  for (const name of Object.keys(query))
    if (name !== 'collection')
      list.add(
        pointerTo('', name),
        () => `is unknown.${didYouMean(name, ['collection'])} The filter is collection.`,
      );
  const { collection: wanted } = query;
  const found = collectionNames.filter((name) => wanted === undefined || name === wanted);
  if (found.length === 0) list.add('/collection', () => whyNone(wanted));
  refuse('The query is invalid.', list);
  return found;
}

function whyNone(wanted: unknown): string {
  if (typeof wanted !== 'string') return 'must occur once.';
  return `is not a collection: ${quoted(wanted)}.${knownCollections(wanted)}`;
}

/** Returns the difference of a record from the seed, or null if it was changed back. */
function changeOf(state: State, collection: CollectionName, recordId: string): Change | null {
  const before = state.collection(collection).seedRecord(recordId) ?? null;
  const after = state.collection(collection).get(recordId) ?? null;
  const kind = kindOf(before, after);
  return kind === null ? null : { collection, recordId, kind, before, after };
}

function kindOf(before: object | null, after: object | null): Change['kind'] | null {
  if (before === null) return after === null ? null : 'added';
  if (after === null) return 'removed';
  return JSON.stringify(before) === JSON.stringify(after) ? null : 'changed';
}
