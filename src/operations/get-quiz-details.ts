import type { Records } from '../contract/generated/facts.ts';
import type { Result } from '../contract/operation-types.ts';
import { needed, type Operation } from './shared/operation.ts';

/** Returns a quiz with its questions and their options (specification, endpoint 1). */
export const getQuizDetails: Operation<'get-quiz-details', 'find' | 'show'> = ({ quizId }, { find, show }) =>
  show(find('quizzes', needed(quizId, '/quizId'), '/quizId', 'quiz'), details);

function details({ createdAtIso, quizTitle, questions }: Records['quizzes']): Result<'get-quiz-details'> {
  return { createdAtIso, quizTitle, questions };
}
