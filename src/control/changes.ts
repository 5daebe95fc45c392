import type { components } from '../contract/generated/control.ts';
import type { TextFinder } from '../base/text-finder.ts';
import { describe, quoted } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import type { Differences } from '../sandbox/collection.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from '../sandbox/state.ts';
import { refuse } from './fitting.ts';
import { addUnknownFilters, countIn } from './query.ts';
import { knownCollections } from './import-state.ts';
import { hasText, textIn } from './record-text.ts';
import { isOfSchool, schoolIn } from './school-hint.ts';

type Change = components['schemas']['RecordChange'];

/** The parameters of a query. */
const filters = ['collection', 'school', 'recordId', 'kind', 'text', 'limit'];

const kinds: readonly string[] = ['added', 'changed', 'removed'] satisfies readonly Change['kind'][];

interface Wanted {
  readonly collections: readonly CollectionName[];
  /** The id of a school; null for all. */
  readonly school: string | null;
  readonly recordId: string | undefined;
  readonly kind: string | undefined;
  readonly text: TextFinder | null;
  /** Null for all. */
  readonly limit: number | null;
}

/**
 * Returns the records that differ from the seed and match the query. The sandbox must not change meanwhile.
 * Throws ValidationError for an invalid query.
 */
export function listChanges(
  sandbox: Sandbox,
  query: Readonly<Record<string, unknown>>,
): SlicedWork<components['schemas']['ChangeList']> {
  return listing(sandbox.state, wantedIn(query, sandbox));
}

function* listing(
  state: State,
  { collections, school, recordId, kind, text, limit }: Wanted,
): SlicedWork<components['schemas']['ChangeList']> {
  const changes: Change[] = [];
  let total = 0;
  for (const name of collections)
    for (const id of state.collection(name).changes.keys()) {
      const change = (recordId ?? id) === id ? changeOf(state, name, id) : null;
      if (
        change !== null &&
        (kind ?? change.kind) === change.kind &&
        (school === null || concerns(state, name, id, school)) &&
        (text === null || (yield* changeHasText(change, text)))
      ) {
        if (limit === null || total < limit) changes.push(change);
        total += 1;
      }
      yield;
    }
  return limit === null ? { changes } : { changes, total };
}

/** Whether a value of the record has the text, now or in the seed. */
function* changeHasText({ before, after }: Change, text: TextFinder): SlicedWork<boolean> {
  for (const record of [before, after]) if (record !== null && (yield* hasText(record, text))) return true;
  return false;
}

/** Whether a record belongs to a school, now or in the seed. */
function concerns(state: State, name: CollectionName, id: string, school: string): boolean {
  const collection = state.collection(name);
  return [collection.seedRecord(id), collection.get(id)].some(
    (record) => record !== undefined && isOfSchool(school, record),
  );
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

function wantedIn(query: Readonly<Record<string, unknown>>, sandbox: Sandbox): Wanted {
  const list = new ViolationList(sandbox.caps.violations);
  addUnknownFilters(list, query, filters);
  const { collection: wanted, recordId, kind } = query;
  const collections = collectionNames.filter((name) => wanted === undefined || name === wanted);
  if (collections.length === 0) list.add('/collection', () => whyNone(wanted));
  if (recordId !== undefined && typeof recordId !== 'string') list.add('/recordId', () => 'must occur once.');
  if (kind !== undefined && !(typeof kind === 'string' && kinds.includes(kind)))
    list.add('/kind', () => `must be added, changed or removed, but is ${describe(kind)}.`);
  const school = schoolIn(list, query, sandbox);
  const text = textIn(list, query);
  const limit = countIn(list, query, 'limit');
  refuse('The query is invalid.', list);
  return { collections, school, text, limit, recordId: textOrNone(recordId), kind: textOrNone(kind) };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function whyNone(wanted: unknown): string {
  if (typeof wanted !== 'string') return 'must occur once.';
  return `is not a collection: ${quoted(wanted)}.${knownCollections(wanted)}`;
}

/** Returns the difference of a record from the seed, or null if there is none. */
export function changeOf(state: State, collection: CollectionName, recordId: string): Change | null {
  const before = state.collection(collection).seedRecord(recordId) ?? null;
  const after = state.collection(collection).get(recordId) ?? null;
  const kind = kindOf(before, after);
  return kind === null ? null : { collection, recordId, kind, before, after };
}

function kindOf(before: object | null, after: object | null): Change['kind'] | null {
  if (before === null) return after === null ? null : 'added';
  if (after === null) return 'removed';
  return before === after || JSON.stringify(before) === JSON.stringify(after) ? null : 'changed';
}
