import type { Records } from '../contract/generated/facts.ts';
import type { Random } from './random.ts';
import type { ChildOfProduct } from './indexes.ts';
import { anchored, type CollectionName } from './seed.ts';
import { deepFreeze } from '../base/deep-freeze.ts';
import { BoundedMap } from '../base/bounded-map.ts';

/** The collections whose ids calls can send. */
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

/** The school that a record is synthesized for, and the beginning of its state in milliseconds since 1970. */
export interface Asker {
  readonly school: { readonly id: string; readonly name: string; readonly slug: string };
  readonly beginning: number;
}

/**
 * Generates realistic records, always the same for the same name. Injected, because a sandbox does not depend
 * on the generator.
 */
export interface RecordAuthor {
  /** `number` selects the topic of the record; `given` has the fields that are already known. */
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

/** A record with its collection. */
export type Found = { readonly [N in CollectionName]: readonly [N, Records[N]] }[CollectionName];

/** The maximum number of cached records. Cached records need no new views for each call. */
const maxCachedRecords = 1000;

/** Records of longer identifiers are not cached. */
const maxCachedIdLength = 200;

/** The number of children of a synthesized product. */
const childrenPerProduct = { assignments: 3 } as const satisfies Partial<Record<ChildOfProduct, number>>;

function isMadeUpChild(collection: CollectionName): collection is keyof typeof childrenPerProduct {
  return collection in childrenPerProduct;
}

const none: readonly never[] = Object.freeze([]);

/**
 * Synthesizes records for unknown identifiers: realistic, and always the same for the same identifier and
 * sandbox.
 */
export class MadeUp {
  readonly #author: RecordAuthor;
  readonly #random: Random;
  readonly #cached = new BoundedMap<string, object>(maxCachedRecords);

  constructor(author: RecordAuthor, random: Random) {
    this.#author = author;
    this.#random = random;
  }

  record<N extends Nameable>(collection: N, id: string, asker: Asker): Records[N] {
    // The id is in the URL of the recording, which must not reveal whether another school has a session with
    // this id.
    const shown = collection === 'liveEventSessions' ? this.#author.idOf(collection, id) : id;
    return this.#fromCache(collection, id, asker, () =>
      this.#write(collection, id, asker, { ...this.#named(collection, id), id: shown }),
    );
  }

  /** Returns the session at the URL of a recording. */
  session(id: string, beginning: number): Records['liveEventSessions'] {
    const asker = { school: { id: '', name: '', slug: '' }, beginning };
    return this.#write('liveEventSessions', id, asker, { ...this.#named('liveEventSessions', id), id });
  }

  /** Returns the records that belong to a synthesized product: none in a collection that has no number of them. */
  childrenOf<N extends ChildOfProduct>(
    collection: N,
    { id }: Records['products'],
    asker: Asker,
  ): readonly Records[N][] {
    if (!isMadeUpChild(collection)) return none;
    return this.#fromCache(collection, id, asker, () =>
      Array.from({ length: childrenPerProduct[collection] }, (_, number) =>
        this.#write(collection, `${id} ${number}`, asker, { productId: id }, ['products', id]),
      ),
    );
  }

  /**
   * Returns the id under which a school's record is stored if another school has a record with the same id.
   */
  standInId(collection: CollectionName, id: string, { school }: Asker): string {
    return this.#random.hex(24, 'stand-in', collection, school.id, id);
  }

  /** Returns the product that a record refers to, with its children. */
  namedBy(record: object, asker: Asker): readonly Found[] {
    if (!('productId' in record) || typeof record.productId !== 'string') return [];
    const product = this.record('products', record.productId, asker);
    return [
      ['products', product],
      ...this.childrenOf('assignments', product, asker).map((one) => ['assignments', one] as const),
    ];
  }

  /** Returns the references of a record, and fields that make it usable for every operation. */
  #named(collection: Nameable, id: string): object {
    if (collection === 'courseItems')
      return { productId: this.#author.idOf('products', `of ${id}`), type: 'Quiz' };
    if (collection === 'coupons') return { productId: this.#author.idOf('products', `of ${id}`) };
    if (collection !== 'liveEventSessions') return {};
    const times = {
      // By day in each time zone of the demo data.
      scheduledStartAtIso: 'today 16:00 UTC -P7D',
      scheduledDurationInSecs: 5400,
      endsAtIso: 'today 17:34 UTC -P7D',
    };
    return {
      liveEventId: this.#author.idOf('liveEvents', `of ${id}`),
      ...times,
      recordedSources: ['camera', 'screen'],
    };
  }

  /** `about` determines the topic of the record. */
  #write<N extends Nameable | ChildOfProduct>(
    collection: N,
    name: string,
    { school, beginning }: Asker,
    given: object,
    about: readonly [CollectionName, string] = [collection, name],
  ): Records[N] {
    const number = Math.floor(this.#random.fraction('made up', ...about) * 10);
    // The given fields all belong to the collection's records.
    const all = { schoolId: school.id, ...given } as Partial<Records[N]>;
    return deepFreeze(anchored(this.#author.write(collection, name, { school, number }, all), beginning));
  }

  #fromCache<T extends object>(
    collection: string,
    id: string,
    { school, beginning }: Asker,
    create: () => T,
  ): T {
    if (id.length > maxCachedIdLength) return create();
    const key = JSON.stringify([collection, school.id, beginning, id]);
    const known = this.#cached.get(key);
    // Only `create` for the same collection sets this key.
    if (known !== undefined) return known as T;
    const fresh = create();
    this.#cached.set(key, fresh);
    return fresh;
  }
}
