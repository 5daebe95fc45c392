import { quoted } from '../../base/violation.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { Parameters } from '../../contract/operation-types.ts';
import { OperationFailed, type Services } from './operation.ts';

export type Answer = Records['submissions']['answers'][number];
type Question = Records['quizzes']['questions'][number];
type Sent = NonNullable<
  NonNullable<Parameters<'submit-user-course-item'>['details']>['questionsToUpsert']
>[number];

/** Returns the answers to store, after checking them against the quiz (specification, endpoint 4). */
export function acceptedAnswers(
  sent: readonly Sent[],
  quiz: Records['quizzes'] | 'unknown' | undefined,
  assume: Services['assume'],
): readonly Answer[] {
  const questions = new Map(
    quiz === 'unknown' ? [] : quiz?.questions.map((question) => [question.questionId, question]),
  );
  const options = new Map<Question, ReadonlySet<string>>();
  return sent.flatMap((one) => {
    const { questionUniqueId = '' } = one;
    const answer = { questionUniqueId, selectedOptionIds: selectionOf(one, assume) };
    if (quiz === 'unknown') return [answer];
    const question = questions.get(questionUniqueId);
    const mismatch = mismatchOf(answer, quiz, question, options);
    if (mismatch !== null) {
      const reading = assume('answersOutsideQuiz');
      if (reading === 'element-error') throw new OperationFailed('invalid', mismatch);
      return reading === 'store' ? [answer] : [];
    }
    checkCount(answer, question, assume);
    return [answer];
  });
}

function selectionOf(sent: Sent, assume: Services['assume']): readonly string[] {
  const { questionUniqueId = '', newSelectedOptionIds } = sent;
  if (newSelectedOptionIds !== undefined) return newSelectedOptionIds;
  if (assume('omittedSelection') === 'no-option') return [];
  const near = Object.keys(sent).find((field) => /option|selected|answer/i.test(field));
  const hint =
    near === undefined ? '' : ` It has a field ${quoted(near)}; did you mean newSelectedOptionIds?`;
  throw new OperationFailed(
    'invalid',
    `The answer to the question ${quoted(questionUniqueId)} has no newSelectedOptionIds. Send [] to select no option.${hint}`,
  );
}

/** Returns the earlier answers, replaced by new ones to the same questions. */
export function upserted(before: readonly Answer[], accepted: readonly Answer[]): readonly Answer[] {
  const byQuestion = new Map([...before, ...accepted].map((answer) => [answer.questionUniqueId, answer]));
  return [...byQuestion.values()];
}

/**
 * Returns why an answer does not belong to the quiz, or null. `options` caches the options of each question.
 */
function mismatchOf(
  { questionUniqueId, selectedOptionIds }: Answer,
  quiz: Records['quizzes'] | undefined,
  question: Question | undefined,
  options: Map<Question, ReadonlySet<string>>,
): string | null {
  if (quiz === undefined)
    return `The course item has no quiz, so it has no question ${quoted(questionUniqueId)}.`;
  if (question === undefined) return `The course item's quiz has no question ${quoted(questionUniqueId)}.`;
  const known = options.get(question) ?? new Set(question.options.map(({ optionId }) => optionId));
  options.set(question, known);
  const unknown = selectedOptionIds.find((id) => !known.has(id));
  return unknown === undefined
    ? null
    : `The question ${quoted(questionUniqueId)} has no option ${quoted(unknown)}.`;
}

function checkCount(
  { questionUniqueId, selectedOptionIds }: Answer,
  question: Question | undefined,
  assume: Services['assume'],
): void {
  const selected = new Set(selectedOptionIds).size;
  if (question?.type !== 'SingleCorrect' || selected < 2) return;
  if (assume('severalAnswersToSingleCorrect') === 'store') return;
  throw new OperationFailed(
    'invalid',
    `The question ${quoted(questionUniqueId)} has one correct option, but ${selected} are selected.`,
  );
}
