import type { OptionOf } from '../assumptions.ts';
import type { Records } from '../contract/generated/facts.ts';
import { absoluteUrl } from './shared/absolute-url.ts';
import type { Operation } from './shared/operation.ts';

/** Lists the instructors of the caller's school (specification, endpoint 12). */
export const getAllInstructors: Operation<
  'get-all-instructors',
  'state' | 'school' | 'showingAll' | 'assume' | 'order'
> = function* (_, { state, school, showingAll, assume, order }) {
  const stored = yield* state.collection('instructors').list('school', school.id);
  const instructors = order === null ? stored : yield* order.of(stored);
  return { instructors: yield* showingAll(instructors, views[assume('instructorTimestampFormat')]) };
};

const views = {
  'iso-8601': viewWith((iso) => iso),
  'epoch-milliseconds': viewWith((iso) => String(Date.parse(iso))),
  'rfc-1123': viewWith((iso) => new Date(iso).toUTCString()),
} satisfies Record<OptionOf<'instructorTimestampFormat'>, unknown>;

function viewWith(timestamp: (iso: string) => string) {
  return (instructor: Records['instructors'], origin: string) => ({
    serviceInstructorId: instructor.id,
    name: instructor.name,
    email: instructor.email,
    profilePhotoUrl: absoluteUrl(instructor.profilePhotoUrl, origin),
    tagline: instructor.tagline,
    longDescriptionMarkdown: instructor.longDescriptionMarkdown,
    createdAt: timestamp(instructor.createdAt),
    lastUpdatedAt: timestamp(instructor.lastUpdatedAt),
  });
}
