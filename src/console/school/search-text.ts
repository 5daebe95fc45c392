import { go, useAddress } from '../route.ts';

/**
 * Returns the text of the search in the query of the address, where *Back*, a reload and a copied link find it again,
 * and what replaces it there.
 */
export function useSearchText(): readonly [text: string, keep: (text: string) => void] {
  const { query } = useAddress();
  return [query.get('search')?.trim() ?? '', keepSearch];
}

function keepSearch(text: string): void {
  const query = new URLSearchParams(location.search);
  if (text === '') query.delete('search');
  else query.set('search', text);
  go(`${location.pathname}${query.size === 0 ? '' : `?${query.toString()}`}`, 'replace');
}
