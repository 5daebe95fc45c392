import { textHint, typoHint } from '../../base/text-hint.ts';
import { quoted } from '../../base/violation.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { Services } from './operation.ts';
import type { Answer, Question } from './selected-options.ts';

/** Where an answer does not belong to the quiz, and why. */
interface Mismatch {
  readonly pointer: string;
  readonly message: () => string;
}

interface Lookup extends Pick<Services, 'partIdHint'> {
  /** Caches the options of each question. */
  readonly options: Map<Question, ReadonlySet<string>>;
}

/** Returns why an answer does not belong to the quiz, or null. */
export function mismatchOf(
  { questionUniqueId, selectedOptionIds }: Answer,
  quiz: Records['quizzes'] | undefined,
  question: Question | undefined,
  { options, partIdHint }: Lookup,
): Mismatch | null {
  const asked = quoted(questionUniqueId);
  if (quiz === undefined || question === undefined) {
    const message =
      quiz === undefined
        ? () =>
            `The course item has no quiz, so it has no question ${asked}.${partIdHint(questionUniqueId, () => '')}`
        : () =>
            `The course item's quiz has no question ${asked}.${partIdHint(questionUniqueId, () => questionHint(questionUniqueId, quiz))}`;
    return { pointer: '/questionUniqueId', message };
  }
  const known = options.get(question) ?? new Set(question.options.map(({ optionId }) => optionId));
  options.set(question, known);
  const index = selectedOptionIds.findIndex((id) => !known.has(id));
  const unknown = selectedOptionIds[index];
  if (unknown === undefined) return null;
  return {
    pointer: `/newSelectedOptionIds/${index}`,
    message: () =>
      `The question ${asked} has no option ${quoted(unknown)}.${partIdHint(unknown, () => optionHint(unknown, quiz, known))}`,
  };
}

/** Returns a hint for an identifier that no question of the quiz has. */
function questionHint(id: string, { questions }: Records['quizzes']): string {
  const holder = questionWith(id, questions);
  return holder === undefined
    ? knownHint(
        id,
        questions.map(({ questionId }) => questionId),
      )
    : ` It is the identifier of an option of the question ${quoted(holder.questionId)}.`;
}

/** Returns a hint for an identifier that no option of the question has. */
function optionHint(id: string, { questions }: Records['quizzes'], known: ReadonlySet<string>): string {
  if (questions.some(({ questionId }) => questionId === id)) return ' It is the identifier of a question.';
  const holder = questionWith(id, questions);
  return holder === undefined
    ? knownHint(id, [...known])
    : ` It is an option of the question ${quoted(holder.questionId)}.`;
}

/** Returns a hint for an identifier that likely is a known one. */
function knownHint(id: string, known: readonly string[]): string {
  const hint = textHint(id, (other) => known.includes(other));
  return hint === '' ? typoHint(id, known) : hint;
}

function questionWith(optionId: string, questions: readonly Question[]): Question | undefined {
  return questions.find(({ options }) => options.some((option) => option.optionId === optionId));
}
