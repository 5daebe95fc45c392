import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';

/** How many records of each collection. */
export type Counts = Readonly<Record<CollectionName, number>>;

/** What is to be generated. The same plan always gives the same records. */
export interface Plan {
  readonly counts: Counts;
  readonly randomSeed: number;
}

/** What somebody asked for, by the names that people write: `course-items`, `random-seed`. */
export type Wishes = ReadonlyMap<string, string>;

/** The name of the plan's random seed among the wishes. */
const randomSeedName = 'random-seed';

/** A collection's name as people write it. */
export function writtenName(collection: CollectionName): string {
  return collection.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Everything that can be wished for. */
export const wishNames: readonly string[] = [...collectionNames.map(writtenName), randomSeedName];

/** How many of each there may be. */
const maxOfEach = 1_000_000;

/** How many of all together: they are made, and served, in memory. */
const maxInAll = 2_000_000;

/** What one school has where nobody says otherwise. */
const usual: Counts = {
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

/** In words, for the help. */
export function usually(collection: CollectionName): string {
  return collection === 'schools' ? '2' : `${usual[collection]} for each school`;
}

/** What a collection cannot be without. */
const needs: readonly (readonly [CollectionName, CollectionName])[] = [
  ['courseItems', 'products'],
  ['assignments', 'products'],
  ['coupons', 'products'],
  ['liveEvents', 'products'],
  ['liveEventSessions', 'liveEvents'],
  ['instructors', 'users'],
  ['submissions', 'courseItems'],
];

/** A plan from what was wished for; `say` turns a wish's name into what its owner wrote. Throws SandboxError where it cannot be had. */
export function planFrom(wishes: Wishes, say: (name: string) => string): Plan {
  const wished = (name: string, least: number, most: number): number | null => {
    const text = wishes.get(name);
    return text === undefined ? null : wholeNumber(say(name), text, least, most);
  };
  const chosen = new Map(collectionNames.map((name) => [name, wished(writtenName(name), name === 'schools' ? 1 : 0, maxOfEach)]));
  const schools = chosen.get('schools') ?? 2;
  const counts = Object.fromEntries(
    collectionNames.map((name) => [name, chosen.get(name) ?? (name === 'schools' ? schools : usual[name] * schools)]),
  ) as Record<CollectionName, number>;
  if (!wishes.has('users')) counts.users += Math.max(0, counts.instructors - usual.instructors * schools);
  for (const [collection, needed] of needs) {
    if (counts[needed] > 0 || counts[collection] === 0) continue;
    if (chosen.get(collection) === null) counts[collection] = 0;
    else throw new SandboxError(`${say(writtenName(collection))} ${counts[collection]} needs at least 1 of ${say(writtenName(needed))}.`);
  }
  fitPeople(counts, chosen, say);
  checkSize(counts);
  return { counts, randomSeed: wished(randomSeedName, 0, 2 ** 32 - 1) ?? 1 };
}

function checkSize(counts: Counts): void {
  const size = totalOf(counts);
  if (size <= maxInAll) return;
  throw new SandboxError(
    `That would be ${size} records; there may be ${maxInAll} in all. Ask for less, or say how many there are to be of what each school has otherwise.`,
  );
}

type Chosen = ReadonlyMap<CollectionName, number | null>;

/** Every instructor is a user of their own, and who is none can hand in each course item of their school once. */
function fitPeople(counts: Record<CollectionName, number>, chosen: Chosen, say: (name: string) => string): void {
  if (counts.instructors > counts.users) {
    if (chosen.get('instructors') !== null)
      throw new SandboxError(
        `${say('instructors')} ${counts.instructors} needs as many of ${say('users')}, but there are ${counts.users}: each is a user of their own.`,
      );
    counts.instructors = counts.users;
  }
  const most = maxSubmissions(counts);
  if (counts.submissions <= most) return;
  if (chosen.get('submissions') !== null)
    throw new SandboxError(
      `${say('submissions')} ${counts.submissions} are too many: with these ${say('users')} and ${say('course-items')} there can be ${most}, one for each learner and course item of a school.`,
    );
  counts.submissions = most;
}

/** How many of `count` records that are dealt out in turn among `to` are dealt to the one of a number. */
function dealt(count: number, to: number, number: number): number {
  return Math.floor(count / to) + (number < count % to ? 1 : 0);
}

/** The learners of each school. Instructors are the first users, and both are dealt out to the schools in turn. */
function learnersOf({ users, instructors, schools }: Counts, school: number): number {
  return dealt(users, schools, school) - dealt(instructors, schools, school);
}

/** The course items of each school: they are dealt out to the products, which are dealt out to the schools. */
function itemsOf({ courseItems, products, schools }: Counts, school: number): number {
  let items = 0;
  for (let product = school; product < products; product += schools) items += dealt(courseItems, products, product);
  return items;
}

function maxSubmissions(counts: Counts): number {
  let most = 0;
  for (let school = 0; school < counts.schools; school += 1) most += learnersOf(counts, school) * itemsOf(counts, school);
  return most;
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new SandboxError(`${name} must be a whole number from ${least} to ${most}, but is ${JSON.stringify(text)}.`);
}

/** What a generated seed's name begins with: `generated:videos=1000,random-seed=7`. */
export const generatedPrefix = 'generated:';

/** The plan that a seed's name tells, and the one way to write it. Throws SandboxError for what cannot be had. */
export function planNamed(name: string): { readonly name: string; readonly plan: Plan } {
  const wishes = new Map<string, string>();
  const parts = name
    .slice(generatedPrefix.length)
    .split(',')
    .filter((part) => part.trim() !== '');
  for (const part of parts) {
    const [key = '', value] = part.split('=').map((side) => side.trim());
    const known = wishNames.find((one) => one === key);
    if (known === undefined) {
      const hint = didYouMean(key, wishNames);
      throw new SandboxError(`A generated seed has no ${JSON.stringify(key)}.${hint} Known: ${wishNames.join(', ')}.`);
    }
    if (value === undefined || wishes.has(known)) {
      throw new SandboxError(
        `A generated seed is written ${generatedPrefix}videos=1000,${randomSeedName}=7, each name once; this is ${JSON.stringify(name)}.`,
      );
    }
    wishes.set(known, value);
  }
  const plan = planFrom(wishes, (wish) => wish);
  const ordered = wishNames.flatMap((wish) => (wishes.has(wish) ? [`${wish}=${Number(wishes.get(wish))}`] : []));
  return { name: `${generatedPrefix}${ordered.join(',')}`, plan };
}

/** How many records a plan comes to. */
export function sizeOf({ counts }: Plan): number {
  return totalOf(counts);
}

function totalOf(counts: Counts): number {
  return collectionNames.reduce((sum, name) => sum + counts[name], 0);
}
