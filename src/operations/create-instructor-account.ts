import type { SlicedWork } from '../base/sliced-work.ts';
import type { Records } from '../contract/generated/facts.ts';
import { checkName, nameOfNew } from './shared/instructor-name.ts';
import { needed, type Operation, type Services } from './shared/operation.ts';
import { withAddress } from './shared/with-address.ts';

type Uses = 'state' | 'school' | 'assume' | 'now' | 'newId';

/** Creates an instructor, or adds an existing one to the caller's school (specification, endpoint 5). */
export const createInstructorAccount: Operation<'create-instructor-account', Uses> = function* (
  { instructorEmail, instructorName },
  services,
) {
  const email = needed(instructorEmail, '/instructorEmail');
  checkName(instructorName, services.assume);
  const known = yield* withAddress('instructors', email, services);
  const instructor =
    known === undefined
      ? yield* create(email, instructorName, services)
      : join(known, instructorName, services);
  return { serviceInstructorId: instructor.id, associatedServiceUserId: instructor.userId };
};

function* create(
  email: string,
  sentName: string | undefined,
  services: Pick<Services, Uses>,
): SlicedWork<Records['instructors']> {
  const { state, school, assume, now, newId } = services;
  const name = nameOfNew(email, sentName, assume);
  const user = yield* withAddress('users', email, services);
  const { id: userId } = joined('users', user ?? { id: newId('users'), schoolIds: [], email }, services);
  const at = new Date(now).toISOString();
  return state.put('instructors', {
    id: newId('instructors'),
    schoolIds: [school.id],
    userId,
    name,
    email,
    profilePhotoUrl: '/assets/instructors/new.svg',
    tagline: '',
    longDescriptionMarkdown: '',
    createdAt: at,
    lastUpdatedAt: at,
  });
}

function join(
  known: Records['instructors'],
  name: string | undefined,
  services: Pick<Services, Uses>,
): Records['instructors'] {
  const { state, assume, now } = services;
  const user = state.collection('users').get(known.userId);
  if (user !== undefined) joined('users', user, services);
  const instructor = joined('instructors', known, services);
  if (name === undefined || name === known.name || assume('existingInstructorName') === 'keep')
    return instructor;
  return state.put('instructors', { ...instructor, name, lastUpdatedAt: new Date(now).toISOString() });
}

/** Adds the record to the caller's school, unless it already belongs to it. */
function joined<N extends 'users' | 'instructors'>(
  name: N,
  record: Records[N],
  { state, school }: Pick<Services, Uses>,
): Records[N] {
  if (record.schoolIds.includes(school.id)) return record;
  return state.put(name, { ...record, schoolIds: [...record.schoolIds, school.id] });
}
