import type { Records } from '../../contract/generated/facts.ts';
import { derivedId } from '../../sandbox/random.ts';
import type { Draft, Notebook } from './notebook.ts';

type Question = Records['quizzes']['questions'][number];

/**
 * Finds the quiz of each answered course item by its questions, because no response shows it. If the quiz was
 * never read, creates one from the answered questions and options, so that the same answers are accepted
 * again.
 */
export function linkQuizzes(notebook: Notebook, madeUp: (field: string) => void): void {
  const answered = new Map<string, Map<string, Set<string>>>();
  const several = new Set<string>();
  for (const { told } of notebook.of('submissions').values()) {
    const questions = answered.get(told.courseItemId ?? '') ?? new Map<string, Set<string>>();
    for (const { questionUniqueId, selectedOptionIds } of told.answers ?? []) {
      const options = questions.get(questionUniqueId) ?? new Set();
      for (const option of selectedOptionIds) options.add(option);
      if (selectedOptionIds.length > 1) several.add(questionUniqueId);
      questions.set(questionUniqueId, options);
    }
    answered.set(told.courseItemId ?? '', questions);
  }
  for (const [itemId, questions] of answered) {
    const item = notebook.of('courseItems').get(itemId);
    if (item === undefined || questions.size === 0) continue;
    const known = quizWith(notebook, [...questions.keys()]);
    if (known === undefined) madeUp('courseItems.quizId');
    item.told.quizId =
      known?.id ??
      makeQuiz(
        notebook,
        item,
        [...questions].map(([id, options]) => question(id, [...options], several)),
      );
  }
}

function quizWith(notebook: Notebook, questionIds: readonly string[]): Draft<'quizzes'> | undefined {
  return [...notebook.of('quizzes').values()].find(({ told }) => {
    const known = new Set(told.questions?.map(({ questionId }) => questionId));
    return questionIds.every((id) => known.has(id));
  });
}

function makeQuiz(
  notebook: Notebook,
  { id, schools }: Draft<'courseItems'>,
  questions: readonly Question[],
): string {
  const quizId = derivedId('quiz of', id);
  for (const school of schools) notebook.see(school, 'quizzes', quizId, { questions });
  return quizId;
}

function question(questionId: string, optionIds: readonly string[], several: ReadonlySet<string>): Question {
  const type = several.has(questionId) ? 'MultiCorrect' : 'SingleCorrect';
  const options = optionIds.map((optionId, place) => ({
    optionId,
    text: `Option ${place + 1}`,
    isCorrectOption: place === 0,
  }));
  return { questionId, type, title: 'A recorded question', explanation: null, description: null, options };
}
