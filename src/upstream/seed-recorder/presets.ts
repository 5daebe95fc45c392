import type { Records } from '../../contract/generated/facts.ts';
import { derivedId } from '../../sandbox/random.ts';
import type { Notebook, Preset } from './notebook.ts';
import type { Schools } from './schools.ts';

type Pages = ReadonlyMap<number | null, readonly Preset[]>;

/** The permission presets of each school. They have no id in answers, so they are told apart by where they stand. */
export function presetsIn(notebook: Notebook, schools: Schools): readonly Records['permissionPresets'][] {
  const bySchool = new Map<string, readonly Preset[]>();
  for (const [number, byLimit] of notebook.presets) {
    const lists = [...byLimit.values()].map(listOf);
    // Pages of different sizes cannot be put together: the limit that showed most is believed.
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

/** Pages one after the other. A call without a number showed the first one, which has the number 0 or 1. */
function listOf(pages: Pages): readonly Preset[] {
  const text = (number: number | null): string => JSON.stringify(pages.get(number) ?? []);
  const isAgain = (number: number | null): boolean =>
    (number === null && [text(0), text(1)].includes(text(null))) || (number === 0 && text(0) === text(1));
  const numbers = [...pages.keys()].filter((number) => !isAgain(number)).toSorted((one, other) => (one ?? -1) - (other ?? -1));
  return numbers.flatMap((number) => pages.get(number) ?? []);
}
