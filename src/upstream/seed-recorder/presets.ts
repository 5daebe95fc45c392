import type { Records } from '../../contract/generated/facts.ts';
import { derivedId } from '../../sandbox/random.ts';
import type { Notebook, Preset } from './notebook.ts';
import type { Schools } from './schools.ts';

type Pages = ReadonlyMap<number | null, readonly Preset[]>;

/**
 * Returns the permission presets of each school. Responses have no ids for them, so their position identifies
 * them.
 */
export function presetsIn(notebook: Notebook, schools: Schools): readonly Records['permissionPresets'][] {
  const bySchool = new Map<string, readonly Preset[]>();
  for (const [number, byLimit] of notebook.presets) {
    const lists = [...byLimit.values()].map(listOf);
    // Pages of different sizes cannot be combined: the limit that showed the most is used.
    const longest = lists.reduce((one, other) => (other.length > one.length ? other : one), []);
    const { id } = schools.of(number);
    if (longest.length > (bySchool.get(id)?.length ?? 0)) bySchool.set(id, longest);
  }
  return [...bySchool].flatMap(([schoolId, list]) =>
    list.map((preset, place) => ({
      requiresResourceIds: false,
      permissionSets: [],
      ...preset,
      id: derivedId('recorded preset', schoolId, String(place)),
      schoolId,
    })),
  );
}

/** Joins pages in order. A call without a number showed the first page, which has the number 0 or 1. */
function listOf(pages: Pages): readonly Preset[] {
  const text = (number: number | null): string => JSON.stringify(pages.get(number) ?? []);
  const isAgain = (number: number | null): boolean =>
    (number === null && [text(0), text(1)].includes(text(null))) || (number === 0 && text(0) === text(1));
  const numbers = [...pages.keys()]
    .filter((number) => !isAgain(number))
    .toSorted((one, other) => (one ?? -1) - (other ?? -1));
  return numbers.flatMap((number) => pages.get(number) ?? []);
}
