import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { RecordEditor, type Edited } from './editor.ts';

type Record = Schemas['Record'];

interface Props {
  readonly sandbox: string;
  readonly collection: string;
  readonly records: readonly Record[];
  /** The id of the record that is open; null for none. */
  readonly shown: string | null;
  /** Opens a record by its id, or closes it. */
  readonly onShow: (id: string | null) => void;
  readonly onChanged: () => void;
}

/** Maximum number of rows; the search finds the rest. */
const maxShown = 200;

/** The records of a collection with a search, and an editor for one of them. */
export function Records({ sandbox, collection, records, shown, onShow, onChanged }: Props): VNode {
  const [text, setText] = useState('');
  const [begun, setBegun] = useState<Record | null>(null);
  const open = records.find(({ id }) => id === shown);
  const opened: Edited | null = open === undefined ? null : { isNew: false, record: open };
  const edited: Edited | null = begun === null ? opened : { isNew: true, record: begun };
  const wanted = text.trim().toLowerCase();
  const found = records.filter((record) => JSON.stringify(record).toLowerCase().includes(wanted));
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
      <span class="soft" role="status">${counted(found.length, records.length)}</span>
      <button type="button" onClick=${() => setBegun(likeOthers(records))}>Add record …</button>
    </div>
    <${Table} records=${found.slice(0, maxShown)} onEdit=${({ id }: Record) => onShow(String(id))} />
    ${shown !== null && open === undefined && html`<p class="notice" role="status">${collection} has no record <code>${shown}</code>.</p>`}
    ${
      edited !== null &&
      html`<${RecordEditor} key=${edited.record['id']} sandbox=${sandbox} collection=${collection} edited=${edited} onChanged=${changed} onClose=${close} />`
    }`;
}

interface Typed {
  readonly currentTarget: HTMLInputElement;
}

function counted(found: number, all: number): string {
  if (found > maxShown) return `${found} of ${all} records, first ${maxShown} shown`;
  return found === all ? `${all} records` : `${found} of ${all} records`;
}

/** Returns a copy of the first record with a new id. */
function likeOthers([first]: readonly Record[]): Record {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return { ...first, id: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}

function Table({
  records,
  onEdit,
}: {
  readonly records: readonly Record[];
  readonly onEdit: (record: Record) => void;
}): VNode {
  if (records.length === 0) return html`<p class="soft">No records.</p>`;
  return html`<table class="records">
    <thead>
      <tr>
        <th scope="col">Id</th>
        <th scope="col">Record</th>
        <th scope="col"><span class="unseen">Actions</span></th>
      </tr>
    </thead>
    <tbody>
      ${records.map((record) => {
        const { id, ...rest } = record;
        return html`<tr key=${id}>
          <th scope="row"><code>${id}</code></th>
          <td><code>${JSON.stringify(rest)}</code></td>
          <td><button type="button" class="quiet" aria-label=${`Edit record ${String(id)}`} onClick=${() => onEdit(record)}>Edit record</button></td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
