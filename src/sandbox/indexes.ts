import type { Records } from '../contract/generated/facts.ts';

/** Returns the keys of a record in an index. */
export type Keys<R> = (record: R) => readonly string[];

const bySchool = (record: { readonly schoolId: string }): readonly string[] => [record.schoolId];
const bySchools = (record: { readonly schoolIds: readonly string[] }): readonly string[] => record.schoolIds;

/** The indexes of each collection, in addition to the id. A collection without an entry has none. */
const indexes = {
  schools: { slug: (school: Records['schools']) => [school.slug] },
  products: { school: bySchool },
  courseItems: { school: bySchool },
  quizzes: { school: bySchool },
  assignments: { school: bySchool, product: (assignment: Records['assignments']) => [assignment.productId] },
  coupons: { school: bySchool },
  labs: { school: bySchool },
  users: { email: (user: Records['users']) => (user.email === undefined ? [] : [user.email.toLowerCase()]) },
  submissions: { school: bySchool },
  instructors: {
    school: bySchools,
    email: (instructor: Records['instructors']) => [instructor.email.toLowerCase()],
  },
  permissionPresets: { school: bySchool },
  videos: { school: bySchool },
  liveEvents: { school: bySchool },
  liveEventSessions: { event: (session: Records['liveEventSessions']) => [session.liveEventId] },
} as const satisfies { readonly [N in keyof Records]?: Readonly<Record<string, Keys<Records[N]>>> };

type Indexed = typeof indexes;

export type IndexName<N extends keyof Records> = N extends keyof Indexed ? keyof Indexed[N] & string : never;

/** The collections that are indexed by the product that their records belong to. */
export type ChildOfProduct = {
  [N in keyof Records]: 'product' extends IndexName<N> ? N : never;
}[keyof Records];

export function indexesOf<N extends keyof Records>(
  name: N,
): Readonly<Record<IndexName<N>, Keys<Records[N]>>> {
  const entries: Partial<Record<keyof Records, object>> = indexes;
  // `satisfies` has checked each entry; TypeScript cannot apply that to a generic index.
  return (entries[name] ?? {}) as Readonly<Record<IndexName<N>, Keys<Records[N]>>>;
}

const none: readonly never[] = Object.freeze([]);

/** Lists of records by key, in their original order; the lists are frozen. */
export class Index<R> {
  readonly #lists = new Map<string, R[]>();

  constructor(records: Iterable<R>, keys: Keys<R>) {
    for (const record of records) {
      for (const key of keys(record)) {
        const list = this.#lists.get(key);
        if (list === undefined) this.#lists.set(key, [record]);
        else list.push(record);
      }
    }
    for (const list of this.#lists.values()) Object.freeze(list);
  }

  get(key: string): readonly R[] {
    return this.#lists.get(key) ?? none;
  }
}
