import type { AssumptionName } from '../../../assumptions.ts';
import { good, predictBatch, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, listAt, resultOf, textAt, type Reply } from '../reply.ts';
import { answerTries } from './answers.ts';
import { besideGood, pair } from './batches.ts';
import { plainReading } from './listings.ts';

const operation = 'submit-user-course-item';

/** Answers of a user invented for this run, or of the known user. */
export const submissions: readonly Probe[] = [
  {
    name: 'submissions',
    what: 'answers to a quiz: of a new user, under another address, of another type, to no question, without options, with too many, with one twice, and again',
    calls: 30,
    tells: [
      'batchProcessing',
      'unknownUser',
      'emailOfKnownUser',
      'submittedItemTypes',
      'answersOutsideQuiz',
      'omittedSelection',
      'emptySelection',
      'repeatedOption',
      'severalAnswersToSingleCorrect',
      'repeatedQuestion',
      'resubmission',
    ],
    writes:
      'stores answers to the course item of --known, and may create a user and two instructor accounts called lp-sandbox-calibrate-…; if the service refuses new users, stores the answers of the user of --known, and marks the item as completed; everything remains',
    run: submit,
  },
];

/** The request, with all documented parameters because a service may require them. */
interface Submission {
  readonly courseItemId: string;
  readonly userId: string;
  readonly userEmail: string;
  readonly courseItemType?: string;
  readonly answers?: readonly object[];
  readonly isCompleted?: boolean;
}

function parametersOf({
  courseItemId,
  userId,
  userEmail,
  courseItemType = 'Quiz',
  answers = [],
  isCompleted = false,
}: Submission): object {
  return {
    courseItemId,
    details: { courseItemType, questionsToUpsert: answers },
    userId,
    userEmail,
    shouldMarkAsCompleted: isCompleted,
  };
}

function send({ pace }: Scene, submission: Submission): Promise<Reply> {
  return pace.call({ operation, elements: [parametersOf(submission)] });
}

async function submit(scene: Scene): Promise<Finding> {
  const { known, stamp } = scene;
  const { courseItemId } = known;
  if (courseItemId === undefined)
    return because('add courseItemId (of the course item of a quiz) to --known');
  const made: Submission = {
    courseItemId,
    userId: `lp-sandbox-calibrate-${stamp}`,
    userEmail: `lp-sandbox-calibrate-user-${stamp}@lp-sandbox.example`,
  };
  const first = await send(scene, made);
  const unknownUser = readingOf('unknownUser', 'answers of a new user', first, (asked) =>
    predictBatch(asked, [(one) => (one('unknownUser') === 'element-error' ? 'not-found' : 'ok')]),
  );
  const isMade = resultOf(first) !== null;
  const user = isMade ? made : knownUser(scene, courseItemId);
  if (user === null)
    return because(
      `answers of a new user returned ${describeReply(first)}: add userId and userEmail to --known`,
    );
  // A refusal of one thing shows something only if the service accepts another.
  const control = isMade ? first : await send(scene, user);
  if (resultOf(control) === null)
    return because(`answers of the user of --known returned ${describeReply(control)}`);
  const readings = [
    unknownUser,
    ...(await tried(
      scene,
      'submittedItemTypes',
      'a courseItemType that is not Quiz',
      user,
      { courseItemType: 'LpSandboxCalibrate' },
      (asked) => (asked('submittedItemTypes') === 'quiz-only' ? 'invalid' : 'ok'),
    )),
    ...(await tried(
      scene,
      'answersOutsideQuiz',
      'an answer to no question of the quiz',
      user,
      { answers: [strayAnswer] },
      (asked) => (asked('answersOutsideQuiz') === 'element-error' ? 'invalid' : 'ok'),
    )),
  ];
  const address = await otherAddress(scene, user, isMade);
  const several = await severalOptions(scene, user);
  const repeated = await again(scene, user);
  return {
    lacking: { ...address.lacking, ...several.lacking, ...repeated.lacking },
    readings: [...readings, ...address.readings, ...several.readings, ...repeated.readings],
  };
}

const strayAnswer = {
  questionUniqueId: 'lp-sandbox-calibrate',
  newSelectedOptionIds: ['lp-sandbox-calibrate'],
};

function knownUser({ known: { userId, userEmail } }: Scene, courseItemId: string): Submission | null {
  return userId === undefined || userEmail === undefined ? null : { courseItemId, userId, userEmail };
}

