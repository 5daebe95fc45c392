import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';
import { Paged } from '../parts/paged.ts';

/** A column of a table. */
interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (item: T) => ComponentChildren;
}

interface TableProps<T extends { readonly id: string }> {
  readonly items: readonly T[];
  /** What the rows are, in the plural. */
  readonly what: string;
  /** The first column is the header of the row. */
  readonly columns: readonly Column<T>[];
}

/** A table in pages that scrolls within itself on a narrow screen. */
export function Table<T extends { readonly id: string }>({ items, what, columns }: TableProps<T>): VNode {
  const show = (shown: readonly T[]): VNode =>
    html`<div class="wide" tabindex="0" role="region" aria-label=${`Table of ${what}`}>
      <table class="stack">
        <thead>
          <tr>${columns.map(({ title, isNumber }) => html`<th key=${title} scope="col" class=${isNumber ? 'number' : ''}>${title}</th>`)}</tr>
        </thead>
        <tbody>
          ${shown.map((item) => html`<tr key=${item.id}>${columns.map((column, at) => cellOf(column, item, at === 0))}</tr>`)}
        </tbody>
      </table>
    </div>`;
  return html`<${Paged} items=${items} size=${100} what=${what} show=${show} />`;
}

function cellOf<T>({ title, isNumber, cell }: Column<T>, item: T, isFirst: boolean): VNode {
  if (isFirst) return html`<th key=${title} scope="row">${cell(item)}</th>`;
  return html`<td key=${title} data-title=${title} class=${isNumber ? 'number' : ''}>${cell(item)}</td>`;
}
