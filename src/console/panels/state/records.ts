import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { counted, grouped } from '../../parts/paged.ts';
import { ChangeDialog } from './change-dialog.ts';
import { isOfSchool, labelOf } from './columns.ts';
import { RecordEditor, type Edited } from './editor.ts';
import type { LoadedCollection } from './load.ts';
import { RecordTable } from './record-table.ts';

type Record = Schemas['Record'];

export interface RecordsProps {
  readonly sandbox: string;
  readonly collection: string;
  readonly loaded: LoadedCollection;
  /** The id of the school whose records are shown; undefined for all. */
  readonly schoolId: unknown;
  /** The id of the record that is open; null for none. */
  readonly shown: string | null;
  /** Opens a record by its id, or closes it. */
  readonly onShow: (id: string | null) => void;
  readonly onChanged: () => void;
}

/** The records of a collection with a search, their differences from the seed, and an editor for one of them. */
export function Records({
  sandbox,
  collection,
  loaded,
  schoolId,
  shown,
  onShow,
  onChanged,
}: RecordsProps): VNode {
  const { records, changes, columns } = loaded;
  const [text, setText] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const [begun, setBegun] = useState<Record | null>(null);
  const [compared, setCompared] = useState<Schemas['RecordChange'] | null>(null);
  const last = useRef<Record | undefined>(undefined);
  const known = last.current?.['id'] === shown ? last.current : undefined;
  // If somebody else deletes the record, its editor stays open.
  const open = (last.current = records.find(({ id }) => id === shown) ?? known);
  const opened: Edited | null = open === undefined ? null : { isNew: false, record: open };
  const edited: Edited | null = begun === null ? opened : { isNew: true, record: begun };
  const wanted = text.trim().toLowerCase();
  const isSearched = wanted !== '';
  // Once for all keystrokes, because there may be 100,000 records.
  const texts = useMemo(
    () => (isSearched ? records.map((record) => JSON.stringify(record).toLowerCase()) : []),
    [records, isSearched],
  );
  const found = useMemo(
    () =>
      records.filter(
        (record, at) =>
          (schoolId === undefined || isOfSchool(record, schoolId)) &&
          (!isOnlyChanged || changes.has(String(record['id']))) &&
          (!isSearched || texts[at]?.includes(wanted) === true),
      ),
    [records, changes, schoolId, isOnlyChanged, wanted],
  );
  const close = (): void => {
    setBegun(null);
    if (shown !== null) onShow(null);
  };
  const changed = (): void => {
    close();
    onChanged();
  };
  return html`<div class="row" role="search">
      <label>
        Search <input type="search" value=${text} onInput=${({ currentTarget }: Typed) => setText(currentTarget.value)} />
      </label>
      <label>
        <input type="checkbox" checked=${isOnlyChanged} onInput=${({ currentTarget }: Typed) => setOnlyChanged(currentTarget.checked)} /> Only differences from the seed
      </label>
      <span class="soft" role="status">${countedOf(found.length, records.length)}</span>
      <button type="button" onClick=${() => setBegun(likeOthers(records))}>Add record …</button>
    </div>
    <${RecordTable} key=${`${wanted} ${String(schoolId)} ${isOnlyChanged}`} sandbox=${sandbox} changes=${changes} columns=${columns} records=${found} onEdit=${({ id }: Record) => onShow(String(id))} onCompare=${setCompared} />
    <${Removed} changes=${changes} onCompare=${setCompared} />
    ${shown !== null && open === undefined && html`<p class="notice" role="status">${collection} has no record <code>${shown}</code>.</p>`}
    ${
      edited !== null &&
      html`<${RecordEditor} key=${edited.record['id']} sandbox=${sandbox} collection=${collection} edited=${edited} onChanged=${changed} onClose=${close} />`
    }
    ${compared !== null && html`<${ChangeDialog} change=${compared} onClose=${() => setCompared(null)} />`}`;
}

interface Typed {
  readonly currentTarget: HTMLInputElement;
}

function countedOf(found: number, all: number): string {
  return found === all ? counted(all, 'record') : `${grouped(found)} of ${counted(all, 'record')}`;
}

interface RemovedProps extends Pick<LoadedCollection, 'changes'> {
  readonly onCompare: (change: Schemas['RecordChange']) => void;
}

/** Maximum number of removed records that are listed. */
const maxRemoved = 100;

/** The records of the seed that were removed. */
function Removed({ changes, onCompare }: RemovedProps): VNode | null {
  const removed = [...changes.values()].filter(({ kind }) => kind === 'removed');
  if (removed.length === 0) return null;
  return html`<h3>${counted(removed.length, 'removed record')}</h3>
    <ul class="removed">
      ${removed.slice(0, maxRemoved).map(
        (change) =>
          html`<li key=${change.recordId} class="row">
            <code>${change.recordId}</code> ${change.before !== null && labelOf(change.before)}
            <button type="button" class="quiet" aria-label=${`Show difference of ${change.recordId}`} onClick=${() => onCompare(change)}>Show difference</button>
          </li>`,
      )}
    </ul>`;
}

/** Returns a copy of the first record with a new id. */
function likeOthers([first]: readonly Record[]): Record {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return { ...first, id: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}
