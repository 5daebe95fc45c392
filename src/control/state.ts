import type { components } from '../contract/generated/control.ts';
import type { Records } from '../contract/generated/facts.ts';
import { checkRecordInto } from '../contract/sent-record-check.ts';
import { pointerTo, quoted } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { ConflictError, NotFoundError } from '../base/errors.ts';
import { findRecordsNaming, missingReferences, mustName } from '../sandbox/references.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from '../sandbox/state.ts';
import { checkSize, refuse } from './fitting.ts';
import { knownCollections } from './import-state.ts';
import { mergePatch } from './merge-patch.ts';

type StateDocument = components['schemas']['StateDocument'];

const format = 'learning-platform-sandbox/document';

/** Returns every record of every collection. The sandbox must not change meanwhile. */
export function* exportState({ state }: Sandbox): SlicedWork<StateDocument> {
  const collections: Record<string, readonly Readonly<Record<string, unknown>>[]> = {};
  for (const name of collectionNames) collections[name] = yield* gathering(state, name);
  return { format, seed: state.seed.name, collections };
}

function* gathering(
  state: State,
  name: CollectionName,
): SlicedWork<readonly Readonly<Record<string, unknown>>[]> {
  const records: Readonly<Record<string, unknown>>[] = [];
  for (const record of state.collection(name).all()) {
    records.push(record);
    yield;
  }
  return records;
}

/** Throws NotFoundError. */
export function getRecord(sandbox: Sandbox, collection: string, id: string): object {
  const record = findRecord(sandbox, collection, id);
  if (record === undefined) throw new NotFoundError(`There is no record ${quoted(id)} in ${collection}.`);
  return record;
}

/** Returns undefined if there is no such record. Throws NotFoundError for an unknown collection. */
export function findRecord({ state }: Sandbox, collection: string, id: string): object | undefined {
  return state.collection(collectionNamed(collection)).get(id);
}

/**
 * Adds or replaces a record. Throws ValidationError if it does not match its collection, or refers to a
 * missing record.
 */
export function putRecord(sandbox: Sandbox, collection: string, id: string, record: unknown): object {
  const name = collectionNamed(collection);
  checkSize(record, sandbox.caps, 'The record is invalid.');
  const list = new ViolationList(sandbox.caps.violations);
  if (checkRecordInto(list, name, record, '')) checkInState(list, sandbox, name, id, record);
  refuse('The record is invalid.', list);
  // It has passed the check of its collection.
  return sandbox.state.put(name, record as Records[typeof name]);
}

/** Changes fields of a record (RFC 7396). Throws like `putRecord` and `getRecord`. */
export function patchRecord(sandbox: Sandbox, collection: string, id: string, patch: unknown): object {
  return putRecord(sandbox, collection, id, mergePatch(getRecord(sandbox, collection, id), patch));
}

/**
 * Throws NotFoundError, or ConflictError if another record refers to it. The sandbox must not change
 * meanwhile.
 */
export function* removeRecord(sandbox: Sandbox, collection: string, id: string): SlicedWork<void> {
  getRecord(sandbox, collection, id);
  const name = collectionNamed(collection);
  const naming = yield* findRecordsNaming(sandbox.state, name, id, maxNamed + 1);
  if (naming.length > 0) {
    const list = `${naming.slice(0, maxNamed).join(', ')}${naming.length > maxNamed ? ' …' : ''}`;
    throw new ConflictError(`Other records refer to this record: ${list}. Remove or change them first.`);
  }
  sandbox.state.remove(name, id);
}

const maxNamed = 10;

/** Throws NotFoundError. */
export function collectionNamed(name: string): CollectionName {
  const found = collectionNames.find((known) => known === name);
  if (found !== undefined) return found;
  throw new NotFoundError(`There is no collection ${JSON.stringify(name)}.${knownCollections(name)}`);
}

/** Adds why a record that matches its schema does not fit the state. */
function checkInState(
  list: ViolationList,
  { state }: Sandbox,
  name: CollectionName,
  id: string,
  record: Records[CollectionName],
): void {
  if (record.id !== id)
    return list.add('/id', () => `must be ${quoted(id)}, as in the path, but is ${quoted(record.id)}.`);
  const taken =
    'slug' in record &&
    name === 'schools' &&
    state
      .collection('schools')
      .where('slug', record.slug)
      .some((school) => school.id !== id);
  if (taken) return list.add('/slug', () => 'is already used by another school.');
  const has = (collection: CollectionName, wanted: string): boolean =>
    (collection === name && wanted === id) || state.collection(collection).get(wanted) !== undefined;
  for (const { field, target, value } of missingReferences(has, name, record))
    list.add(pointerTo('', field), () => mustName(target, value));
}
