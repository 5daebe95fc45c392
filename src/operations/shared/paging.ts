import { OperationFailed, type Services } from './operation.ts';

/** Returns the members on a page (specification, endpoints 6 and 10). The default is the first page. */
export function pageOf<T>(
  all: readonly T[],
  pageNumber: number | undefined,
  size: number,
  assume: Services['assume'],
): readonly T[] {
  const index = pageNumber === undefined ? 0 : pageNumber - Number(assume('firstPageNumber'));
  // Even an empty list has a first page.
  const pages = Math.max(1, Math.ceil(all.length / size));
  if (index === 0 && size >= all.length) return all;
  if (index >= 0 && index < pages) return all.slice(index * size, (index + 1) * size);
  if (assume('pageOutOfRange') === 'empty-list') return [];
  throw new OperationFailed(
    'invalid',
    '/pageNumber',
    `There is no page ${pageNumber}: there ${pages === 1 ? 'is 1 page' : `are ${pages} pages`}.`,
  );
}
