import { quoted } from '../../base/violation.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { Parameters } from '../../contract/operation-types.ts';
import { OperationFailed, type Services } from './operation.ts';

export type Answer = Records['submissions']['answers'][number];
export type Question = Records['quizzes']['questions'][number];
export type Sent = NonNullable<
  NonNullable<Parameters<'submit-user-course-item'>['details']>['questionsToUpsert']
>[number];

/** Returns the options that an answer selects (specification, endpoint 4). `pointer` is that of the answer. */
export function selectionOf(sent: Sent, pointer: string, assume: Services['assume']): readonly string[] {
  const { newSelectedOptionIds } = sent;
  const place = `${pointer}/newSelectedOptionIds`;
  if (newSelectedOptionIds !== undefined) {
    checkSelection(newSelectedOptionIds, place, assume);
    return newSelectedOptionIds;
  }
  if (assume('omittedSelection') === 'no-option') return [];
  const near = Object.keys(sent).find((field) => /option|selected|answer/i.test(field));
  const hint = near === undefined ? '' : ` You sent ${quoted(near)}: did you mean "newSelectedOptionIds"?`;
  throw new OperationFailed(
    'invalid',
    place,
    `is required, but missing.${emptyAllowed(assume) ? ' Send [] to select no option.' : ''}${hint}`,
  );
}

/** Refuses a list without options, or with one of them twice, unless an assumption allows it. */
function checkSelection(ids: readonly string[], pointer: string, assume: Services['assume']): void {
  if (ids.length === 0 && !emptyAllowed(assume)) {
    throw new OperationFailed('invalid', pointer, 'selects no option. Send at least one.');
  }
  if (ids.length < 2) return;
  const seen = new Set<string>();
  const twice = ids.findIndex((id) => seen.size === seen.add(id).size);
  if (twice < 0 || assume('repeatedOption') === 'store') return;
  throw new OperationFailed(
    'invalid',
    `${pointer}/${twice}`,
    `selects the option ${quoted(ids[twice] ?? '')} more than once. Send it once.`,
  );
}

function emptyAllowed(assume: Services['assume']): boolean {
  return assume('emptySelection') === 'no-option';
}

/** Refuses several options for a question that has one correct option, unless an assumption allows them. */
export function checkCount(
  { questionUniqueId, selectedOptionIds }: Answer,
  question: Question | undefined,
  pointer: string,
  assume: Services['assume'],
): void {
  const selected = new Set(selectedOptionIds).size;
  if (question?.type !== 'SingleCorrect' || selected < 2) return;
  if (assume('severalAnswersToSingleCorrect') === 'store') return;
  throw new OperationFailed(
    'invalid',
    `${pointer}/newSelectedOptionIds`,
    `The question ${quoted(questionUniqueId)} has one correct option, but ${selected} are selected.`,
  );
}
