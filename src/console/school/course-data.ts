import type { Records } from '../../contract/generated/facts.ts';
import { recordsOf, type School } from './school.ts';

/** The courses of a school with everything in them. */
export interface Courses {
  readonly products: readonly Records['products'][];
  readonly items: readonly Records['courseItems'][];
  readonly quizzes: readonly Records['quizzes'][];
  readonly assignments: readonly Records['assignments'][];
}

/** Loads the courses of a school. */
export async function loadCourses(school: School): Promise<Courses> {
  const [products, items, quizzes, assignments] = await Promise.all([
    recordsOf(school, 'products'),
    recordsOf(school, 'courseItems'),
    recordsOf(school, 'quizzes'),
    recordsOf(school, 'assignments'),
  ]);
  return { products, items, quizzes, assignments };
}
