import { quoted } from '../../base/violation.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { Parameters } from '../../contract/operation-types.ts';
import { OperationFailed, type Services } from './operation.ts';

export type Answer = Records['submissions']['answers'][number];
type Question = Records['quizzes']['questions'][number];
type Sent = NonNullable<NonNullable<Parameters<'submit-user-course-item'>['details']>['questionsToUpsert']>[number];

/** The answers of a submission that are to be kept, held against the quiz (specification, endpoint 4). */
export function acceptedAnswers(
  sent: readonly Sent[],
  quiz: Records['quizzes'] | 'unknown' | undefined,
  assume: Services['assume'],
): readonly Answer[] {
  const questions = new Map(quiz === 'unknown' ? [] : quiz?.questions.map((question) => [question.questionId, question]));
  const options = new Map<Question, ReadonlySet<string>>();
  return sent.flatMap(({ questionUniqueId = '', newSelectedOptionIds = [] }) => {
    const answer = { questionUniqueId, selectedOptionIds: newSelectedOptionIds };
    if (quiz === 'unknown') return [answer];
    const question = questions.get(questionUniqueId);
    const stray = strayPart(answer, question, options);
    if (stray !== null) {
      const reading = assume('answersOutsideQuiz');
      if (reading === 'element-error') throw new OperationFailed('invalid', stray);
      return reading === 'store' ? [answer] : [];
    }
    checkNumber(answer, question, assume);
    return [answer];
  });
}

/** The earlier answers with the new ones in place of those to the same questions. */
export function upserted(before: readonly Answer[], accepted: readonly Answer[]): readonly Answer[] {
  const byQuestion = new Map([...before, ...accepted].map((answer) => [answer.questionUniqueId, answer]));
  return [...byQuestion.values()];
}

/** `options` remembers the options of each question, because many answers can be to the same one. */
function strayPart(
  { questionUniqueId, selectedOptionIds }: Answer,
  question: Question | undefined,
  options: Map<Question, ReadonlySet<string>>,
): string | null {
  if (question === undefined) return `The course item's quiz has no question ${quoted(questionUniqueId)}.`;
  const known = options.get(question) ?? new Set(question.options.map(({ optionId }) => optionId));
  options.set(question, known);
  const stray = selectedOptionIds.find((id) => !known.has(id));
  return stray === undefined ? null : `The question ${quoted(questionUniqueId)} has no option ${quoted(stray)}.`;
}

function checkNumber({ questionUniqueId, selectedOptionIds }: Answer, question: Question | undefined, assume: Services['assume']): void {
  if (question?.type !== 'SingleCorrect' || selectedOptionIds.length < 2) return;
  if (assume('severalAnswersToSingleCorrect') === 'store') return;
  throw new OperationFailed(
    'invalid',
    `The question ${quoted(questionUniqueId)} has one correct option, but ${selectedOptionIds.length} are selected.`,
  );
}
