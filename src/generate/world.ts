import { keysOf, recordOf } from '../base/keys.ts';
import type { collectionReferences, Records } from '../contract/generated/facts.ts';
import { Random } from '../sandbox/random.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import { Author } from './author.ts';
import type { Counts, Plan } from './counts.ts';
import { submissionsOf } from './submissions.ts';
import { topics, type Topic } from './topics.ts';
import { Deduplicator } from './deduplicator.ts';

/** The records of a whole seed, by collection. */
export type World = { readonly [N in CollectionName]: readonly Records[N][] };

/** The context in which a record is written. */
interface Sheet<N extends CollectionName> {
  readonly school: Records['schools'];
  readonly topic: Topic;
  readonly given: Partial<Records[N]>;
  /** Its name within the collection; the default is its number. */
  readonly number?: number;
}

type Made = { [N in CollectionName]: Records[N][] };

/** The common part of the records of one school. */
interface SchoolSheet {
  readonly school: Records['schools'];
  readonly topic: Topic;
  readonly given: { readonly schoolId: string };
}

/** The first schools are named like those of the demo, so that its keys work in generated sandboxes too. */
const firstSchools = [
  { slug: 'riverside', name: 'Riverside Academy' },
  { slug: 'hillcrest', name: 'Hillcrest College' },
];

/** Number of records written before other work may get a turn: the first quizzes take 3 ms each. */
const stride = 5;

/**
 * Generates a world, and reports from time to time how many of its records are written. `onRecord` is called with
 * each record when it is complete.
 */
export function makeWorld(
  plan: Plan,
  onRecord: (record: object) => void = () => {},
): Generator<number, World> {
  return new Builder(plan, onRecord).build();
}

/** How the records of a collection are written. */
interface Recipe<N extends CollectionName> {
  readonly sheet: (number: number) => Sheet<N>;
  /** Makes a record differ from those before it. */
  readonly settle?: (record: Records[N]) => Records[N];
}

type Recipes<M extends CollectionName> = { readonly [N in M]: Recipe<N> };

/** The collections whose records refer to more than their school, so that they need a recipe of their own. */
type Referring = {
  [N in CollectionName]: Exclude<keyof References[N], 'schoolId' | 'schoolIds'> extends never ? never : N;
}[CollectionName];
type References = typeof collectionReferences;

