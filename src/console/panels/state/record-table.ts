import type { ComponentChildren, VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { pathTo } from '../../route.ts';
import type { Column, LoadedPage } from './load.ts';

type Record = Schemas['Record'];

interface Props extends Pick<LoadedPage, 'records' | 'changes' | 'columns'> {
  readonly sandbox: string;
  /** What to say if there are no records. */
  readonly none: string;
  readonly onEdit: (record: Record) => void;
  /** Shows how the record with this id differs from the seed. */
  readonly onCompare: (id: string) => void;
}

/** Records with their most telling fields. Identifiers of other records are links to them. */
export function RecordTable({ sandbox, none, records, changes, columns, onEdit, onCompare }: Props): VNode {
  if (records.length === 0) return html`<p class="soft">${none}</p>`;
  const classOf = (name: string): string =>
    records.some((one) => typeof one[name] === 'number') ? 'number' : '';
  const row = (record: Record): VNode => {
    const id = String(record['id']);
    const change = changes.get(id);
    return html`<tr key=${id} class=${change === undefined ? '' : 'differs'}>
      <th scope="row">
        <code>${id}</code>
        ${change !== undefined && html` <${Badge} tone=${change === 'added' ? 'good' : 'warn'}>${change}<//>`}
      </th>
      ${columns.map(({ name, target }) => {
        const cell =
          target === null
            ? asText(record[name])
            : html`<${References} sandbox=${sandbox} value=${record[name]} ...${target} />`;
        return html`<td key=${name} data-title=${name} class=${classOf(name)}>${cell}</td>`;
      })}
      <td class="tools">
        <button type="button" class="quiet" aria-label=${`Edit record ${id}`} onClick=${() => onEdit(record)}>Edit record</button>
        ${change !== undefined && html` <button type="button" class="quiet" aria-label=${`Show difference of ${id}`} onClick=${() => onCompare(id)}>Show difference</button>`}
      </td>
    </tr>`;
  };
  return html`<div class="wide" tabindex="0" role="region" aria-label="Records">
      <table class="records stack">
        <thead>
          <tr>
            <th scope="col">id</th>
            ${columns.map(({ name }) => html`<th key=${name} scope="col" class=${classOf(name)}>${breakable(name)}</th>`)}
            <th scope="col"><span class="unseen">Actions</span></th>
          </tr>
        </thead>
        <tbody>${records.map(row)}</tbody>
      </table>
    </div>`;
}

interface ReferencesProps extends NonNullable<Column['target']> {
  readonly sandbox: string;
  /** An id, or a list of them. */
  readonly value: unknown;
}

/** Links to the records that a field refers to, by their titles. */
function References({ sandbox, collection, value, labels }: ReferencesProps): ComponentChildren {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  return ids.map((id, at) => {
    const label = labels.get(id);
    const to = pathTo(sandbox, 'state', { collection, record: String(id) });
    return html`${at > 0 && ', '}${label === undefined ? asText(id) : html`<${Link} to=${to}>${label}<//>`}`;
  });
}

/** Lets a long name break before its capitals. */
function breakable(name: string): ComponentChildren {
  return name.split(/(?=[A-Z])/).map((part) => html`${part}<wbr />`);
}

function asText(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
