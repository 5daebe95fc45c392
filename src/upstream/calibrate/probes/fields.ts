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

/** Returns how each field that may be null shows that it has no value. */
function nullReadings(
  what: string,
  records: readonly unknown[],
  names: readonly string[],
): readonly Reading[] {
  return valueReadings(what, records, names, (value) => value === null, {
    word: 'null',
    isShown: (option) => option === 'all',
  });
}

/** Returns how each field that is a text or a list shows that it is empty. */
export function emptyReadings(
  what: string,
  records: readonly unknown[],
  names: readonly string[],
): readonly Reading[] {
  return valueReadings(what, records, names, isEmpty, {
    word: 'empty',
    isShown: (option) => option !== 'not-empty',
  });
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns one reading for each way in which each field has no value: a service may treat fields differently. */
function valueReadings(
  what: string,
  records: readonly unknown[],
  names: readonly string[],
  hasNoValue: (value: unknown) => boolean,
  { word, isShown }: { readonly word: string; readonly isShown: (option: string) => boolean },
): readonly Reading[] {
  const objects = records.filter(isObject);
  const absent = names.filter((name) => objects.some((record) => record[name] === undefined));
  const present = names.filter((name) => objects.some((record) => hasNoValue(record[name])));
  const readingOf = (name: string, seen: string): Reading => ({
    about: 'responseFields',
    words: `the ${name} of ${what} is ${seen}`,
    seen,
    expected: (asked) => (isShown(asked('responseFields')) ? word : 'absent'),
  });
  return [
    ...present.map((name) => readingOf(name, word)),
    ...absent.map((name) => readingOf(name, 'absent')),
  ];
}
