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
  if (last === 0) return show(items);
  const to = Math.min(from + size, items.length);
  return html`<div class="pages row">
      <${Button} type="button" off=${page === 0} onClick=${() => setWanted(0)}>First<//>
      <${Button} type="button" off=${page === 0} onClick=${() => setWanted(page - 1)}>Previous<//>
      <span role="status">${`${grouped(from + 1)}–${grouped(to)} of ${grouped(items.length)} ${what}`}</span>
      <${Button} type="button" off=${page === last} onClick=${() => setWanted(page + 1)}>Next<//>
      <${Button} type="button" off=${page === last} onClick=${() => setWanted(last)}>Last<//>
    </div>
    ${show(items.slice(from, to))}`;
}

/** Returns a number with separators, as in "100,000". */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Returns a number with its noun, as in "1 item" or "2 items". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}
