import type { Records } from '../../contract/generated/facts.ts';
import type { CollectionName } from '../../sandbox/seed.ts';
import type { Told } from './notebook.ts';

/** Collections whose records are made from what was told; schools and presets are made otherwise. */
export type Drafted = Exclude<CollectionName, 'schools' | 'permissionPresets'>;

/** The fields that a record must have and that hold no reference. */
type Needed<N extends Drafted> = Pick<Told<N>, Extract<RequiredKeys<Records[N]>, keyof Told<N>>>;
type RequiredKeys<R> = { [K in keyof R]-?: object extends Pick<R, K> ? never : K }[keyof R];

const moment = '2026-01-01T00:00:00.000Z';

/** What a record has where no answer told of it. References are made whole elsewhere. */
export const defaults: { readonly [N in Drafted]: (told: Told<N>) => Needed<N> } = {
  products: () => ({ title: 'A recorded product' }),
  courseItems: () => ({
    courseItemSlug: 'recorded-item',
    articleUniqueId: '0'.repeat(24),
    type: 'Article',
    title: 'A recorded item',
    contentJson: '{"type":"doc","content":[]}',
    isEditorContent: true,
    isPublished: true,
    createdAt: moment,
    updatedAt: moment,
  }),
  quizzes: () => ({ createdAtIso: moment, quizTitle: 'A recorded quiz', questions: [] }),
  assignments: () => ({ assignmentTitle: 'A recorded assignment' }),
  coupons: () => ({}),
  labs: () => ({}),
  users: () => ({}),
  submissions: () => ({ answers: [], isCompleted: false, createdAt: moment, updatedAt: moment }),
  instructors: () => ({
    name: 'A Recorded Instructor',
    email: 'instructor@school.example',
    profilePhotoUrl: '/assets/instructors/new.svg',
    tagline: '',
    longDescriptionMarkdown: '',
    createdAt: moment,
    lastUpdatedAt: moment,
  }),
  videos: () => ({ folderPath: '/', createdAt: moment, status: 'Ready', videoTitle: 'A recorded video' }),
  liveEvents: () => ({
    type: 'LiveEventProduct',
    status: 'Active',
    name: 'A recorded event',
    slug: 'recorded-event',
    link: 'https://school.example/live/recorded-event',
    thumbnailUrl: '/assets/live-events/microscopy-night.svg',
  }),
  liveEventSessions: ({ scheduledStartAtIso = moment, scheduledDurationInSecs = 3600 }) => ({
    scheduledStartAtIso,
    scheduledDurationInSecs,
    endsAtIso: endOf(scheduledStartAtIso, scheduledDurationInSecs),
    recordedSources: ['camera'],
  }),
};

/** When something ends that lasts so many seconds: within the years that ISO 8601 writes with four digits. */
function endOf(start: string, seconds: number): string {
  const end = Date.parse(start) + Math.max(0, seconds) * 1000;
  return new Date(Math.min(end, Date.parse('9999-12-31T23:59:59.999Z'))).toISOString();
}
