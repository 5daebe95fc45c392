import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { html } from '../html.ts';
import { maxTyped, useTyped } from '../parts/use-typed.ts';
import { SearchField } from './search-field.ts';
import { useSearchText } from './search-text.ts';

/** A search in a list. */
export interface Search<T> {
  readonly found: readonly T[];
  /** The field for the text. */
  readonly field: VNode;
  /** Changes with the text. */
  readonly key: string;
}

/** Searches the texts of a list for what the address and the field say. `what` names its items in the plural. */
export function useSearch<T>(items: readonly T[], textOf: (item: T) => string, what: string): Search<T> {
  const [typed, setTyped] = useTyped(useSearchText());
  // Once for all keystrokes, because there may be 100,000 items.
  const texts = useMemo(() => items.map((item) => textOf(item).toLowerCase()), [items]);
  const text = typed.trim();
  const wanted = text.toLowerCase();
  const found = useMemo(
    () => (wanted === '' ? items : items.filter((_, at) => texts[at]?.includes(wanted) === true)),
    [items, wanted],
  );
  const field = html`<${SearchField} typed=${typed} onType=${setTyped} text=${text} found=${found.length} total=${items.length} what=${what} maxLength=${maxTyped} />`;
  return { found, field, key: wanted };
}
