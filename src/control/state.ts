import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import type { Records } from '../contract/generated/facts.ts';
import { checkRecord } from '../contract/record-check.ts';
import { pointerTo, stepsOf, type Violation } from '../contract/violation.ts';
import { Conflict, NotThere, Unfit } from '../sandbox/misuse.ts';
import { checkReferences, recordsNaming } from '../sandbox/references.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import { State } from '../sandbox/state.ts';
import { mergePatch } from './merge-patch.ts';

type StateDocument = components['schemas']['StateDocument'];

const format = 'learning-platform-sandbox/document';

/** The whole state: every record of every collection. */
export function exportState({ state }: Sandbox): StateDocument {
  const collections = collectionNames.map((name) => [name, [...state.collection(name).all()]] as const);
  return { format, seed: state.seed.name, collections: Object.fromEntries(collections) };
}

/** Takes over a whole state, in one step. Throws Unfit, with all that is wrong, where it does not fit; then nothing has changed. */
export function importState(sandbox: Sandbox, { collections }: StateDocument): void {
  const { seed, beginning } = sandbox.state;
  const state = new State(seed, beginning);
  const violations: Violation[] = Object.keys(collections).flatMap((name) => unknownCollection(name, pointerTo('/collections', name)));
  for (const name of collectionNames) violations.push(...fill(state, name, collections[name] ?? []));
  if (violations.length === 0) violations.push(...references(state, collections));
  if (violations.length > 0) throw new Unfit('The state does not fit.', violations);
  sandbox.restart(state);
}

/** The records of a collection. Throws NotThere for one that is none. */
export function listRecords({ state }: Sandbox, collection: string): { readonly records: readonly object[] } {
  return { records: [...state.collection(collectionNamed(collection)).all()] };
}

/** Throws NotThere. */
export function getRecord({ state }: Sandbox, collection: string, id: string): object {
  const name = collectionNamed(collection);
  const record = state.collection(name).get(id);
  if (record === undefined) throw new NotThere(`There is no record ${JSON.stringify(id)} in ${name}.`);
  return record;
}

/** Adds a record, or replaces the one of this id. Throws Unfit where it does not fit its collection, or names what is not there. */
export function putRecord(sandbox: Sandbox, collection: string, id: string, record: unknown): object {
  const name = collectionNamed(collection);
  const violations = [...checkRecord(name, record)];
  if (violations.length === 0) violations.push(...otherwiseWrong(sandbox, name, id, record));
  if (violations.length > 0) throw new Unfit('The record does not fit.', violations);
  // It has passed the check of its collection.
  return sandbox.state.put(name, record as Records[typeof name]);
}

/** Changes fields of a record (RFC 7396). Throws as `putRecord` and `getRecord` do. */
export function patchRecord(sandbox: Sandbox, collection: string, id: string, patch: unknown): object {
  return putRecord(sandbox, collection, id, mergePatch(getRecord(sandbox, collection, id), patch));
}

/** Throws NotThere, and Conflict while another record names it. */
export function removeRecord(sandbox: Sandbox, collection: string, id: string): void {
  getRecord(sandbox, collection, id);
  const name = collectionNamed(collection);
  const naming = recordsNaming(sandbox.state, name, id);
  if (naming.length > 0) {
    throw new Conflict(
      `The record is named by others: ${naming.slice(0, 10).join(', ')}${naming.length > 10 ? ' …' : ''}. Remove or change them first.`,
    );
  }
  sandbox.state.remove(name, id);
}

function collectionNamed(name: string): CollectionName {
  const found = collectionNames.find((known) => known === name);
  if (found !== undefined) return found;
  throw new NotThere(`There is no collection ${JSON.stringify(name)}.${knownCollections(name)}`);
}

function unknownCollection(name: string, pointer: string): readonly Violation[] {
  if (collectionNames.some((known) => known === name)) return [];
  return [{ pointer, message: `is no collection.${knownCollections(name)}` }];
}

/** What may have been meant, and what there is. */
function knownCollections(name: string): string {
  return `${didYouMean(name, collectionNames)} The collections are ${collectionNames.join(', ')}.`;
}

/** Puts the records into the state, over its seed; returns what does not fit. */
function fill(state: State, name: CollectionName, records: readonly unknown[]): readonly Violation[] {
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const [index, record] of records.entries()) {
    const pointer = pointerTo(pointerTo('/collections', name), index);
    const wrong = checkRecord(name, record, pointer);
    violations.push(...wrong);
    if (wrong.length > 0) continue;
    // It has passed the check of its collection.
    const fitting = record as Records[typeof name];
    if (seen.has(fitting.id)) violations.push({ pointer: `${pointer}/id`, message: 'stands for an earlier record already.' });
    seen.add(fitting.id);
    if (JSON.stringify(state.collection(name).get(fitting.id)) !== JSON.stringify(fitting)) state.put(name, fitting);
  }
  for (const { id } of state.collection(name).all()) if (!seen.has(id)) state.remove(name, id);
  return violations;
}

type Lists = StateDocument['collections'];

/** What names a record that is not there, as pointers into the document. */
function references(state: State, lists: Lists): readonly Violation[] {
  const records = collectionNames.flatMap((name) => [...state.collection(name).all()].map((record) => [name, record] as const));
  const has = (name: CollectionName, id: string): boolean => state.collection(name).get(id) !== undefined;
  const wrong = checkReferences(has, records).map(({ pointer, message }) => ({ pointer: byIndex(pointer, lists), message }));
  return [...wrong, ...repeatedSlugs(lists)];
}

/** The checks tell a record by its id; in the document it stands at a number. */
function byIndex(pointer: string, lists: Lists): string {
  const [collection = '', id = '', ...rest] = stepsOf(pointer);
  const index = lists[collection]?.findIndex((record) => record['id'] === id);
  return ['/collections', collection, index, ...rest].join('/');
}

function repeatedSlugs({ schools = [] }: Lists): readonly Violation[] {
  const slugs = schools.map(({ slug }) => slug);
  return slugs.flatMap((slug, index) =>
    slugs.indexOf(slug) === index
      ? []
      : [{ pointer: `/collections/schools/${index}/slug`, message: `is that of another school already: ${JSON.stringify(slug)}.` }],
  );
}

function otherwiseWrong({ state }: Sandbox, name: CollectionName, id: string, record: unknown): readonly Violation[] {
  // Just checked against the schema of its collection, in which every record has an id.
  const fitting = record as Records[typeof name];
  if (fitting.id !== id)
    return [{ pointer: '/id', message: `must be ${JSON.stringify(id)}, as in the path, but is ${JSON.stringify(fitting.id)}.` }];
  const taken =
    'slug' in fitting &&
    name === 'schools' &&
    state
      .collection('schools')
      .where('slug', fitting.slug)
      .some((school) => school.id !== id);
  if (taken) return [{ pointer: '/slug', message: 'is that of another school already.' }];
  const has = (collection: CollectionName, wanted: string): boolean =>
    (collection === name && wanted === id) || state.collection(collection).get(wanted) !== undefined;
  return checkReferences(has, [[name, fitting]]).map(({ pointer, message }) => ({
    pointer: pointer.slice(pointerTo(pointerTo('', name), id).length),
    message,
  }));
}
