import type { Records } from '../contract/generated/facts.ts';

/** Makes equal names unique: the second gets a 2, and so on. */
export class Deduplicator {
  readonly #seen = new Map<string, number>();

  school(school: Records['schools']): Records['schools'] {
    const times = this.#times(school.slug);
    return times === 1
      ? school
      : { ...school, slug: `${school.slug}-${times}`, name: `${school.name} ${times}` };
  }

  person<P extends { readonly email?: string }>(person: P): P {
    const { email = '' } = person;
    const times = this.#times(email.toLowerCase());
    return times === 1 ? person : { ...person, email: email.replace('@', `${times}@`) };
  }

  /** Makes the title unique within its school. */
  quiz(quiz: Records['quizzes']): Records['quizzes'] {
    const times = this.#times(`${quiz.schoolId} ${quiz.quizTitle}`);
    return times === 1 ? quiz : { ...quiz, quizTitle: `${quiz.quizTitle}, Part ${times}` };
  }

  #times(name: string): number {
    const times = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, times);
    return times;
  }
}
