import type { Records } from '../../contract/generated/facts.ts';
import { derivedId } from '../../sandbox/random.ts';
import { collectionNames, type CollectionName } from '../../sandbox/seed.ts';
import type { Notebook } from './notebook.ts';

/** Collections whose records several schools can share. */
const shared: ReadonlySet<CollectionName> = new Set(['users', 'instructors']);

/** Maps the number of a key to its school. */
export interface Schools {
  readonly records: readonly Records['schools'][];
  readonly of: (number: number) => Records['schools'];
}

/**
 * Assigns keys to schools: two keys that show the same record, which only one school can have, belong to one
 * school.
 */
export function schoolsIn(notebook: Notebook, keys: number): Schools {
  const parents = Array.from({ length: keys }, (_, number) => number);
  const root = (number: number): number => {
    let at = number;
    for (let next = parents[at] ?? at; next !== at; next = parents[at] ?? at) at = next;
    return at;
  };
  for (const collection of collectionNames.filter((name) => !shared.has(name))) {
    for (const { schools } of notebook.of(collection).values()) {
      const roots = [...schools].map(root);
      const first = Math.min(...roots);
      for (const other of roots) parents[other] = first;
    }
  }
  const roots = [...new Set(parents.map((_, number) => root(number)))];
  const records = roots.map((_, place) => schoolNumber(place + 1));
  return { records, of: (number) => records[roots.indexOf(root(number))] ?? schoolNumber(1) };
}

/** Returns a school with an invented name: responses do not contain names of schools. */
function schoolNumber(number: number): Records['schools'] {
  return {
    id: derivedId('recorded school', String(number)),
    slug: `school-${number}`,
    name: `School ${number}`,
  };
}
