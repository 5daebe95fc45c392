import { ask, contentOf, fillPath, send, type Schemas } from '../../api.ts';
import { columnsOf, labelOf, sampled, targetOf } from './columns.ts';
import type { View } from './view.ts';

type Record = Schemas['Record'];
type Change = Schemas['RecordChange'];

/** What the panel shows of all collections. */
export interface Overview {
  readonly collections: Schemas['CollectionList']['collections'];
  readonly schools: readonly Record[];
}

export async function loadOverview(sandboxId: string): Promise<Overview> {
  const [{ collections }, schools] = await Promise.all([
    ask('get', '/control/sandboxes/{sandboxId}/collections', { sandboxId }),
    ask('get', '/control/sandboxes/{sandboxId}/state/{collection}', { sandboxId, collection: 'schools' }),
  ]);
  return { collections, schools: schools.records };
}

/** The place of a collection. */
interface CollectionPlace {
  readonly sandboxId: string;
  readonly collection: string;
}

type Query = readonly (readonly [name: string, value: string])[];

function listRecords(place: CollectionPlace, query: Query): Promise<Schemas['RecordList']> {
  return read(fillPath('/control/sandboxes/{sandboxId}/state/{collection}', { ...place }), query);
}

function listChanges(
  { sandboxId, collection }: CollectionPlace,
  query: Query,
): Promise<Schemas['ChangeList']> {
  const path = fillPath('/control/sandboxes/{sandboxId}/changes', { sandboxId });
  return read(path, [['collection', collection], ...query]);
}

async function read<T>(path: string, query: Query): Promise<T> {
  return contentOf(
    await send('get', `${path}?${new URLSearchParams(query.map(([...pair]) => pair)).toString()}`),
  );
}

/** More ids make an address too long for a server. */
const maxIds = 100;

/** Returns the records with these ids, apart from those that do not exist. */
export async function findRecords(
  place: CollectionPlace,
  ids: readonly string[],
): Promise<readonly Record[]> {
  const lists: Promise<Schemas['RecordList']>[] = [];
  for (let from = 0; from < ids.length; from += maxIds)
    lists.push(
      listRecords(
        place,
        ids.slice(from, from + maxIds).map((id) => ['id', id]),
      ),
    );
  return (await Promise.all(lists)).flatMap(({ records }) => records);
}

/** What the panel shows of a collection beside a page of its records. */
export interface CollectionSummary {
  /** The number of records. */
  readonly total: number;
  readonly columns: readonly ColumnName[];
}

interface ColumnName {
  readonly name: string;
  /** The collection to which the column refers; null if to none. */
  readonly target: string | null;
}

/** Loads the first records, from which the columns follow, so that all pages have the same ones. */
export async function summarize(
  place: CollectionPlace,
  names: readonly string[],
): Promise<CollectionSummary> {
  const { records, total = 0 } = await listRecords(place, [['limit', String(sampled)]]);
  return { total, columns: columnsOf(records).map((name) => ({ name, target: targetOf(name, names) })) };
}

/** The maximum number of removed records that are listed. */
const maxRemoved = 100;

/** Returns the first removed records of the seed that are of the school and have the text, and the number of all. */
export function findRemoved(
  place: CollectionPlace,
  { school, text }: Pick<View, 'school' | 'text'>,
): Promise<Schemas['ChangeList']> {
  return listChanges(place, [
    ['kind', 'removed'],
    ['limit', String(maxRemoved)],
    ...ofSchool(school),
    ...withText(text),
  ]);
}

/**
 * Returns a record that a new one can copy: one of the school if it has any, else one of another school with this
 * school in its place; undefined if there are no records.
 */
export async function findModel(place: CollectionPlace, school: Record | null): Promise<Record | undefined> {
  const first = async (slug: string | null) =>
    (await listRecords(place, [['limit', '1'], ...ofSchool(slug)])).records[0];
  if (school === null) return first(null);
  const model = (await first(String(school['slug']))) ?? (await first(null));
  if (model === undefined) return undefined;
  if ('schoolId' in model) return { ...model, schoolId: school['id'] };
  return 'schoolIds' in model ? { ...model, schoolIds: [school['id']] } : model;
}

function ofSchool(slug: string | null): Query {
  return slug === null ? [] : [['school', slug]];
}

function withText(text: string): Query {
  return text === '' ? [] : [['text', text]];
}

/** The number of records on a page. */
export const pageSize = 100;

/** A page of a collection with everything that its table shows. */
export interface LoadedPage {
  readonly records: readonly Record[];
  /** The number of records on all pages. */
  readonly total: number;
  /** The number of all records of the school, or of all schools. */
  readonly all: number;
  /** The number of this page; the last one if there are fewer pages than was asked for. */
  readonly page: number;
  /** How the records of the page differ from the seed, by record id. */
  readonly changes: ReadonlyMap<string, Change['kind']>;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** The records that the column refers to; null if it does not refer to any. */
  readonly target: Target | null;
}

interface Target {
  readonly collection: string;
  /** What a person calls the records of the page, by id. */
  readonly labels: ReadonlyMap<unknown, string>;
}

/** Loads a page, and the records to which it refers. */
export async function loadPage(
  place: CollectionPlace,
  summary: CollectionSummary,
  query: Omit<View, 'collection'>,
): Promise<LoadedPage> {
  const { school, text, isOnlyChanged, page } = query;
  const isFiltered = text !== '' || isOnlyChanged;
  const ofAll =
    isFiltered && school !== null
      ? listRecords(place, [
          ['limit', '1'],
          ['school', school],
        ])
      : summary;
  const listed = listRecords(place, [
    ['offset', String(page * pageSize)],
    ['limit', String(pageSize)],
    ...ofSchool(school),
    ...withText(text),
    ...(isOnlyChanged ? [['differs', 'true'] as const] : []),
  ]);
  const [{ records, total = 0, changes = [] }, { total: all = 0 }] = await Promise.all([listed, ofAll]);
  const last = Math.max(0, Math.ceil(total / pageSize) - 1);
  // Records may have been removed.
  if (page > last) return loadPage(place, summary, { ...query, page: last });
  const columns = summary.columns.map(async ({ name, target }): Promise<Column> => {
    if (target === null) return { name, target };
    const ids = new Set(records.flatMap((record) => record[name] ?? []).map(String));
    const labels = labelsOf(await findRecords({ ...place, collection: target }, [...ids]));
    return { name, target: { collection: target, labels } };
  });
  return {
    records,
    total,
    all: isFiltered ? all : total,
    page,
    changes: new Map(changes.map(({ recordId, kind }) => [recordId, kind])),
    columns: await Promise.all(columns),
  };
}

function labelsOf(records: readonly Record[]): Target['labels'] {
  return new Map(records.map((record) => [record['id'], labelOf(record)]));
}

/** Returns how a record differs from the seed; undefined if it does not. */
export async function findChange(place: CollectionPlace, recordId: string): Promise<Change | undefined> {
  return (await listChanges(place, [['recordId', recordId]])).changes[0];
}
