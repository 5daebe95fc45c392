import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Button } from './button.ts';

interface PagedProps<T> {
  readonly items: readonly T[];
  /** Maximum number of items on a page. */
  readonly size: number;
  /** What the items are, in the plural. */
  readonly what: string;
  /** Renders the items of a page. */
  readonly show: (items: readonly T[]) => VNode;
}

/** A list in pages, so that a long one is as fast as a short one. The parent's `key` returns to the first page. */
export function Paged<T>({ items, size, what, show }: PagedProps<T>): VNode {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  // Items may have been removed.
  const page = Math.min(wanted, last);
  const from = page * size;
  return html`<${Pager} page=${page} size=${size} total=${items.length} what=${what} onPage=${setWanted} />
    ${show(items.slice(from, from + size))}`;
}

interface PagerProps {
  /** The number of the page, from 0. */
  readonly page: number;
  /** Maximum number of items on a page. */
  readonly size: number;
  /** The number of items on all pages. */
  readonly total: number;
  /** What the items are, in the plural. */
  readonly what: string;
  /** Whether the buttons do nothing now, because the list is about to be another one. */
  readonly off?: boolean;
  readonly onPage: (page: number) => void;
}

/** The buttons that lead to the other pages of a list; nothing if there are none. */
export function Pager({ page, size, total, what, off = false, onPage }: PagerProps): VNode | null {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  if (last === 0) return null;
  const from = page * size;
  const to = Math.min(from + size, total);
  return html`<div class="pages row">
    <${Button} type="button" off=${off || page === 0} onClick=${() => onPage(0)}>First<//>
    <${Button} type="button" off=${off || page === 0} onClick=${() => onPage(page - 1)}>Previous<//>
    <span role="status">${`${grouped(from + 1)}–${grouped(to)} of ${grouped(total)} ${what}`}</span>
    <${Button} type="button" off=${off || page === last} onClick=${() => onPage(page + 1)}>Next<//>
    <${Button} type="button" off=${off || page === last} onClick=${() => onPage(last)}>Last<//>
  </div>`;
}

/** Returns a number with separators, as in "100,000". */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Returns a number with its noun, as in "1 item" or "2 items". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}
