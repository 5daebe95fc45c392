import type { Records } from '../contract/generated/facts.ts';
import type { Random } from './random.ts';
import { anchored, type CollectionName } from './seed.ts';
import { deepFreeze } from './state.ts';

/** The collections whose records calls name by their ids. */
const nameable = [
  'products',
  'courseItems',
  'quizzes',
  'coupons',
  'labs',
  'liveEventSessions',
] as const satisfies readonly CollectionName[];
type Nameable = (typeof nameable)[number];

export function isNameable(collection: CollectionName): collection is Nameable {
  return nameable.some((name) => name === collection);
}

/** For whom a record is made up: a school, in a state that began at some time (milliseconds since 1970). */
export interface Asker {
  readonly school: { readonly id: string; readonly name: string; readonly slug: string };
  readonly beginning: number;
}

/** Writes believable records, the same every time for the same name. Handed in: a sandbox does not know how records are generated. */
export interface RecordAuthor {
  /** `number` selects the topic of the record; `given` are fields that are already known. */
  write<N extends CollectionName>(
    collection: N,
    name: string,
    about: { readonly school: Asker['school']; readonly number: number },
    given: Partial<Records[N]>,
  ): Records[N];
  idOf(collection: CollectionName, name: string): string;
}

/** Creates the author of a sandbox's synthesized records. */
export interface Authors {
  for(random: Random): RecordAuthor;
}

/** Records by their collection. */
export type Found = { readonly [N in CollectionName]: readonly [N, Records[N]] }[CollectionName];

/** How many are kept, so that they and their views need not be made at every call. */
const maxKeptChars = 1000;

/** Longer identifiers are sent by nobody who comes back for them. */
const longestKept = 200;

/** How many assignments a product has that is made up. */
const assignmentsEach = 3;

/** Records for identifiers that name none: believable, and always the same for the same identifier and sandbox. */
export class MadeUp {
  readonly #author: RecordAuthor;
  readonly #random: Random;
  readonly #kept = new Map<string, object>();

  constructor(author: RecordAuthor, random: Random) {
    this.#author = author;
    this.#random = random;
  }

  record<N extends Nameable>(collection: N, id: string, asker: Asker): Records[N] {
    // Recordings are found by the id in their URL, where it must not tell whether another school has a session of that name.
    const shown = collection === 'liveEventSessions' ? this.#author.idOf(collection, id) : id;
    return this.#remembered(collection, id, asker, () => this.#write(collection, id, asker, { ...this.#named(collection, id), id: shown }));
  }

  /** What is behind the URL of a recording. */
  session(id: string, beginning: number): Records['liveEventSessions'] {
    const asker = { school: { id: '', name: '', slug: '' }, beginning };
    return this.#write('liveEventSessions', id, asker, { ...this.#named('liveEventSessions', id), id });
  }

  assignmentsOf({ id }: Records['products'], asker: Asker): readonly Records['assignments'][] {
    return this.#remembered('assignments', id, asker, () =>
      Array.from({ length: assignmentsEach }, (_, number) =>
        this.#write('assignments', `${id} ${number}`, asker, { productId: id }, ['products', id]),
      ),
    );
  }

  /** The id under which a school's record is kept where another school has one of the same id. */
  standInId(collection: CollectionName, id: string, { school }: Asker): string {
    return this.#random.hex(24, 'stand-in', collection, school.id, id);
  }

  /** What a record names, with what belongs to that. */
  namedBy(record: object, asker: Asker): readonly Found[] {
    if (!('productId' in record) || typeof record.productId !== 'string') return [];
    const product = this.record('products', record.productId, asker);
    return [['products', product], ...this.assignmentsOf(product, asker).map((one) => ['assignments', one] as const)];
  }

  /** What a record names, and what makes it one that every operation can do something with. */
  #named(collection: Nameable, id: string): object {
    if (collection === 'courseItems') return { productId: this.#author.idOf('products', `of ${id}`), type: 'Quiz' };
    if (collection === 'coupons') return { productId: this.#author.idOf('products', `of ${id}`) };
    if (collection !== 'liveEventSessions') return {};
    const times = { scheduledStartAtIso: 'now-P7DT2H', scheduledDurationInSecs: 5400, endsAtIso: 'now-P7DT26M' };
    return { liveEventId: this.#author.idOf('liveEvents', `of ${id}`), ...times, recordedSources: ['camera', 'screen'] };
  }

  /** `about` says what gives the record its topic. */
  #write<N extends Nameable | 'assignments'>(
    collection: N,
    name: string,
    { school, beginning }: Asker,
    given: object,
    about: readonly [CollectionName, string] = [collection, name],
  ): Records[N] {
    const number = Math.floor(this.#random.fraction('made up', ...about) * 10);
    // All that is given are fields of the collection's records.
    const all = { schoolId: school.id, ...given } as Partial<Records[N]>;
    return deepFreeze(anchored(this.#author.write(collection, name, { school, number }, all), beginning));
  }

  #remembered<T extends object>(collection: string, id: string, { school, beginning }: Asker, make: () => T): T {
    if (id.length > longestKept) return make();
    const key = JSON.stringify([collection, school.id, beginning, id]);
    const known = this.#kept.get(key);
    // Only `make` of the same collection ever writes this slot.
    if (known !== undefined) return known as T;
    if (this.#kept.size >= maxKeptChars) this.#kept.clear();
    const fresh = make();
    this.#kept.set(key, fresh);
    return fresh;
  }
}
