import { quoted } from '../../base/violation.ts';
import type { Records } from '../../contract/generated/facts.ts';
import { mismatchOf } from './answer-mismatch.ts';
import { OperationFailed, type Services } from './operation.ts';
import { checkCount, selectionOf, type Answer, type Question, type Sent } from './selected-options.ts';

/** Returns the answers to store, after checking them against the quiz (specification, endpoint 4). */
export function acceptedAnswers(
  sent: readonly Sent[],
  quiz: Records['quizzes'] | 'unknown' | undefined,
  { assume, partIdHint }: Pick<Services, 'assume' | 'partIdHint'>,
): readonly Answer[] {
  const questions = new Map(
    quiz === 'unknown' ? [] : quiz?.questions.map((question) => [question.questionId, question]),
  );
  const options = new Map<Question, ReadonlySet<string>>();
  const answered = new Set<string>();
  return sent.flatMap((one, index) => {
    const pointer = `/details/questionsToUpsert/${index}`;
    const { questionUniqueId = '' } = one;
    if (answered.has(questionUniqueId) && assume('repeatedQuestion') === 'element-error') {
      const repeated = `The call has several answers to the question ${quoted(questionUniqueId)}. Send one.`;
      throw new OperationFailed('invalid', `${pointer}/questionUniqueId`, repeated);
    }
    answered.add(questionUniqueId);
    const answer = { questionUniqueId, selectedOptionIds: selectionOf(one, pointer, assume) };
    if (quiz === 'unknown') return [answer];
    const question = questions.get(questionUniqueId);
    const mismatch = mismatchOf(answer, quiz, question, { options, partIdHint });
    if (mismatch !== null) {
      const reading = assume('answersOutsideQuiz');
      if (reading === 'element-error')
        throw new OperationFailed('invalid', `${pointer}${mismatch.pointer}`, mismatch.message());
      return reading === 'store' ? [answer] : [];
    }
    checkCount(answer, question, pointer, assume);
    return [answer];
  });
}

/** Returns the earlier answers, replaced by new ones to the same questions. */
export function upserted(before: readonly Answer[], accepted: readonly Answer[]): readonly Answer[] {
  const byQuestion = new Map([...before, ...accepted].map((answer) => [answer.questionUniqueId, answer]));
  return [...byQuestion.values()];
}
