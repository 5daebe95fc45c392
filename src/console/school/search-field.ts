import type { VNode } from 'preact';
import { html } from '../html.ts';
import { grouped } from '../parts/paged.ts';

interface Props {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** The text that is searched for. */
  readonly text: string;
  /** The number of items that have it; undefined until it is known. */
  readonly found: number | undefined;
  readonly total: number;
  /** The items in the plural. */
  readonly what: string;
  readonly isBusy?: boolean;
  readonly maxLength?: number;
}

interface Typed {
  readonly currentTarget: HTMLInputElement;
}

/** A field for a search, and how many items were found. */
export function SearchField({ typed, onType, text, found, total, what, isBusy, maxLength }: Props): VNode {
  const count = found === total ? grouped(total) : `${grouped(found ?? 0)} of ${grouped(total)}`;
  return html`<div class="row search" role="search">
      <label>Search <input type="search" maxlength=${maxLength} value=${typed} onInput=${({ currentTarget }: Typed) => onType(currentTarget.value)} /></label>
      <span class="soft" role="status">${isBusy === true ? 'Searching …' : `${count} ${what}`}</span>
    </div>
    ${found === 0 && text !== '' && html`<p class="soft">No ${what} with “${text}”.</p>`}`;
}
