import type { Records } from '../../contract/generated/facts.ts';
import type { Optional, Parameters, Result } from '../../contract/operation-types.ts';
import type { Preset } from './notebook.ts';

/** A search may include subfolders, so the deepest folder that showed a video is the best guess. */
export function deeper(folder: string | null, known: string | undefined): string | undefined {
  if (folder === null || known === undefined) return folder ?? known;
  return depth(known) > depth(folder) ? known : folder;
}

function depth(path: string): number {
  return path.split('/').filter((step) => step !== '').length;
}

/**
 * What services send as a time that is not set: the least one of .NET, of two kinds of databases, and of Unix. Without
 * a zone, the first ones can be read as another time of that day, or of the day before.
 */
const unsetTimes: readonly (readonly [at: number, offByMs: number])[] = [
  ...['0001-01-01', '1753-01-01', '1900-01-01'].map((day) => [Date.parse(day), 14 * 3_600_000] as const),
  [0, 0],
];

/** Returns when a session ended; undefined if it has not. */
export function statedEnd(end: string | null | undefined, start: string | undefined): string | undefined {
  if (end === null || end === undefined) return undefined;
  const at = Date.parse(end);
  const isUnset = unsetTimes.some(([unset, offByMs]) => Math.abs(at - unset) <= offByMs);
  const isBeforeStart = start === undefined || at < Date.parse(start);
  return isUnset && isBeforeStart ? undefined : end;
}

type Question = Records['quizzes']['questions'][number];
type SeenQuestion = NonNullable<Optional<Result<'get-quiz-details'>>['questions']>[number];

/** Returns a question as records have it, from the fields that a response shows; none without an id. */
export function wholeQuestion({
  questionId,
  type,
  title,
  explanation,
  description,
  options = [],
}: SeenQuestion): readonly Question[] {
  if (questionId === undefined || questionId === '') return [];
  const whole = options.flatMap(({ optionId, text, isCorrectOption }) =>
    optionId === undefined || optionId === ''
      ? []
      : { optionId, text: text ?? 'An option', isCorrectOption: isCorrectOption ?? false },
  );
  const several = whole.filter(({ isCorrectOption }) => isCorrectOption).length > 1;
  const inferred = several ? 'MultiCorrect' : 'SingleCorrect';
  const known = type === 'MultiCorrect' || type === 'SingleCorrect' ? type : inferred;
  return [
    {
      questionId,
      type: known,
      title: title ?? 'A question',
      explanation: explanation ?? null,
      description: description ?? null,
      options: whole,
    },
  ];
}

/** Returns a preset as records have it, from the fields that a response shows. */
export function wholePreset({
  requiresResourceIds,
  permissionSets,
}: Optional<Result<'get-instructor-permission-presets'>['presets'][number]>): Preset {
  const sets = permissionSets?.map(({ permissions = [], resourceIdType = 'All' }) => ({
    permissions: permissions.filter((permission) => typeof permission === 'string'),
    resourceIdType,
  }));
  return {
    ...(requiresResourceIds === undefined ? {} : { requiresResourceIds }),
    ...(sets === undefined ? {} : { permissionSets: sets }),
  };
}

type Answer = Records['submissions']['answers'][number];
type Sent = NonNullable<
  NonNullable<Parameters<'submit-user-course-item'>['details']>['questionsToUpsert']
>[number];

/** Returns the answers of a submission after some have been added or changed. */
export function upserted(before: readonly Answer[], sent: readonly Sent[]): readonly Answer[] {
  const answers = sent.map(({ questionUniqueId = '', newSelectedOptionIds = [] }) => ({
    questionUniqueId,
    selectedOptionIds: newSelectedOptionIds,
  }));
  return [...new Map([...before, ...answers].map((answer) => [answer.questionUniqueId, answer])).values()];
}
