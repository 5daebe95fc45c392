import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { localMilliseconds } from '../src/base/local-time.ts';
import { relativeMilliseconds } from '../src/base/relative-time.ts';
import type { Records } from '../src/contract/generated/facts.ts';
import { derivedId, Random } from '../src/sandbox/random.ts';
import type { CollectionName } from '../src/sandbox/seed.ts';
import { replaceFile } from './replace-files.ts';

// Writes fixtures/demo/submissions.json: what the learners answered in the last half year. The result follows
// from the other collections, so a run without a change of them changes nothing.

type Submission = Records['submissions'];
type Question = Records['quizzes']['questions'][number];

/** Written by hand, because tests and the documentation refer to them. */
const byHand = new Set([
  'cab3241df9c18b35bb8be152',
  '409732961729d27b64ce50eb',
  '154674910a88b45e7b24a5ea',
  '20d6ff8dc6f1741e8809cb21',
]);
/** Learners who have not begun yet: tests and the documentation submit their first answers. */
const newcomers = new Set(['joao', 'hana', 'grace', 'oskar', 'nadia', 'isla', 'lena']);

const { fraction } = new Random(20);
const dayMs = 86_400_000;
/** When people answer, in minutes of the day of their school: from 7:00 until 21:40, so that they end before 22:00. */
const [earliest, latest] = [7 * 60, 21 * 60 + 40];

function read<N extends CollectionName>(name: N): readonly Records[N][] {
  // The build checks the fixtures against the schema.
  return JSON.parse(readFileSync(fileOf(name), 'utf8')) as readonly Records[N][];
}

function fileOf(name: string): URL {
  return new URL(`../fixtures/demo/${name}.json`, import.meta.url);
}

const quizzes = new Map(read('quizzes').map(({ id, questions }) => [id, questions]));
const timeZones = new Map(read('schools').map(({ id, timeZone }) => [id, timeZone]));
const instructors = new Set(read('instructors').map(({ userId }) => userId));
const learners = read('users').filter(
  ({ id, email = '' }) => !instructors.has(id) && !newcomers.has(email.split('.')[0] ?? ''),
);
const items = read('courseItems').filter(({ quizId, isPublished }) => quizId !== undefined && isPublished);
const kept = read('submissions').filter(({ id }) => byHand.has(id));
const keptIds = new Set(kept.map(({ userId, courseItemId }) => `${userId} ${courseItemId}`));

/** Each learner takes the quizzes of the school in order, one or two weeks apart, and some stop early. */
function* submissionsOf({ id: userId, schoolIds }: Records['users']): Iterable<Submission> {
  const own = items.filter(({ schoolId }) => schoolIds.includes(schoolId));
  const skill = 0.5 + fraction('skill', userId) * 0.45;
  let daysAgo = 40 + fraction('begin', userId) * 140;
  for (const item of own) {
    if (keptIds.has(`${userId} ${item.id}`)) continue;
    if (daysAgo < 0.1 || fraction('stop', userId, item.id) < 0.08) return;
    yield submission(userId, item, { daysAgo, skill });
    daysAgo -= 6 + fraction('pause', userId, item.id) * 12;
  }
}

function submission(
  userId: string,
  { id: courseItemId, schoolId, quizId = '', createdAt }: Records['courseItems'],
  { daysAgo, skill }: { readonly daysAgo: number; readonly skill: number },
): Submission {
  const id = derivedId(schoolId, userId, courseItemId);
  const questions = quizzes.get(quizId) ?? [];
  const isCompleted = fraction('completed', id) < 0.85;
  const answered = isCompleted ? questions : questions.slice(0, Math.ceil(questions.length / 2));
  // Nobody answers on the day on which the item is created, or today, which may have just begun.
  const age = Math.floor(-(relativeMilliseconds(createdAt) ?? 0) / dayMs);
  const begin = { days: Math.max(1, Math.min(Math.round(daysAgo), age - 1)), minutes: minutesOf('hour', id) };
  const laterDays = fraction('again', id) < 0.3 ? Math.ceil(fraction('later', id) * 4) : 0;
  const end =
    begin.days - laterDays >= 1 && laterDays > 0
      ? { days: begin.days - laterDays, minutes: minutesOf('second hour', id) }
      : { days: begin.days, minutes: begin.minutes + 2 + Math.floor(fraction('minutes', id) * 15) };
  const timeZone = timeZones.get(schoolId) ?? 'UTC';
  return {
    id,
    schoolId,
    userId,
    courseItemId,
    courseItemType: 'Quiz',
    answers: answered.map((question) => ({
      questionUniqueId: question.questionId,
      selectedOptionIds: selected(question, skill, id),
    })),
    isCompleted,
    createdAt: localTimeOf(begin, timeZone),
    updatedAt: localTimeOf(end, timeZone),
  };
}

/** A minute of a day some days ago. */
interface Moment {
  readonly days: number;
  readonly minutes: number;
}

function minutesOf(purpose: string, id: string): number {
  return earliest + Math.floor(fraction(purpose, id) * (latest - earliest));
}

function localTimeOf({ days, minutes }: Moment, timeZone: string): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `today ${hour}:${minute} ${timeZone} -P${days}D`;
}

/** Returns the correct options as often as the learner's skill says; else a typical mistake. */
function selected({ questionId, options }: Question, skill: number, id: string): string[] {
  const right = options.filter(({ isCorrectOption }) => isCorrectOption);
  const wrong = options.filter(({ isCorrectOption }) => !isCorrectOption);
  const chosen = fraction('right', id, questionId) < skill ? right : mistake(right, wrong, [id, questionId]);
  return options.filter((option) => chosen.includes(option)).map(({ optionId }) => optionId);
}

/** Returns another option; of several correct ones, all but one, sometimes with a wrong one. */
function mistake<O>(right: readonly O[], wrong: readonly O[], purpose: readonly string[]): readonly O[] {
  const other = wrong.slice(Math.floor(fraction('wrong', ...purpose) * wrong.length)).slice(0, 1);
  if (right.length === 1) return other;
  const missed = Math.floor(fraction('missed', ...purpose) * right.length);
  const found = right.filter((_, place) => place !== missed);
  return fraction('extra', ...purpose) < 0.5 ? found : [...found, ...other];
}

const made = learners.flatMap((learner) => [...submissionsOf(learner)]);
const newest = made.toSorted((one, other) => begun(one) - begun(other));
const lines = [...kept, ...newest].map((record) => JSON.stringify(record));
replaceFile(fileURLToPath(fileOf('submissions')), `[\n${lines.join(',\n')}\n]\n`);

/** Returns when a submission was created, in milliseconds from now. */
function begun({ createdAt }: Submission): number {
  return localMilliseconds(createdAt, 0) ?? 0;
}
