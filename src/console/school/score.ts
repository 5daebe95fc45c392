import type { Records } from '../../contract/generated/facts.ts';

type Question = Records['quizzes']['questions'][number];

/** Whether exactly the correct options are selected. */
export function isRight({ options }: Question, selected: ReadonlySet<string>): boolean {
  return options.every(({ optionId, isCorrectOption }) => isCorrectOption === selected.has(optionId));
}

/** Returns the questions of a quiz that a submission answers correctly. */
export function rightAnswers(
  { questions }: Records['quizzes'],
  { answers }: Pick<Records['submissions'], 'answers'>,
): readonly Question[] {
  const selected = new Map(
    answers.map(({ questionUniqueId, selectedOptionIds }) => [questionUniqueId, new Set(selectedOptionIds)]),
  );
  return questions.filter((question) => {
    const answer = selected.get(question.questionId);
    return answer !== undefined && isRight(question, answer);
  });
}
