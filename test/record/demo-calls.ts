import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { coupon, instructors, items, labId, learner, products, quiz, sessions } from '../support/demo.ts';
import { requestExamples } from '../support/examples.ts';

interface DemoCall {
  readonly operation: OperationName;
  readonly parameters: object;
}

/** Calls with names and texts of Riverside, which a recording must not have. */
const named: readonly DemoCall[] = [
  { operation: 'get-all-instructors', parameters: {} },
  { operation: 'get-all-live-events', parameters: {} },
  { operation: 'get-quiz-details', parameters: { quizId: quiz.id } },
  { operation: 'get-course-item-data', parameters: { courseItemId: items.article } },
  { operation: 'get-course-item-data', parameters: { courseItemId: items.markdown } },
  {
    operation: 'list-assignments',
    parameters: { courseIdentifier: { type: 'product-id', digitalProductId: products.python } },
  },
  { operation: 'get-video-library', parameters: {} },
  { operation: 'get-video-library', parameters: { folderPath: '/Programming', filterTerm: 'Lesson' } },
  { operation: 'get-instructor-permission-presets', parameters: { pageNumber: 1, limit: 3 } },
  {
    operation: 'get-signed-url-data-for-live-event-session-playback',
    parameters: { liveEventSessionId: sessions.twoSources },
  },
  {
    operation: 'get-live-event-session-processed-mp4',
    parameters: { liveEventSessionId: sessions.oneSource },
  },
  {
    operation: 'update-digital-product-coupon',
    parameters: {
      serviceCouponCodeId: coupon.id,
      serviceDigitalProductId: coupon.productId,
      serviceDigitalProductCouponSlug: 'PYTHON-FOR-ALL',
      description: 'For everyone at Riverside',
      expireAtIsoString: '2027-01-31T00:00:00.000Z',
      couponTypeData: { type: 'percent-off', percentOff: 12 },
    },
  },
  {
    operation: 'update-interactive-coding-lab',
    parameters: {
      labId,
      labTitle: 'Python at Riverside',
      labDescriptionAsMarkdown: '# Riverside',
      defaultGitRepositoryUrl: 'https://git.riverside-academy.example/labs/python.git',
      defaultGitRepositoryBranchName: 'riverside',
      evaluationScriptBashCommand: 'python riverside.py',
      evaluationScriptTestFileContent: 'import riverside',
      testCases: [{ riverside: { python: ['riverside'] } }, 'riverside'],
    },
  },
  {
    operation: 'submit-user-course-item',
    parameters: {
      courseItemId: quiz.itemId,
      userId: learner.id,
      userEmail: learner.email,
      details: {
        courseItemType: 'Quiz',
        questionsToUpsert: [
          { questionUniqueId: quiz.single.id, newSelectedOptionIds: [quiz.single.correct] },
        ],
      },
      shouldMarkAsCompleted: true,
    },
  },
  {
    operation: 'create-instructor-account',
    parameters: { instructorEmail: instructors.riverside.email, instructorName: 'Mira Okafor' },
  },
];

/** A call of each operation as Riverside, and it succeeds. */
export const demoCalls: readonly DemoCall[] = [
  ...named,
  ...operationNames
    .filter((name) => named.every(({ operation }) => operation !== name))
    .map((operation) => ({ operation, parameters: firstExampleOf(operation) })),
];

/** The parameters of the first element in the first example of an operation. */
function firstExampleOf(operation: OperationName): object {
  const [example] = Object.values(requestExamples(operation));
  const { data = [] } = (example?.value ?? {}) as { readonly data?: readonly { readonly data: object }[] };
  return data[0]?.data ?? {};
}
