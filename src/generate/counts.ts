import { recordOf } from '../base/keys.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { quoted } from '../base/violation.ts';
import { SandboxError } from '../base/errors.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import { readValue, wholeNumber } from '../settings/value-rule.ts';

/** The number of records of each collection. */
export type Counts = Readonly<Record<CollectionName, number>>;

/** What to generate. The same plan always gives the same records. */
export interface Plan {
  readonly counts: Counts;
  readonly randomSeed: number;
}

/** The requested settings, by their written names: `course-items`, `random-seed`. */
export type RequestedCounts = ReadonlyMap<string, string>;

/** The written name of the random seed. */
const randomSeedName = 'random-seed';

/** Returns the written name of a collection. */
export function writtenName(collection: CollectionName): string {
  return collection.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** All names that can be requested. */
export const requestNames: readonly string[] = [...collectionNames.map(writtenName), randomSeedName];

/** The range of each number. */
const maxOfEach = 1_000_000;

/** Maximum number of records in total: they are created and served in memory. */
const maxInAll = 2_000_000;

/** Default numbers for one school. A collection without one stays empty unless its number is set. */
const defaultCounts: Partial<Counts> = {
  schools: 1,
  products: 3,
  courseItems: 18,
  quizzes: 6,
  assignments: 7,
  coupons: 4,
  labs: 3,
  users: 20,
  submissions: 10,
  instructors: 6,
  permissionPresets: 5,
  videos: 30,
  liveEvents: 4,
  liveEventSessions: 12,
};

function defaultCount(collection: CollectionName): number {
  return defaultCounts[collection] ?? 0;
}

/** Returns a default in words, for the help. */
export function defaultCountInWords(collection: CollectionName): string {
  if (collection === 'schools') return '2';
  const count = defaultCount(collection);
  return count === 0 ? '0' : `${count} for each school`;
}

/** The collections that each collection requires. */
const needs: readonly (readonly [CollectionName, CollectionName])[] = [
  ['courseItems', 'products'],
  ['assignments', 'products'],
  ['coupons', 'products'],
  ['liveEvents', 'products'],
  ['liveEventSessions', 'liveEvents'],
  ['instructors', 'users'],
  ['submissions', 'courseItems'],
];

/**
 * Returns the plan for the requested settings. `say` returns a setting's name as its author wrote it. Throws
 * SandboxError if it is impossible.
 */
export function planFrom(wishes: RequestedCounts, say: (name: string) => string): Plan {
  const wished = (name: string, least: number, most: number): number | null => {
    const text = wishes.get(name);
    return text === undefined ? null : readValue(wholeNumber(least, most), say(name), text);
  };
  const chosen = new Map(
    collectionNames.map((name) => [name, wished(writtenName(name), name === 'schools' ? 1 : 0, maxOfEach)]),
  );
  const schools = chosen.get('schools') ?? 2;
  const counts = recordOf(
    collectionNames,
    (name) => chosen.get(name) ?? (name === 'schools' ? schools : defaultCount(name) * schools),
  );
  if (!wishes.has('users'))
    counts.users += Math.max(0, counts.instructors - defaultCount('instructors') * schools);
  for (const [collection, needed] of needs) {
    if (counts[needed] > 0 || counts[collection] === 0) continue;
    if (chosen.get(collection) === null) counts[collection] = 0;
    else
      throw new SandboxError(
        `${say(writtenName(collection))} ${counts[collection]} needs at least 1 of ${say(writtenName(needed))}.`,
      );
  }
  // First without what `fitPeople` may reduce, because it looks at every school.
  checkSize({ ...counts, instructors: 0, submissions: 0 });
  fitPeople(counts, chosen, say);
  checkSize(counts);
  return { counts, randomSeed: wished(randomSeedName, 0, 2 ** 32 - 1) ?? 1 };
}

function checkSize(counts: Counts): void {
  const size = totalOf(counts);
  if (size <= maxInAll) return;
  throw new SandboxError(
    `The seed would have ${size} records; the maximum is ${maxInAll}. Reduce the numbers, including the defaults per school.`,
  );
}

type Chosen = ReadonlyMap<CollectionName, number | null>;

/**
 * Every instructor is a separate user, and every other user can submit each course item of their school once.
 */
function fitPeople(
  counts: Record<CollectionName, number>,
  chosen: Chosen,
  say: (name: string) => string,
): void {
  if (counts.instructors > counts.users) {
    if (chosen.get('instructors') !== null)
      throw new SandboxError(
        `${say('instructors')} ${counts.instructors} needs at least as many ${say('users')}, but there are ${counts.users}: each instructor is a separate user.`,
      );
    counts.instructors = counts.users;
  }
  const most = maxSubmissions(counts);
  if (counts.submissions <= most) return;
  if (chosen.get('submissions') !== null)
    throw new SandboxError(
      `${say('submissions')} ${counts.submissions} are too many: with these ${say('users')} and ${say('course-items')}, the maximum is ${most}, one for each learner and course item of a school.`,
    );
  counts.submissions = most;
}

/** Returns how many of `count` records, distributed in turn among `to`, the one with a number gets. */
function dealt(count: number, to: number, number: number): number {
  return Math.floor(count / to) + (number < count % to ? 1 : 0);
}

/**
 * Returns the learners of each school. Instructors are the first users, and both are distributed to the
 * schools in turn.
 */
function learnersOf({ users, instructors, schools }: Counts, school: number): number {
  return dealt(users, schools, school) - dealt(instructors, schools, school);
}

/** Returns the course items of each school: they are distributed to products, and products to schools. */
function itemsOf({ courseItems, products, schools }: Counts, school: number): number {
  let items = 0;
  for (let product = school; product < products; product += schools)
    items += dealt(courseItems, products, product);
  return items;
}

function maxSubmissions(counts: Counts): number {
  let most = 0;
  for (let school = 0; school < counts.schools; school += 1)
    most += learnersOf(counts, school) * itemsOf(counts, school);
  return most;
}

/** Prefix of a generated seed's name: `generated:videos=1000,random-seed=7`. */
export const generatedPrefix = 'generated:';

/** Longer than the name of any plan. */
const maxNameChars = 1000;

/**
 * Returns the plan for a seed's name, and the canonical form of the name. Throws SandboxError for an
 * impossible plan.
 */
export function planNamed(name: string): { readonly name: string; readonly plan: Plan } {
  const wishes = new Map<string, string>();
  const malformed = (): SandboxError =>
    new SandboxError(
      `A generated seed must have the form ${generatedPrefix}videos=1000,${randomSeedName}=7, with each name once, but is ${quoted(name)}.`,
    );
  if (name.length > maxNameChars) throw malformed();
  const parts = name
    .slice(generatedPrefix.length)
    .split(',')
    .filter((part) => part.trim() !== '');
  for (const part of parts) {
    const [key = '', value] = part.split('=').map((side) => side.trim());
    const known = requestNames.find((one) => one === key);
    if (known === undefined) {
      const hint = didYouMean(key, requestNames);
      throw new SandboxError(
        `A generated seed has no setting ${quoted(key)}.${hint} Known: ${requestNames.join(', ')}.`,
      );
    }
    if (value === undefined || wishes.has(known)) throw malformed();
    wishes.set(known, value);
  }
  const plan = planFrom(wishes, (wish) => wish);
  const ordered = requestNames.flatMap((wish) =>
    wishes.has(wish) ? [`${wish}=${Number(wishes.get(wish))}`] : [],
  );
  return { name: `${generatedPrefix}${ordered.join(',')}`, plan };
}

/** Returns the number of records in a plan. */
export function sizeOf({ counts }: Plan): number {
  return totalOf(counts);
}

function totalOf(counts: Counts): number {
  return collectionNames.reduce((sum, name) => sum + counts[name], 0);
}
