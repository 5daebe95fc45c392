import type { Records } from '../../contract/generated/facts.ts';
import { checkRecord } from '../../contract/record-check.ts';
import { keysOf, recordOf } from '../../base/keys.ts';
import { stepsOf } from '../../base/violation.ts';
import { derivedId } from '../../sandbox/random.ts';
import { collectionNames, type CollectionName } from '../../sandbox/seed.ts';
import { connect } from './connect.ts';
import { defaults, type Drafted } from './defaults.ts';
import type { Draft, Notebook } from './notebook.ts';
import { presetsIn } from './presets.ts';
import { linkQuizzes } from './quizzes.ts';
import { schoolsIn, type Schools } from './schools.ts';

/** The records of a seed, by collection. */
export type Collections = Readonly<Completed<CollectionName>>;

type Completed<M extends CollectionName> = { [N in M]: readonly Records[N][] };

/** A field that no response contained validly, and the number of records in which it was filled in. */
export interface Filled {
  readonly field: string;
  readonly times: number;
}

/**
 * Completes the recorded data into whole records. `keys` is the number of keys. Modifies the notebook, so it
 * must come last.
 */
export function complete(
  notebook: Notebook,
  keys: number,
): { readonly collections: Collections; readonly filled: readonly Filled[] } {
  const times = new Map<string, number>();
  const fill = (field: string): void => void times.set(field, (times.get(field) ?? 0) + 1);
  linkQuizzes(notebook, fill);
  connect(notebook, fill);
  const schools = schoolsIn(notebook, keys);
  const collections: Completed<CollectionName> = {
    ...recordOf<CollectionName, never[]>(collectionNames, () => []),
    schools: schools.records,
    permissionPresets: presetsIn(notebook, schools),
  };
  const collect = <N extends Drafted>(collection: N, into: Completed<N>): void => {
    into[collection] = recordsOf(collection, notebook, schools, fill);
  };
  for (const collection of keysOf(defaults)) collect(collection, collections);
  const filled = [...times].map(([field, count]) => ({ field, times: count }));
  return { collections, filled: filled.toSorted((one, other) => (one.field < other.field ? -1 : 1)) };
}

type Fill = (field: string) => void;

function recordsOf<N extends Drafted>(
  collection: N,
  notebook: Notebook,
  schools: Schools,
  fill: Fill,
): readonly Records[N][] {
  const drafts = notebook.of(collection);
  return notebook.sequences.arrange(collection, drafts.keys()).flatMap((id) => {
    const draft = drafts.get(id);
    return draft === undefined ? [] : completed(collection, draft, schools, fill);
  });
}

function completed<N extends Drafted>(
  collection: N,
  draft: Draft<N>,
  schools: Schools,
  fill: Fill,
): Records[N] {
  const owners = [...new Set([...draft.schools].map((number) => schools.of(number).id))];
  const isShared = collection === 'users' || collection === 'instructors';
  const ownership = isShared ? { schoolIds: owners } : { schoolId: owners[0] ?? '' };
  const told: Record<string, unknown> = { ...draft.told };
  const id =
    collection === 'submissions'
      ? derivedId(owners[0] ?? '', String(told['userId']), String(told['courseItemId']))
      : draft.id;
  // Invalid fields are removed one by one; defaults are valid.
  for (const { pointer } of checkRecord(collection, {
    id,
    ...ownership,
    ...defaults[collection](draft.told),
    ...told,
  })) {
    const [field = ''] = stepsOf(pointer);
    delete told[field];
  }
  // What is left of it is what it was, with fewer fields.
  const needed = defaults[collection](told as typeof draft.told);
  for (const field of Object.keys(needed)) if (told[field] === undefined) fill(`${collection}.${field}`);
  // Checked above, and again when the seed is read.
  return { id, ...ownership, ...needed, ...told } as Records[N];
}
