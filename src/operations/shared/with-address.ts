import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { IndexName } from '../../sandbox/indexes.ts';
import type { Services } from './operation.ts';

/** Returns the record with the address. Very many can have it in one case or another. */
export function* withAddress<N extends 'users' | 'instructors'>(
  name: N,
  email: string,
  { state, assume }: Pick<Services, 'state' | 'assume'>,
): SlicedWork<Records[N] | undefined> {
  // Cast: both collections have this index.
  const index = 'email' as IndexName<N>;
  const collection = state.collection(name);
  const key = email.toLowerCase();
  const first = yield* collection.first(index, key);
  if (first === undefined || first.email === email) return first;
  const exact = yield* collection.first(index, key, (candidate) => candidate.email === email);
  return exact ?? (assume('emailMatching') === 'ignore-case' ? first : undefined);
}
