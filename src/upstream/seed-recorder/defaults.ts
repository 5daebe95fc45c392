import type { Records } from '../../contract/generated/facts.ts';
import { inFourDigitYears } from '../../sandbox/clock.ts';
import type { CollectionName } from '../../sandbox/seed.ts';
import type { Told } from './notebook.ts';

/** The required fields of a record that are not references. */
type Needed<N extends CollectionName> = Pick<Told<N>, Extract<RequiredKeys<Records[N]>, keyof Told<N>>>;
type RequiredKeys<R> = { [K in keyof R]-?: object extends Pick<R, K> ? never : K }[keyof R];

const moment = '2026-01-01T00:00:00.000Z';

type Defaults<M extends CollectionName> = { readonly [N in M]: (told: Told<N>) => Needed<N> };

const byCollection = {
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
} satisfies Partial<Defaults<CollectionName>>;

/**
 * Collections whose records are created from drafts. Schools and presets are created differently, and of others
 * no response contains records.
 */
export type Drafted = keyof typeof byCollection;

/** Default fields for what no response contained. References are completed elsewhere. */
export const defaults: Defaults<Drafted> = byCollection;

/** Returns the end of something with a duration in seconds, within the four-digit years of ISO 8601. */
function endOf(start: string, seconds: number): string {
  const end = Date.parse(start) + Math.max(0, seconds) * 1000;
  return new Date(inFourDigitYears(end)).toISOString();
}
