import type { Records } from '../../contract/generated/facts.ts';
import { firstAnswersCall, submissionCall, type ApiCall } from './api-call.ts';
import { groupBy } from './group-by.ts';
import { recordsOf, type School } from './school.ts';

/** The learners of a school, and what is needed to show their answers. */
export interface Learners {
  readonly users: readonly Records['users'][];
  /** The submissions of each user, by id. */
  readonly submissions: ReadonlyMap<string, readonly Records['submissions'][]>;
  readonly items: ReadonlyMap<string, Records['courseItems']>;
  readonly quizzes: ReadonlyMap<string, Records['quizzes']>;
}

/** Loads the learners of a school. */
export async function loadLearners(school: School): Promise<Learners> {
  const [users, instructors, submissions, items, quizzes] = await Promise.all([
    recordsOf(school, 'users'),
    recordsOf(school, 'instructors'),
    recordsOf(school, 'submissions'),
    recordsOf(school, 'courseItems'),
    recordsOf(school, 'quizzes'),
  ]);
  const teachers = new Set(instructors.map(({ userId }) => userId));
  const bySubmitter = groupBy(submissions, ({ userId }) => userId);
  return {
    users: users.filter(({ id }) => !teachers.has(id) || bySubmitter.has(id)),
    submissions: bySubmitter,
    items: new Map(items.map((item) => [item.id, item])),
    quizzes: new Map(quizzes.map((quiz) => [quiz.id, quiz])),
  };
}

/** Returns the call that sends the latest answers of a learner, or the first ones. Null if there is no quiz. */
export function callOf(user: Records['users'], { submissions, items, quizzes }: Learners): ApiCall | null {
  const [latest] = (submissions.get(user.id) ?? []).toSorted((one, other) =>
    one.updatedAt < other.updatedAt ? 1 : -1,
  );
  if (latest !== undefined) return submissionCall(latest, user);
  for (const item of items.values()) {
    const quiz = quizzes.get(item.quizId ?? '');
    if (quiz !== undefined) return firstAnswersCall(user, item, quiz);
  }
  return null;
}

/** Returns a name made of the address, because learners have no other. */
export function learnerName({ email, id }: Records['users']): string {
  const local = email?.split('@')[0] ?? '';
  const words = local.split(/[._-]+/).filter((word) => word !== '');
  if (words.length === 0) return `Learner ${id.slice(0, 8)}`;
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
