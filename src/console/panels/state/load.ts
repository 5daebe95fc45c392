import { ask, contentOf, fillPath, send, type Schemas } from '../../api.ts';
import { columnsOf, labelOf, targetOf } from './columns.ts';

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
    listRecords(sandboxId, 'schools'),
  ]);
  return { collections, schools };
}

export async function listRecords(sandboxId: string, collection: string): Promise<readonly Record[]> {
  const path = '/control/sandboxes/{sandboxId}/state/{collection}';
  return (await ask('get', path, { sandboxId, collection })).records;
}

/** A collection with everything that its table shows. */
export interface LoadedCollection {
  readonly records: readonly Record[];
  /** The differences from the seed, by record id. */
  readonly changes: ReadonlyMap<string, Change>;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** The records that the column refers to; null if it does not refer to any. */
  readonly target: Target | null;
}

interface Target {
  readonly collection: string;
  /** What a person calls the records, by id. */
  readonly labels: ReadonlyMap<unknown, string>;
}

/** Loads a collection, and those to which its columns refer. */
export async function loadCollection(
  sandboxId: string,
  collection: string,
  names: readonly string[],
): Promise<LoadedCollection> {
  const query = new URLSearchParams({ collection }).toString();
  const [records, changes] = await Promise.all([
    listRecords(sandboxId, collection),
    send('get', `${fillPath('/control/sandboxes/{sandboxId}/changes', { sandboxId })}?${query}`).then(
      (reply) => contentOf<Schemas['ChangeList']>(reply),
    ),
  ]);
  const labels = new Map<string, Promise<Target['labels']>>();
  const columns = columnsOf(records).map(async (name): Promise<Column> => {
    const target = targetOf(name, names);
    if (target === null) return { name, target };
    const loading = labels.get(target) ?? listRecords(sandboxId, target).then(labelsOf);
    labels.set(target, loading);
    return { name, target: { collection: target, labels: await loading } };
  });
  return {
    records,
    changes: new Map(changes.changes.map((one) => [one.recordId, one])),
    columns: await Promise.all(columns),
  };
}

function labelsOf(records: readonly Record[]): Target['labels'] {
  return new Map(records.map((record) => [record['id'], labelOf(record)]));
}