/** Submits something that may fail, alone and beside a successful element. */
async function tried(
  scene: Scene,
  about: AssumptionName,
  what: string,
  user: Submission,
  change: Partial<Submission>,
  fare: Element,
): Promise<readonly Reading[]> {
  const parameters = parametersOf({ ...user, ...change });
  return [
    await pair(scene, about, what, operation, [[parameters, fare]]),
    ...(await besideGood(scene, [`${what},`, 'good answers'], operation, [
      [parameters, fare],
      [parametersOf(user), good],
    ])),
  ];
}

/**
 * Submits with another address of the user. If an instructor created with that address is the same user, the
 * address was stored. If it is another user, the old address was kept, provided that an instructor created with
 * the old address is the same user.
 */
async function otherAddress(scene: Scene, user: Submission, isMade: boolean): Promise<Finding> {
  const userEmail = `lp-sandbox-calibrate-other-${scene.stamp}@lp-sandbox.example`;
  const reply = await send(scene, { ...user, userEmail });
  const refused: Reading = readingOf('emailOfKnownUser', 'another userEmail', reply, (asked) =>
    predictBatch(asked, [(one) => (one('emailOfKnownUser') === 'element-error' ? 'conflict' : 'ok')]),
  );
  if (resultOf(reply) === null) return { readings: [refused] };
  const userId = await userOf(scene, userEmail);
  await send(scene, user);
  const conclusion = (option: 'update' | 'keep', words: string): Finding => ({
    readings: [refused, plainReading('emailOfKnownUser', option, words)],
  });
  if (userId === user.userId) return conclusion('update', 'an instructor of that address is the same user');
  const lacking = (why: string): Finding => ({ readings: [refused], lacking: { emailOfKnownUser: why } });
  if (!isMade)
    return lacking(
      'the stored address is visible only for a user whom calibrate may create and make an instructor',
    );
  if (userId === null || (await userOf(scene, user.userEmail)) !== user.userId)
    return lacking('learners and instructors have different ids, so the stored address is not visible');
  return conclusion(
    'keep',
    'an instructor of that address is another user, and one of the old address is the same user',
  );
}

/** Creates an instructor account, and returns the id of its user. */
async function userOf({ pace }: Scene, instructorEmail: string): Promise<string | null> {
  const reply = await pace.call({
    operation: 'create-instructor-account',
    elements: [{ instructorEmail, instructorName: 'Sandbox Calibration' }],
  });
  return textAt(resultOf(reply), 'associatedServiceUserId');
}

/** Explains why nothing is known about answers to one question. */
function lacking(why: string): Finding {
  return {
    readings: [],
    lacking: {
      omittedSelection: why,
      emptySelection: why,
      repeatedOption: why,
      severalAnswersToSingleCorrect: why,
      repeatedQuestion: why,
    },
  };
}

async function severalOptions(scene: Scene, user: Submission): Promise<Finding> {
  const { quizId } = scene.known;
  if (quizId === undefined) return lacking('add quizId (of the quiz of courseItemId) to --known');
  const quiz = await scene.pace.call({ operation: 'get-quiz-details', elements: [{ quizId }] });
  const question = listAt(resultOf(quiz), 'questions').find(
    (one) => textAt(one, 'type') === 'SingleCorrect' && listAt(one, 'options').length > 1,
  );
  if (question === undefined)
    return lacking(`the quiz has no SingleCorrect question (${describeReply(quiz)})`);
  const questionUniqueId = textAt(question, 'questionId');
  const optionIds = listAt(question, 'options').map((option) => textAt(option, 'optionId'));
  const readings: Reading[] = [];
  for (const { about, what, answers, fare } of answerTries) {
    const sent = answers(optionIds).map((answer) => ({ questionUniqueId, ...answer }));
    readings.push(...(await tried(scene, about, what, user, { answers: sent }, fare)));
  }
  return { readings };
}

const againFare: Element = (asked) => (asked('resubmission') === 'replace' ? 'ok' : 'conflict');

async function again(scene: Scene, user: Submission): Promise<Finding> {
  const completed = await send(scene, { ...user, isCompleted: true });
  if (resultOf(completed) === null)
    return {
      readings: [],
      lacking: { resubmission: `completing the item returned ${describeReply(completed)}` },
    };
  const reading = await pair(scene, 'resubmission', 'answers after completion', operation, [
    [parametersOf(user), againFare],
  ]);
  return { readings: [reading] };
}
