import { go, noteAddress, useAddress } from '../route.ts';
import type { KeptText } from '../parts/use-typed.ts';

/**
 * Returns the text of the search in the query of the address, where *Back*, a reload and a copied link find it again,
 * and what replaces it there.
 */
export function useSearchText(): KeptText {
  const { query } = useAddress();
  return { text: query.get('search')?.trim() ?? '', keep, note };
}

function keep(text: string): void {
  go(pathWith(text), 'replace');
}

function note(text: string): void {
  noteAddress(pathWith(text));
}

function pathWith(text: string): string {
  const query = new URLSearchParams(location.search);
  if (text === '') query.delete('search');
  else query.set('search', text);
  return `${location.pathname}${query.size === 0 ? '' : `?${query.toString()}`}`;
}
