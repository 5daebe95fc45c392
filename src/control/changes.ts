import type { components } from '../contract/generated/control.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from '../sandbox/state.ts';

type Change = components['schemas']['RecordChange'];

/** Returns the records that differ from the seed. The sandbox must not change meanwhile. */
export function* listChanges({ state }: Sandbox): SlicedWork<components['schemas']['ChangeList']> {
  const changes: Change[] = [];
  for (const name of collectionNames) {
    for (const id of state.collection(name).changes.keys()) {
      const change = changeOf(state, name, id);
      if (change !== null) changes.push(change);
      yield;
    }
  }
  return { changes };
}

/** Returns the difference of a record from the seed, or null if it was changed back. */
function changeOf(state: State, collection: CollectionName, recordId: string): Change | null {
  const before = state.collection(collection).seedRecord(recordId) ?? null;
  const after = state.collection(collection).get(recordId) ?? null;
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  return { collection, recordId, kind: kindOf(before, after), before, after };
}

function kindOf(before: object | null, after: object | null): Change['kind'] {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}
