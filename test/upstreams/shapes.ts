/**
 * A kind of value, a list of one shape, or an object with at least these fields. A kind with `?` may be absent,
 * null or empty, because the specification does not state which fields are required.
 */
export type Shape = Kind | readonly [Shape] | { readonly [field: string]: Shape };
type Kind = 'string' | 'string?' | 'boolean' | 'integer' | 'date' | 'date?' | 'any[]';

const question = {
  questionId: 'string',
  type: 'string',
  title: 'string',
  explanation: 'string?',
  description: 'string?',
  options: [{ optionId: 'string', text: 'string', isCorrectOption: 'boolean' }],
} as const;

const instructor = {
  serviceInstructorId: 'string',
  name: 'string',
  email: 'string',
  profilePhotoUrl: 'string?',
  tagline: 'string?',
  longDescriptionMarkdown: 'string',
  createdAt: 'string',
  lastUpdatedAt: 'string',
} as const;

const liveEvent = {
  serviceDigitalProductId: 'string',
  liveEventId: 'string',
  type: 'string',
  status: 'string?',
  name: 'string',
  slug: 'string',
  link: 'string',
  thumbnailUrl: 'string',
  sessions: [
    {
      liveEventSessionId: 'string',
      scheduledStartAtIso: 'date',
      scheduledDurationInSecs: 'integer',
      endedAtIso: 'date?',
    },
  ],
} as const;

const courseItem = {
  serviceCourseItemId: 'string',
  serviceDigitalProductId: 'string',
  courseItemSlug: 'string',
  articleUniqueId: 'string?',
  type: 'string',
  title: 'string',
  contentJson: 'string',
  isEditorContent: 'boolean',
} as const;

/** The result of each operation, as the specification describes it. */
export const shapes: Readonly<Record<string, Shape>> = {
  'get-quiz-details': { createdAtIso: 'date', quizTitle: 'string', questions: [question] },
  'update-digital-product-coupon': {},
  'update-interactive-coding-lab': {},
  'submit-user-course-item': {},
  'create-instructor-account': { serviceInstructorId: 'string', associatedServiceUserId: 'string' },
  'get-video-library': {
    totalResults: 'integer',
    pageSize: 'integer',
    videoData: [{ createdAt: 'date', status: 'string', videoId: 'string', videoTitle: 'string' }],
    absoluteFolderPaths: ['string'],
  },
  'get-signed-url-data-for-live-event-session-playback': {
    playbackSources: [
      {
        masterM3u8Pathname: 'string',
        origin: 'string',
        urlSearchParamString: 'string',
        clearkeyDecryptionKeyInHex: 'string',
      },
    ],
  },
  'list-assignments': {
    productId: 'string',
    productTitle: 'string',
    assignments: [{ assignmentId: 'string', assignmentTitle: 'string' }],
  },
  'get-course-item-data': { createdAt: 'date', updatedAt: 'date', courseItemData: courseItem },
  'get-instructor-permission-presets': {
    totalPresetCount: 'integer',
    presets: [
      {
        requiresResourceIds: 'boolean',
        permissionSets: [{ permissions: 'any[]', resourceIdType: 'string' }],
      },
    ],
  },
  'get-all-live-events': { liveEvents: [liveEvent] },
  'get-all-instructors': { instructors: [instructor] },
  'get-live-event-session-processed-mp4': { downloadUrl: 'string' },
};

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind.endsWith('?') && (value === undefined || value === null || value === '')) return true;
  if (kind === 'any[]') return Array.isArray(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'integer') return Number.isInteger(value);
  if (typeof value !== 'string' || value === '') return false;
  return !kind.startsWith('date') || (/T.*Z$/.test(value) && !Number.isNaN(Date.parse(value)));
}

/** Returns the paths at which the value differs. Without `withKinds`, fields only have to be there. */
export function differences(value: unknown, shape: Shape, withKinds: boolean, path = ''): readonly string[] {
  if (typeof shape === 'string') {
    const isRight = withKinds ? isOfKind(value, shape) : value !== undefined;
    return isRight ? [] : [`${path}: ${JSON.stringify(value)} is not ${shape}`];
  }
  if (Array.isArray(shape)) {
    const [item] = shape as readonly [Shape];
    // Lists of the samples are filled, so that their elements are compared.
    if (!Array.isArray(value) || value.length === 0) return [`${path} is not a filled list`];
    return value.flatMap((one: unknown, at) => differences(one, item, withKinds, `${path}[${at}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${path} is not an object`];
  const fields = Object.entries(shape as Readonly<Record<string, Shape>>);
  return fields.flatMap(([name, inner]) =>
    differences((value as Record<string, unknown>)[name], inner, withKinds, `${path}.${name}`),
  );
}
