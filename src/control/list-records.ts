import type { TextFinder } from '../base/text-finder.ts';
import { describe } from '../base/violation.ts';
import type { components } from '../contract/generated/control.ts';
import type { Records } from '../contract/generated/facts.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { absolutePath } from '../operations/shared/video-folders.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import type { State } from '../sandbox/state.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { changeOf } from './changes.ts';
import { refuse } from './fitting.ts';
import { addUnknownFilters, countIn } from './query.ts';
import { hasText, textIn } from './record-text.ts';
import { isOfSchool, schoolIn } from './school-hint.ts';
import { collectionNamed } from './state.ts';

type RecordList = components['schemas']['RecordList'];
type StoredRecord = Records[CollectionName];
type Query = Readonly<Record<string, unknown>>;

/** The parameters of a query. With any but `school`, the list has its total and its differences from the seed. */
const filters = ['school', 'id', 'text', 'folder', 'differs', 'offset', 'limit'];

interface Wanted {
  /** The id of a school; null for all. */
  readonly school: string | null;
  /** The ids of records; null for all. */
  readonly ids: readonly string[] | null;
  readonly text: TextFinder | null;
  /** The folder of videos; null for all. */
  readonly folder: string | null;
  /** Whether only records that differ from the seed match. */
  readonly differs: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns the records of a collection that match the query. The sandbox must not change meanwhile. Throws
 * NotFoundError for an unknown collection, ValidationError for an invalid query.
 */
export function listRecords(sandbox: Sandbox, collection: string, query: Query): SlicedWork<RecordList> {
  const name = collectionNamed(collection);
  const isPage = Object.keys(query).some((filter) => filter !== 'school');
  return listing(sandbox.state, name, wantedIn(name, query, sandbox), isPage);
}

function* listing(
  state: State,
  name: CollectionName,
  wanted: Wanted,
  isPage: boolean,
): SlicedWork<RecordList> {
  const records: StoredRecord[] = [];
  const { offset, limit } = wanted;
  let total = 0;
  for (const record of candidates(state, name, wanted.ids)) {
    const { text } = wanted;
    if (matches(state, name, record, wanted) && (text === null || (yield* hasText(record, text)))) {
      if (total >= offset && records.length < limit) records.push(record);
      total += 1;
    }
    yield;
  }
  if (!isPage) return { records };
  const changes: NonNullable<RecordList['changes']>[number][] = [];
  for (const { id } of records) {
    const change = changeOf(state, name, id);
    if (change !== null) changes.push({ recordId: id, kind: change.kind });
    yield;
  }
  return { records, total, changes };
}

function* candidates(
  state: State,
  name: CollectionName,
  ids: readonly string[] | null,
): Iterable<StoredRecord> {
  const collection = state.collection(name);
  if (ids === null) return yield* collection.all();
  for (const id of ids) {
    const record = collection.get(id);
    if (record !== undefined) yield record;
  }
}

function matches(
  state: State,
  name: CollectionName,
  record: StoredRecord,
  { school, folder, differs }: Wanted,
): boolean {
  return (
    (school === null || isOfSchool(school, record)) &&
    (folder === null || ('folderPath' in record && absolutePath(record.folderPath) === folder)) &&
    (!differs || changeOf(state, name, record.id) !== null)
  );
}

function wantedIn(name: CollectionName, query: Query, sandbox: Sandbox): Wanted {
  const list = new ViolationList(sandbox.caps.violations);
  addUnknownFilters(list, query, filters);
  const { id, folder, differs } = query;
  const school = schoolIn(list, query, sandbox);
  const text = textIn(list, query);
  if (folder !== undefined && (name !== 'videos' || typeof folder !== 'string'))
    list.add('/folder', () =>
      name === 'videos' ? 'must occur once.' : `applies only to videos, not to ${name}.`,
    );
  if (differs !== undefined && differs !== 'true')
    list.add('/differs', () => `must be true, or absent for all records, but is ${describe(differs)}.`);
  const offset = countIn(list, query, 'offset', 0) ?? 0;
  const limit = countIn(list, query, 'limit') ?? Infinity;
  refuse('The query is invalid.', list);
  return {
    school,
    ids: id === undefined ? null : [...new Set([id].flat().map(String))],
    text,
    folder: typeof folder === 'string' ? absolutePath(folder) : null,
    differs: differs === 'true',
    offset,
    limit,
  };
}
