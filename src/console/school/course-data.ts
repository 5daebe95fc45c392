import type { Records } from '../../contract/generated/facts.ts';
import { loadAssumptions, type FixedValues } from './fixed-values.ts';
import { recordsOf, type School } from './school.ts';

/** The courses of a school with everything in them. */
export interface Courses {
  readonly products: readonly Records['products'][];
  readonly items: readonly Records['courseItems'][];
  readonly quizzes: readonly Records['quizzes'][];
  readonly assignments: readonly Records['assignments'][];
  readonly fixed: FixedValues;
}

/** Loads the courses of a school. */
export async function loadCourses(school: School): Promise<Courses> {
  const [products, items, quizzes, assignments, { fixedValues: fixed }] = await Promise.all([
    recordsOf(school, 'products'),
    recordsOf(school, 'courseItems'),
    recordsOf(school, 'quizzes'),
    recordsOf(school, 'assignments'),
    loadAssumptions(school),
  ]);
  return { products, items, quizzes, assignments, fixed };
}
