import type { Records } from '../../contract/generated/facts.ts';

/** A call of the public API that is about a record. */
export interface ApiCall {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The parameters that identify the record, by JSON Pointer; empty if the call is about all records. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** What the call does with the record. */
  readonly verb: 'returns' | 'updates' | 'sends';
}

/** Returns the call that lists the assignments of a course. */
export function courseCall({ id }: Pick<Records['products'], 'id'>): ApiCall {
  return {
    operation: 'list-assignments',
    parameters: { courseIdentifier: { type: 'product-id', digitalProductId: id } },
    identity: { '/courseIdentifier/digitalProductId': id },
    verb: 'returns',
  };
}

/** Returns the call that returns a course item. */
export function itemCall({ id }: Pick<Records['courseItems'], 'id'>): ApiCall {
  return identified('get-course-item-data', { courseItemId: id });
}

/** Returns the call that returns a quiz. */
export function quizCall({ id }: Pick<Records['quizzes'], 'id'>): ApiCall {
  return identified('get-quiz-details', { quizId: id });
}

/** The call that returns every instructor of the school. */
export const instructorsCall: ApiCall = identified('get-all-instructors', {});

/** The call that returns every live event of the school. */
export const eventsCall: ApiCall = identified('get-all-live-events', {});

/** Returns the call that returns the playback data of a session. */
export function sessionCall({ id }: Pick<Records['liveEventSessions'], 'id'>): ApiCall {
  return identified('get-signed-url-data-for-live-event-session-playback', { liveEventSessionId: id });
}

/** Returns the call that searches for a video in its folder. `firstPage` is the number of the first page. */
export function videoCall(
  { videoTitle, folderPath }: Pick<Records['videos'], 'videoTitle' | 'folderPath'>,
  firstPage: number,
): ApiCall {
  return {
    operation: 'get-video-library',
    parameters: { filterTerm: videoTitle, pageNumber: firstPage, folderPath },
    identity: { filterTerm: videoTitle, folderPath },
    verb: 'returns',
  };
}

/** Returns the call that writes a coupon as it is. No operation returns coupons. */
export function couponCall(coupon: Records['coupons']): ApiCall {
  const { id, productId } = coupon;
  const rest = without(['id', 'schoolId', 'productId'], coupon);
  return {
    operation: 'update-digital-product-coupon',
    parameters: { serviceCouponCodeId: id, serviceDigitalProductId: productId, ...rest },
    identity: { serviceCouponCodeId: id },
    verb: 'updates',
  };
}

/** Returns the call that writes a lab as it is. No operation returns labs. */
export function labCall(lab: Records['labs']): ApiCall {
  const { id } = lab;
  const rest = without(['id', 'schoolId'], lab);
  return {
    operation: 'update-interactive-coding-lab',
    parameters: { labId: id, ...rest },
    identity: { labId: id },
    verb: 'updates',
  };
}

type Answered = Pick<
  Records['submissions'],
  'userId' | 'courseItemId' | 'courseItemType' | 'answers' | 'isCompleted'
>;

/** Returns the call that sends a learner's answers as they are. No operation returns them. */
export function submissionCall(
  { userId, courseItemId, courseItemType = 'Quiz', answers, isCompleted }: Answered,
  { email }: Pick<Records['users'], 'email'>,
): ApiCall {
  const questionsToUpsert = answers.map(({ questionUniqueId, selectedOptionIds }) => ({
    questionUniqueId,
    newSelectedOptionIds: selectedOptionIds,
  }));
  return {
    operation: 'submit-user-course-item',
    parameters: {
      courseItemId,
      details: { courseItemType, questionsToUpsert },
      userId,
      ...(email === undefined ? {} : { userEmail: email }),
      shouldMarkAsCompleted: isCompleted,
    },
    identity: { courseItemId, userId },
    verb: 'sends',
  };
}

/** Returns the call that sends a learner's correct answers to a quiz for the first time. */
export function firstAnswersCall(
  user: Records['users'],
  item: Pick<Records['courseItems'], 'id'>,
  { questions }: Records['quizzes'],
): ApiCall {
  const answers = questions.map(({ questionId, options }) => ({
    questionUniqueId: questionId,
    selectedOptionIds: options.flatMap(({ optionId, isCorrectOption }) =>
      isCorrectOption ? [optionId] : [],
    ),
  }));
  return submissionCall({ userId: user.id, courseItemId: item.id, answers, isCompleted: true }, user);
}

function without(names: readonly string[], record: object): ApiCall['parameters'] {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function identified(operation: string, parameters: Readonly<Record<string, string>>): ApiCall {
  return { operation, parameters, identity: parameters, verb: 'returns' };
}

/** Returns a call as a command for any POSIX shell, with its key. */
export function curlOf({ operation, parameters }: ApiCall, baseUrl: string, key: string): string {
  return [
    `curl ${quoted(`${baseUrl}/public/${operation}`)}`,
    `-H ${quoted(`SERVICE-API-KEY: ${key}`)}`,
    "-H 'Content-Type: application/json'",
    // curl would read a file if the text began with @; it begins with a brace.
    `-d ${quoted(JSON.stringify({ data: [{ data: parameters }] }))}`,
  ].join(' \\\n  ');
}

/** Inside single quotes, only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
