import { isBlank } from '../base/blank.ts';
import { quoted } from '../base/violation.ts';
import { derivedId } from '../sandbox/random.ts';
import { staysCompleted } from './shared/completion.ts';
import { notOnly } from './shared/not-only.ts';
import { needed, OperationFailed, type Operation, type Services } from './shared/operation.ts';
import { acceptedAnswers, upserted } from './shared/quiz-answers.ts';

/**
 * Stores a user's answers to a course item, question by question, and its completion (specification, endpoint
 * 4).
 */
export const submitUserCourseItem: Operation<
  'submit-user-course-item',
  'find' | 'state' | 'school' | 'assume' | 'now' | 'hintAtNew' | 'partIdHint'
> = ({ courseItemId, details = {}, userId: sentUserId, userEmail, shouldMarkAsCompleted }, services) => {
  const { find, state, school, assume, now } = services;
  const item = find('courseItems', needed(courseItemId, '/courseItemId'), '/courseItemId', 'course item');
  const userId = needed(sentUserId, '/userId');
  if (isBlank(userId))
    throw new OperationFailed('invalid', '/userId', 'is blank. Send the identifier of a user.');
  const { courseItemType = 'Quiz', questionsToUpsert = [] } = details;
  if (courseItemType !== 'Quiz' && assume('submittedItemTypes') === 'quiz-only') {
    throw new OperationFailed('invalid', '/details/courseItemType', notOnly('Quiz', courseItemType));
  }
  const id = derivedId(school.id, userId, item.id);
  const before = state.collection('submissions').get(id);
  const isCompleted =
    before?.isCompleted === true
      ? staysCompleted(before, shouldMarkAsCompleted, assume)
      : shouldMarkAsCompleted === true;
  const quiz =
    item.quizId === undefined ? quizWithoutId(item) : find('quizzes', item.quizId, '/courseItemId', 'quiz');
  const accepted = acceptedAnswers(questionsToUpsert, quiz, services);
  const at = new Date(now).toISOString();
  storeUser(userId, userEmail, services);
  state.put('submissions', {
    id,
    schoolId: school.id,
    userId,
    courseItemId: item.id,
    courseItemType,
    answers: upserted(before?.answers ?? [], accepted),
    isCompleted,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  });
  return {};
};

/** Returns `unknown` for a quiz whose questions are unknown; undefined if the item is not a quiz. */
function quizWithoutId({ type }: { readonly type: string }): 'unknown' | undefined {
  return type === 'Quiz' ? 'unknown' : undefined;
}

type UserServices = Pick<Services, 'find' | 'state' | 'school' | 'assume' | 'hintAtNew'>;

function storeUser(id: string, email: string | undefined, services: UserServices): void {
  const { find, state, school, assume, hintAtNew } = services;
  const user = state.collection('users').get(id);
  if (user === undefined || !user.schoolIds.includes(school.id)) {
    // It throws: the school has no such user.
    if (assume('unknownUser') === 'element-error') find('users', id, '/userId', 'user');
    hintAtNew('users', id, '/userId');
    const contact = email === undefined ? {} : { email };
    state.put('users', { ...contact, ...user, id, schoolIds: [...(user?.schoolIds ?? []), school.id] });
    return;
  }
  if (email === undefined || email === user.email) return;
  const reading = assume('emailOfKnownUser');
  if (reading === 'update') state.put('users', { ...user, email });
  if (reading === 'element-error' && email.toLowerCase() !== user.email?.toLowerCase()) {
    throw new OperationFailed(
      'conflict',
      '/userEmail',
      `The user ${quoted(id)} has a different e-mail address than ${quoted(email)}.`,
    );
  }
}
