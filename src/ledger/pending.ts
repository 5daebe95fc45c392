import { createHash } from 'node:crypto';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { ChangeLists, LargeEntry, LedgerEntry } from '../sandbox/ledger.ts';
import { snapshotTexts } from '../store/change-texts.ts';

/** A changed record, or the id of a removed one, as JSON. */
interface RecordRow {
  readonly collection: string;
  readonly key: string;
  readonly change: string;
}

/** The parts of an entry that can be large, as JSON. */
export interface LargeRows {
  readonly state: string | null;
  readonly records: readonly RecordRow[];
  /** By name; null for a removed one. */
  readonly snapshots: readonly (readonly [string, string | null])[];
}

export const noRows: LargeRows = { state: null, records: [], snapshots: [] };

/** Converts the large parts of an entry, one record at a time. */
export function* rowsOf({ state, changes = {}, snapshots = {} }: LargeEntry): SlicedWork<LargeRows> {
  const contents: [string, string | null][] = [];
  for (const [name, snapshot] of Object.entries(snapshots)) {
    const pieces: string[] = [];
    for (const text of snapshotTexts({ [name]: snapshot })) {
      pieces.push(text);
      yield;
    }
    const text = pieces.join('');
    contents.push([name, snapshot === null ? null : text.slice(text.indexOf(':') + 1, -1)]);
  }
  return {
    state: state === undefined ? null : JSON.stringify(state),
    records: yield* recordRows(changes),
    snapshots: contents,
  };
}

function* recordRows(changes: ChangeLists): SlicedWork<readonly RecordRow[]> {
  const rows: RecordRow[] = [];
  for (const [collection, list] of Object.entries(changes)) {
    for (const change of list) {
      const id = typeof change === 'string' ? change : change.id;
      rows.push({ collection, key: columnKey(id), change: JSON.stringify(change) });
      yield;
    }
  }
  return rows;
}

/** Clients choose ids and keys of any length and with any characters, of which an index accepts only some. */
export function columnKey(text: string): string {
  return /^[\w-]{1,200}$/.test(text)
    ? text
    : `#${createHash('sha256').update(JSON.stringify(text)).digest('hex')}`;
}

/** A record that is not stored yet. */
export interface PendingRecord extends RecordRow {
  /** Where it comes among the changes of its sandbox, unless it has a place already. */
  readonly place: number;
}

/** A window of the rate limits that has counted. */
type Counting = NonNullable<NonNullable<LedgerEntry['counts']>['window']>;

/** What has happened in a sandbox since its last statement began. Later changes replace earlier ones. */
export class Pending {
  /** Whether a new state replaces the records. */
  state: string | null = null;
  /** Whether the facts, such as the counters of fault rules, have changed. */
  hasFacts = false;
  /** Whether all windows are stored anew. */
  hasAllWindows = false;
  /** Whether other replicas may take the sandbox from then on. */
  gives = false;
  readonly records = new Map<string, PendingRecord>();
  readonly snapshots = new Map<string, string | null>();
  /** By operation and caller; the place of a new window. */
  readonly windows = new Map<
    string,
    { readonly window: Counting; readonly place: number; readonly isNew: boolean }
  >();
  /** The size of the records and snapshots in characters. */
  chars = 0;

  add({ state, records, snapshots }: LargeRows, nextPlace: () => number): void {
    if (state !== null) {
      this.state = state;
      this.records.clear();
    }
    for (const row of records) {
      const id = `${row.collection} ${row.key}`;
      const place = this.records.get(id)?.place ?? nextPlace();
      this.records.set(id, { ...row, place });
      this.chars += row.change.length;
    }
    for (const [name, content] of snapshots) {
      this.snapshots.set(name, content);
      this.chars += content?.length ?? 0;
    }
  }

  addWindow(window: Counting, nextPlace: () => number): void {
    const id = `${window.operation} ${window.caller}`;
    const known = this.windows.get(id);
    const isNew = window.isNew === true || known?.isNew === true;
    const place = known === undefined || window.isNew === true ? nextPlace() : known.place;
    this.windows.set(id, { window, place, isNew });
  }
}
