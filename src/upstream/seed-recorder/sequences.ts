import type { CollectionName } from '../../sandbox/seed.ts';

/** The members of one page of a list. */
export type NotedList = readonly [
  collection: CollectionName,
  list: string,
  page: number,
  ids: readonly string[],
];

/** The order of members in lists, by list and page; the newest response of each page counts. */
export class Sequences {
  readonly #lists = new Map<CollectionName, Map<string, Map<number, readonly string[]>>>();

  /** `list` names a list of the collection; `page` is 0 for lists without pages. */
  note(collection: CollectionName, list: string, page: number, ids: readonly string[]): void {
    const lists = this.#lists.get(collection) ?? new Map<string, Map<number, readonly string[]>>();
    lists.set(list, (lists.get(list) ?? new Map<number, readonly string[]>()).set(page, ids));
    this.#lists.set(collection, lists);
  }

  /** Yields every page of every list. */
  *lists(): Iterable<NotedList> {
    for (const [collection, lists] of this.#lists)
      for (const [list, pages] of lists) for (const [page, ids] of pages) yield [collection, list, page, ids];
  }

  /**
   * Returns the ids in an order that agrees with every list; if lists disagree or say nothing, in the given
   * order.
   */
  arrange(collection: CollectionName, ids: Iterable<string>): readonly string[] {
    const before = this.#predecessors(collection);
    const wanted = new Set(ids);
    const arranged: string[] = [];
    const state = new Map<string, 'open' | 'done'>();
    for (const id of wanted) {
      // Predecessors come first. Not recursive, because a list can be as long as a library.
      const stack = [id];
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const waiting: string[] = state.has(top)
          ? []
          : [...(before.get(top) ?? [])].filter((one) => !state.has(one));
        if (waiting.length > 0) stack.push(...waiting.toReversed());
        else stack.pop();
        if (state.get(top) !== 'done' && waiting.length === 0) {
          state.set(top, 'done');
          if (wanted.has(top)) arranged.push(top);
        } else if (!state.has(top)) state.set(top, 'open');
      }
    }
    return arranged;
  }

  #predecessors(collection: CollectionName): ReadonlyMap<string, ReadonlySet<string>> {
    const before = new Map<string, Set<string>>();
    for (const pages of this.#lists.get(collection)?.values() ?? []) {
      const ids = [...pages].toSorted(([one], [other]) => one - other).flatMap(([, members]) => members);
      for (const [at, id] of ids.entries()) {
        const earlier = ids[at - 1];
        if (earlier === undefined || earlier === id) continue;
        const known = before.get(id);
        if (known === undefined) before.set(id, new Set([earlier]));
        else known.add(earlier);
      }
    }
    return before;
  }
}
