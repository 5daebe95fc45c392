import type { OperationName, Parameters, Result } from '../../contract/operation-types.ts';

/**
 * How a field is recorded. `number`, `integer`, `boolean`, `moment` (a time) and `word` (a value of an
 * enumeration, as far as it looks like one) are kept; `id`, `code` and `folder` are mapped one to one;
 * `name`, `email`, `text`, `document` (serialized JSON), `slug`, `link`, `portrait`, `picture`, `permission`
 * and `anything` are replaced; `secret` is left out.
 */
export type Kind = (typeof kinds)[number];

export const kinds = [
  'number',
  'integer',
  'boolean',
  'moment',
  'word',
  'id',
  'code',
  'folder',
  'name',
  'email',
  'text',
  'document',
  'slug',
  'link',
  'portrait',
  'picture',
  'permission',
  'anything',
  'secret',
] as const;

/**
 * A kind for every field, at every level. If a field of the contract has no kind, the code does not compile.
 */
type KindsOf<T> = unknown extends T
  ? Kind
  : T extends readonly (infer M)[]
    ? readonly [KindsOf<M>]
    : T extends object
      ? { readonly [K in keyof T]-?: KindsOf<NonNullable<T[K]>> }
      : Kind;

/** Kinds as they are walked: of a value, of an object's fields, or of the members of a list. */
export type Kinds = Kind | readonly [Kinds] | { readonly [field: string]: Kinds };

const session = { liveEventSessionId: 'id' } as const;

/** The kind of every field that the contract knows. Other fields are never recorded. */
export const fieldKinds: {
  readonly [N in OperationName]: {
    readonly parameters: KindsOf<Parameters<N>>;
    readonly result: KindsOf<Result<N>>;
  };
} = {
  'get-quiz-details': {
    parameters: { quizId: 'id' },
    result: {
      createdAtIso: 'moment',
      quizTitle: 'text',
      questions: [
        {
          questionId: 'id',
          type: 'word',
          title: 'text',
          explanation: 'text',
          description: 'text',
          options: [{ optionId: 'id', text: 'text', isCorrectOption: 'boolean' }],
        },
      ],
    },
  },
  'update-digital-product-coupon': {
    parameters: {
      serviceCouponCodeId: 'id',
      serviceDigitalProductId: 'id',
      serviceDigitalProductCouponSlug: 'code',
      description: 'text',
      expireAtIsoString: 'moment',
      shouldApplyAutomatically: 'boolean',
      numberOfRedemptionsAllowed: 'integer',
      couponTypeData: { type: 'word', percentOff: 'number' },
    },
    result: {},
  },
  'update-interactive-coding-lab': {
    parameters: {
      labId: 'id',
      labTitle: 'text',
      labDescriptionAsMarkdown: 'text',
      defaultGitRepositoryUrl: 'link',
      defaultGitRepositoryBranchName: 'slug',
      evaluationScriptBashCommand: 'text',
      evaluationScriptTestFileContent: 'text',
      testCases: ['anything'],
    },
    result: {},
  },
  'submit-user-course-item': {
    parameters: {
      courseItemId: 'id',
      details: {
        courseItemType: 'word',
        questionsToUpsert: [{ questionUniqueId: 'id', newSelectedOptionIds: ['id'] }],
      },
      userId: 'id',
      userEmail: 'email',
      shouldMarkAsCompleted: 'boolean',
    },
    result: {},
  },
  'create-instructor-account': {
    parameters: { instructorEmail: 'email', instructorName: 'name' },
    result: { serviceInstructorId: 'id', associatedServiceUserId: 'id' },
  },
  'get-video-library': {
    parameters: { filterTerm: 'text', pageNumber: 'integer', folderPath: 'folder' },
    result: {
      totalResults: 'integer',
      pageSize: 'integer',
      videoData: [{ createdAt: 'moment', status: 'word', videoId: 'id', videoTitle: 'text' }],
      absoluteFolderPaths: ['folder'],
    },
  },
  'get-signed-url-data-for-live-event-session-playback': {
    parameters: session,
    result: {
      playbackSources: [
        {
          masterM3u8Pathname: 'secret',
          origin: 'secret',
          urlSearchParamString: 'secret',
          clearkeyDecryptionKeyInHex: 'secret',
        },
      ],
    },
  },
  'list-assignments': {
    parameters: { courseIdentifier: { type: 'word', digitalProductId: 'id' } },
    result: {
      productId: 'id',
      productTitle: 'text',
      assignments: [{ assignmentId: 'id', assignmentTitle: 'text' }],
    },
  },
  'get-course-item-data': {
    parameters: { courseItemId: 'id' },
    result: {
      createdAt: 'moment',
      updatedAt: 'moment',
      courseItemData: {
        serviceCourseItemId: 'id',
        serviceDigitalProductId: 'id',
        courseItemSlug: 'slug',
        articleUniqueId: 'id',
        type: 'word',
        title: 'text',
        contentJson: 'document',
        isEditorContent: 'boolean',
      },
    },
  },
  'get-instructor-permission-presets': {
    parameters: { pageNumber: 'integer', limit: 'number' },
    result: {
      totalPresetCount: 'integer',
      presets: [
        {
          requiresResourceIds: 'boolean',
          permissionSets: [{ permissions: ['permission'], resourceIdType: 'word' }],
        },
      ],
    },
  },
  'get-all-live-events': {
    parameters: {},
    result: {
      liveEvents: [
        {
          serviceDigitalProductId: 'id',
          liveEventId: 'id',
          type: 'word',
          status: 'word',
          name: 'text',
          slug: 'slug',
          link: 'link',
          thumbnailUrl: 'picture',
          sessions: [
            {
              liveEventSessionId: 'id',
              scheduledStartAtIso: 'moment',
              scheduledDurationInSecs: 'integer',
              endedAtIso: 'moment',
            },
          ],
        },
      ],
    },
  },
  'get-all-instructors': {
    parameters: {},
    result: {
      instructors: [
        {
          serviceInstructorId: 'id',
          name: 'name',
          email: 'email',
          profilePhotoUrl: 'portrait',
          tagline: 'text',
          longDescriptionMarkdown: 'text',
          createdAt: 'moment',
          lastUpdatedAt: 'moment',
        },
      ],
    },
  },
  'get-live-event-session-processed-mp4': { parameters: session, result: { downloadUrl: 'secret' } },
};

/**
 * The field of the same object that identifies the person, for each name of a person, so that both get values
 * of one invented person.
 */
export const addressBeside: Readonly<Record<string, string>> = {
  name: 'email',
  instructorName: 'instructorEmail',
};
