import { OperationFailed, type Services } from './operation.ts';

/** Returns the members on a page (specification, endpoints 6 and 10). The default is the first page. */
export function pageOf<T>(
  all: readonly T[],
  pageNumber: number | undefined,
  size: number,
  assume: Services['assume'],
): readonly T[] {
  // The option matters only if a page is named.
  const first = pageNumber === undefined ? 0 : Number(assume('firstPageNumber'));
  const index = (pageNumber ?? 0) - first;
  // Even an empty list has a first page.
  const pages = Math.max(1, Math.ceil(all.length / size));
  if (index === 0 && size >= all.length) return all;
  if (index >= 0 && index < pages) return all.slice(index * size, (index + 1) * size);
  if (assume('pageOutOfRange') === 'empty-list') return [];
  throw new OperationFailed(
    'invalid',
    '/pageNumber',
    `There is no page ${pageNumber}: the ${pages === 1 ? `only page is ${first}` : `pages are ${first} to ${first + pages - 1}`}.`,
  );
}
