import { pointerTo, type Violation } from '../base/violation.ts';
import type { Records } from '../contract/generated/facts.ts';
import { checkRecord } from '../contract/record-check.ts';
import { checkReferences } from '../sandbox/references.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import type { State } from '../sandbox/state.ts';

/** Applies the valid changes. Returns the violations of the others. */
export function applyChanges(
  state: State,
  lists: ReadonlyMap<string, ReadonlyMap<string, object | null>>,
): readonly Violation[] {
  const problems: Violation[] = [];
  const records: [CollectionName, object][] = [];
  let removes = false;
  for (const [name, changes] of lists) {
    const pointer = pointerTo('/changes', name);
    const collection = collectionNames.find((known) => known === name);
    if (collection === undefined) {
      problems.push({ pointer, message: 'is not a collection.' });
      continue;
    }
    for (const [id, record] of changes) {
      if (record === null) {
        state.remove(collection, id);
        removes = true;
        continue;
      }
      const wrong = checkRecord(collection, record, pointerTo(pointer, id));
      problems.push(...wrong);
      if (wrong.length > 0) continue;
      // The record has passed the check of its collection.
      const valid = record as Records[typeof collection];
      state.put(collection, valid);
      records.push([collection, valid]);
    }
  }
  if (problems.length > 0) return problems;
  // Any record may refer to a removed one, including those of the seed.
  const touched = removes
    ? collectionNames.flatMap((name) =>
        [...state.collection(name).all()].map((record) => [name, record] as const),
      )
    : records;
  return checkReferences((name, id) => state.collection(name).get(id) !== undefined, touched);
}
