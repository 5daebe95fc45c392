import type { Records } from '../contract/generated/facts.ts';
import { derivedId, type Random } from '../sandbox/random.ts';
import { groupBy } from '../base/group-by.ts';
import type { Counts } from './counts.ts';

type Submission = Records['submissions'];
type Question = Records['quizzes']['questions'][number];

/** What submissions are created from. */
interface Makings {
  readonly schools: readonly Records['schools'][];
  readonly users: readonly Records['users'][];
  readonly courseItems: readonly Records['courseItems'][];
  readonly quizzes: readonly Records['quizzes'][];
}

/**
 * Returns submissions, school by school: all learners submit the first quiz, then the next; other items come
 * last.
 */
export function* submissionsOf(
  { schools, users, courseItems, quizzes }: Makings,
  { instructors }: Counts,
  random: Random,
): Generator<Partial<Submission>, undefined> {
  const learners = groupBy(users.slice(instructors), ({ schoolIds: [first = ''] }) => first);
  const byQuiz = courseItems.toSorted(
    (one, other) => Number(other.quizId !== undefined) - Number(one.quizId !== undefined),
  );
  const items = groupBy(byQuiz, ({ schoolId }) => schoolId);
  const questions = new Map(quizzes.map((quiz) => [quiz.id, quiz.questions]));
  let open = [...schools];
  for (let round = 0; open.length > 0; round += 1) {
    const left: typeof open = [];
    for (const school of open) {
      const own = learners.get(school.id) ?? [];
      const user = own[round % own.length];
      const item = items.get(school.id)?.[Math.floor(round / own.length)];
      if (user === undefined || item === undefined) continue;
      left.push(school);
      yield submission(user.id, item, questions.get(item.quizId ?? '') ?? [], random);
    }
    open = left;
  }
  return undefined;
}

function submission(
  userId: string,
  item: Records['courseItems'],
  questions: readonly Question[],
  random: Random,
): Partial<Submission> {
  const id = derivedId(item.schoolId, userId, item.id);
  const answers = questions.map((question) => ({
    questionUniqueId: question.questionId,
    selectedOptionIds: selected(question, random.fraction('answer', id, question.questionId)),
  }));
  return { id, schoolId: item.schoolId, userId, courseItemId: item.id, answers };
}

/** Returns the correct options in seven of ten cases, otherwise random ones. */
function selected({ options }: Question, chance: number): string[] {
  const chosen =
    chance < 0.7
      ? options.filter(({ isCorrectOption }) => isCorrectOption)
      : [options[Math.floor(chance * 100) % options.length]];
  return chosen.flatMap((option) => option?.optionId ?? []);
}
