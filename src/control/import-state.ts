import { didYouMean } from '../base/did-you-mean.ts';
import { checkControlInto } from '../contract/control-check.ts';
import type { components } from '../contract/generated/control.ts';
import { isObject } from '../base/is-object.ts';
import { checkRecordInto } from '../contract/sent-record-check.ts';
import { pointerTo, quoted } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { missingReferences, mustName } from '../sandbox/references.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from '../sandbox/state.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import { refuse, tooMuchIn } from './fitting.ts';

type StateDocument = components['schemas']['StateDocument'];
type Lists = Readonly<Record<string, readonly unknown[]>>;

/**
 * Returns the state that a document describes, without changing the sandbox: the caller swaps the states in
 * one step. Throws ValidationError.
 */
export function* readState(sandbox: Sandbox, document: unknown): SlicedWork<State> {
  const { seed, beginning } = sandbox.state;
  const state = sandbox.newState(seed, beginning);
  let done = false;
  try {
    yield* fillFrom(document, state, sandbox);
    done = true;
    return state;
  } finally {
    if (!done) state.discard();
  }
}

function* fillFrom(document: unknown, state: State, { caps, state: current }: Sandbox): SlicedWork<void> {
  const list = new ViolationList(caps.violations);
  const lists = listsIn(document, list);
  for (const [name, { length }] of Object.entries(lists)) {
    if (length > caps.importRecords)
      list.add(pointerTo('/collections', name), () => tooManyRecords(length, caps));
  }
  refuse('The body is invalid.', list);
  for (const name of Object.keys(lists)) {
    if (!isCollection(name))
      list.add(pointerTo('/collections', name), () => `is not a collection.${knownCollections(name)}`);
  }
  for (const name of collectionNames) {
    yield* fill({ state, current, list, caps }, name, lists[name] ?? []);
  }
  if (list.isEmpty) {
    yield* findMissingReferences(state, lists, list);
    yield* findRepeatedSlugs(lists, list);
  }
  refuse('The state is invalid.', list);
}

/**
 * Returns the lists of a document without checking their members: there may be very many, and each is checked
 * later.
 */
function listsIn(document: unknown, list: ViolationList): Lists {
  const collections = isObject(document) ? document['collections'] : undefined;
  if (!isObject(document) || !isObject(collections)) checkControlInto(list, 'StateDocument', document);
  else {
    const emptied = Object.entries(collections).map(
      ([name, members]) => [name, Array.isArray(members) ? [] : members] as const,
    );
    // Names beyond the limit are not collections either; each is reported.
    checkControlInto(list, 'StateDocument', {
      ...document,
      collections: Object.fromEntries(emptied.slice(0, maxNames)),
    });
  }
  // Checked as far as needed here: lists by name.
  return list.isEmpty ? (document as StateDocument).collections : {};
}

function tooManyRecords(records: number, { importRecords }: ServerLimits): string {
  return `has ${records} records; the limit of this server is ${importRecords} (importRecords).`;
}

/** Many more than there are collections. */
const maxNames = 1000;

interface Filling {
  readonly state: State;
  /** The state that is replaced. */
  readonly current: State;
  readonly list: ViolationList;
  readonly caps: ServerLimits;
}

/** Puts the records into the state over its seed, and removes the seed's other records. */
function* fill(
  { state, current, list, caps }: Filling,
  name: CollectionName,
  records: readonly unknown[],
): SlicedWork<void> {
  const seen = new Set<string>();
  const collection = state.collection(name);
  for (const [index, record] of records.entries()) {
    yield;
    const pointer = `/collections/${name}/${index}`;
    const tooMuch = tooMuchIn(record, caps);
    const isAccepted = tooMuch === null || [state, current].some((one) => holds(one, name, record, caps));
    if (!isAccepted) list.add(pointer, () => tooMuch);
    if (!isAccepted || !checkRecordInto(list, name, record, pointer)) continue;
    if (seen.has(record.id)) list.add(`${pointer}/id`, () => 'is already used by an earlier record.');
    seen.add(record.id);
    const before = collection.get(record.id);
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(record)) state.put(name, record);
  }
  if (!list.isEmpty) return;
  for (const id of state.seed.collections[name].byId.keys()) {
    if (!seen.has(id)) state.remove(name, id);
    yield;
  }
}

/**
 * Returns whether a state has exactly this record, which is too large: from its seed, or stored by a server with other
 * limits. A sandbox accepts its own export.
 */
function holds(state: State, name: CollectionName, record: unknown, caps: ServerLimits): boolean {
  if (!isObject(record) || typeof record['id'] !== 'string') return false;
  const own = state.collection(name).get(record['id']);
  // To compare records is long work, so smaller ones are not compared.
  return tooMuchIn(own, caps) !== null && JSON.stringify(own) === JSON.stringify(record);
}

/** Reports references to missing records. All records have passed the checks of their collections. */
function* findMissingReferences(state: State, lists: Lists, list: ViolationList): SlicedWork<void> {
  const has = (name: CollectionName, id: string): boolean => state.collection(name).get(id) !== undefined;
  for (const name of collectionNames) {
    for (const [index, record] of (lists[name] ?? []).entries()) {
      yield;
      if (!isObject(record)) continue;
      for (const { field, target, value } of missingReferences(has, name, record)) {
        list.add(`/collections/${name}/${index}/${field}`, () => mustName(target, value));
      }
    }
  }
}

function* findRepeatedSlugs({ schools = [] }: Lists, list: ViolationList): SlicedWork<void> {
  const seen = new Set<unknown>();
  for (const [index, school] of schools.entries()) {
    yield;
    const slug = isObject(school) ? school['slug'] : undefined;
    if (seen.has(slug)) {
      list.add(
        `/collections/schools/${index}/slug`,
        () => `is already used by another school: ${quoted(String(slug))}.`,
      );
    }
    seen.add(slug);
  }
}

function isCollection(name: string): name is CollectionName {
  return collectionNames.some((known) => known === name);
}

/** Returns a suggestion and the list of collections. */
export function knownCollections(name: string): string {
  return `${didYouMean(name, collectionNames)} The collections are ${collectionNames.join(', ')}.`;
}