/** Builds a world, collection by collection. Records are distributed in turn. */
class Builder {
  readonly #distinct = {
    quizzes: new Deduplicator(),
    users: new Deduplicator(),
    instructors: new Deduplicator(),
    schools: new Deduplicator(),
  };
  #submissions: Iterator<Partial<Records['submissions']>, undefined> | null = null;
  /** The recipes in order: each collection comes after those that its records refer to. */
  readonly #ownRecipes = {
    schools: {
      sheet: (number) => this.#school(number),
      settle: (school) => this.#distinct.schools.school(school),
    },
    products: { sheet: (number) => this.#product(number) },
    quizzes: {
      sheet: (number) => (this.#counts.products === 0 ? this.#ofSchool(number) : this.#ofCourse(number)),
      settle: (quiz) => this.#distinct.quizzes.quiz(quiz),
    },
    courseItems: { sheet: (number) => this.#courseItem(number) },
    assignments: { sheet: (number) => this.#ofProduct(number) },
    coupons: { sheet: (number) => this.#ofProduct(number) },
    instructors: {
      sheet: (number) => this.#instructor(number),
      settle: (person) => this.#distinct.instructors.person(person),
    },
    users: { sheet: (number) => this.#user(number), settle: (person) => this.#distinct.users.person(person) },
    permissionPresets: { sheet: (number) => ({ ...this.#ofSchool(number), number: this.#turn(number) }) },
    liveEvents: { sheet: (number) => this.#ofProduct(number) },
    liveEventSessions: { sheet: (number) => this.#session(number) },
    submissions: { sheet: (number) => this.#submission(number) },
  } satisfies Partial<Recipes<CollectionName>> & Recipes<Referring>;
  /** A collection without its own recipe gets records that refer only to their school. */
  readonly #recipes: Recipes<CollectionName> = {
    ...recordOf(collectionNames, () => ({ sheet: (number: number) => this.#ofSchool(number) })),
    ...this.#ownRecipes,
  };
  readonly #counts: Counts;
  readonly #random: Random;
  readonly #author: Author;
  readonly #firstTopic: number;
  readonly #made: Made;
  readonly #onRecord: (record: object) => void;
  #written = 0;

  constructor({ counts, randomSeed }: Plan, onRecord: (record: object) => void) {
    this.#onRecord = onRecord;
    this.#counts = counts;
    this.#random = new Random(randomSeed);
    this.#author = new Author(this.#random);
    this.#firstTopic = Math.floor(this.#random.fraction('first topic') * topics.length);
    this.#made = recordOf<CollectionName, never[]>(collectionNames, () => []);
  }

  *build(): Generator<number, World> {
    const collections = new Set([...keysOf(this.#ownRecipes), ...collectionNames]);
    for (const collection of collections) yield* this.#fill(collection, this.#recipes);
    return this.#made;
  }

  *#fill<N extends CollectionName>(collection: N, recipes: Recipes<N>): Generator<number> {
    const { sheet, settle = (record) => record }: Recipe<N> = recipes[collection];
    const records: Records[N][] = this.#made[collection];
    const collectionSize = Math.ceil(this.#counts[collection] / this.#counts.schools);
    for (let number = 0; number < this.#counts[collection]; number += 1) {
      const { given, ...rest } = sheet(number);
      const record = settle(
        this.#author.write(collection, number, { number, collectionSize, ...rest }, given),
      );
      this.#onRecord(record);
      records.push(record);
      this.#written += 1;
      if (this.#written % stride === 0) yield this.#written;
    }
  }

  /** Returns the index of a record among those of its school. */
  #turn(number: number): number {
    return Math.floor(number / this.#counts.schools);
  }

  #schoolOf(number: number): Records['schools'] {
    return member(this.#made.schools, number);
  }

  #topic(number: number): Topic {
    return member(topics, this.#firstTopic + this.#turn(number) + (number % this.#counts.schools));
  }

  #school(number: number): Sheet<'schools'> {
    const given = firstSchools[number] ?? {};
    return { school: { id: '', slug: '', name: '' }, topic: this.#topic(number), given };
  }

  #ofSchool(number: number): SchoolSheet {
    const school = this.#schoolOf(number);
    return { school, topic: this.#topic(number), given: { schoolId: school.id } };
  }

  #product(number: number): Sheet<'products'> {
    return { ...this.#ofSchool(number), number: this.#turn(number) };
  }

  /** Returns the school and topic of a record's product, without a reference to the product. */
  #ofCourse(number: number): SchoolSheet {
    return this.#ofSchool(number % this.#counts.products);
  }

  #ofProduct(number: number): SchoolSheet & { readonly given: { readonly productId: string } } {
    const { school, topic, given } = this.#ofCourse(number);
    return { school, topic, given: { ...given, productId: member(this.#made.products, number).id } };
  }

  /** Every third item of a course is a quiz, as long as there are quizzes. */
  #courseItem(number: number): Sheet<'courseItems'> {
    const { products } = this.#counts;
    const sheet = this.#ofProduct(number);
    const place = Math.floor(number / products);
    const quiz =
      place % 3 === 2
        ? this.#made.quizzes[(number % products) + Math.floor(place / 3) * products]
        : undefined;
    if (quiz === undefined) return sheet;
    return { ...sheet, given: { ...sheet.given, type: 'Quiz', title: quiz.quizTitle, quizId: quiz.id } };
  }

  /** Some instructors teach at two schools. */
  #schoolIds(number: number): string[] {
    const own = this.#schoolOf(number).id;
    const other = this.#schoolOf(number + 1).id;
    return number % 12 === 11 && other !== own ? [own, other] : [own];
  }

  #instructor(number: number): Sheet<'instructors'> {
    const { school, topic } = this.#ofSchool(number);
    return {
      school,
      topic,
      given: { schoolIds: this.#schoolIds(number), userId: this.#author.idOf('users', number) },
    };
  }

  /** The first users are the instructors. */
  #user(number: number): Sheet<'users'> {
    const { school, topic } = this.#ofSchool(number);
    const instructor = this.#made.instructors[number];
    const given =
      instructor === undefined
        ? { schoolIds: [school.id] }
        : { schoolIds: instructor.schoolIds, email: instructor.email };
    return { school, topic, given };
  }

  #submission(number: number): Sheet<'submissions'> {
    this.#submissions ??= submissionsOf(this.#made, this.#counts, this.#random);
    return { ...this.#ofSchool(number), given: this.#submissions.next().value ?? {} };
  }

  #session(number: number): Sheet<'liveEventSessions'> {
    const event = member(this.#made.liveEvents, number);
    const { school, topic } = this.#ofCourse(number % this.#counts.liveEvents);
    return { school, topic, given: { schoolId: event.schoolId, liveEventId: event.id } };
  }
}

/** Returns a member of a list by its number, starting over after the last. */
function member<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined)
    throw new Error(
      'A record refers to another collection, which is empty. Add both collections to `needs` in src/generate/counts.ts.',
    );
  return found;
}
