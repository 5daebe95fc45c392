import { isObject } from '../../../base/is-object.ts';
import type { Reading } from '../model/infer.ts';
import { because, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, listAt, resultOf } from '../reply.ts';

/** Fields of records that have no value. */
export const fields: readonly Probe[] = [
  {
    name: 'quiz-fields',
    what: 'the quiz of --known, whose questions may have no explanation or description',
    calls: 1,
    tells: ['responseFields'],
    run: quizFields,
  },
];

async function quizFields({ pace, known: { quizId } }: Scene): Promise<Finding> {
  if (quizId === undefined)
    return because('add quizId (of a quiz with a question without an explanation) to --known');
  const reply = await pace.call({ operation: 'get-quiz-details', elements: [{ quizId }] });
  const result = resultOf(reply);
  if (result === null) return because(`get-quiz-details returned ${describeReply(reply)}`);
  const questions = listAt(result, 'questions');
  const readings = [
    ...nullReadings('a question', questions, ['explanation', 'description']),
    ...emptyReadings('a question', questions, ['title', 'options']),
  ];
  return readings.length > 0 ? { readings } : because('each question has an explanation and a description');
}

/** Returns the reading of the first record whose fields, which may be null, have no value. */
function nullReadings(
  what: string,
  records: readonly unknown[],
  names: readonly string[],
): readonly Reading[] {
  return firstReading(what, records, names, (value) => value === null, {
    word: 'null',
    isShown: (option) => option === 'all',
  });
}

/** Returns the reading of the first record whose fields, which are texts or lists, are empty. */
export function emptyReadings(
  what: string,
  records: readonly unknown[],
  names: readonly string[],
): readonly Reading[] {
  return firstReading(what, records, names, isEmpty, {
    word: 'empty',
    isShown: (option) => option !== 'not-empty',
  });
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function firstReading(
  what: string,
  records: readonly unknown[],
  names: readonly string[],
  hasNoValue: (value: unknown) => boolean,
  { word, isShown }: { readonly word: string; readonly isShown: (option: string) => boolean },
): readonly Reading[] {
  for (const record of records.filter(isObject)) {
    const name = names.find((one) => record[one] === undefined || hasNoValue(record[one]));
    if (name === undefined) continue;
    const seen = record[name] === undefined ? 'absent' : word;
    return [
      {
        about: 'responseFields',
        words: `the ${name} of ${what} is ${seen}`,
        seen,
        expected: (asked) => (isShown(asked('responseFields')) ? word : 'absent'),
      },
    ];
  }
  return [];
}
