import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { html } from '../html.ts';
import { SearchField } from './search-field.ts';

/** A search in a list. */
export interface Search<T> {
  readonly found: readonly T[];
  /** The field for the text. */
  readonly field: VNode;
  /** Changes with the text. */
  readonly key: string;
}

/**
 * Searches the texts of a list, at first for `search` in the query of the address. `what` names its items in the
 * plural.
 */
export function useSearch<T>(items: readonly T[], textOf: (item: T) => string, what: string): Search<T> {
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('search') ?? '');
  // Once for all keystrokes, because there may be 100,000 items.
  const texts = useMemo(() => items.map((item) => textOf(item).toLowerCase()), [items]);
  const wanted = text.trim().toLowerCase();
  const found = useMemo(
    () => (wanted === '' ? items : items.filter((_, at) => texts[at]?.includes(wanted) === true)),
    [items, wanted],
  );
  const field = html`<${SearchField} typed=${text} onType=${setText} text=${text.trim()} found=${found.length} total=${items.length} what=${what} />`;
  return { found, field, key: wanted };
}
