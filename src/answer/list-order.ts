import type { OptionOf } from '../assumptions.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { hashOf } from '../base/text-hash.ts';
import type { ListOrder, Sortable } from '../operations/shared/list-order.ts';
import { collectionNames, type Seed } from '../sandbox/seed.ts';
import type { CallContext } from './call-context.ts';

/**
 * Returns the order of lists in the reply; null for the order in which they are stored. Lists are sorted once:
 * the same list is returned until a record of it changes, so pages fit together.
 */
export function listOrderOf(context: CallContext): ListOrder | null {
  const { listOrder } = context.options;
  return listOrder === 'added' ? null : { of: (list) => sorted(list, listOrder, context) };
}

type OtherOrder = Exclude<OptionOf<'listOrder'>, 'added'>;

function* sorted<T extends Sortable>(
  list: readonly T[],
  order: OtherOrder,
  { assume, state }: CallContext,
): SlicedWork<readonly T[]> {
  if (list.length < 2) return list;
  assume('listOrder');
  if (order !== 'reversed' || state.seed.isRecorded !== true)
    return yield* state.remembered.of(list, sorts[order]<T>);
  // Cached, because the sorted list is cached by the function that sorts it.
  const sort = yield* state.remembered.of(state.seed, sortBesideRecorded);
  return yield* state.remembered.of(list, sort<T>);
}

type Sort = <T extends Sortable>(list: readonly T[]) => SlicedWork<readonly T[]>;

/**
 * Returns a sort that puts new records first, the newest one before the others, and keeps recorded ones in the order in
 * which the service listed them.
 */
// oxlint-disable-next-line require-yield
function* sortBesideRecorded({ collections }: Seed): SlicedWork<Sort> {
  const isRecorded = (member: Sortable): boolean =>
    typeof member !== 'string' && collectionNames.some((name) => collections[name].byId.has(member.id));
  return (list) => newestFirst(list, isRecorded);
}

function* newestFirst<T extends Sortable>(
  list: readonly T[],
  isRecorded: (member: Sortable) => boolean,
): SlicedWork<readonly T[]> {
  const added = yield* reversed(list.filter((member) => !isRecorded(member)));
  return [...added, ...list.filter(isRecorded)];
}

/** Sorts lists, by option. */
export const sorts = { reversed, shuffled } satisfies Record<
  OtherOrder,
  <T extends Sortable>(list: readonly T[]) => SlicedWork<readonly T[]>
>;

/** The number of members after which the work may be interrupted; it is much less work than sorting. */
const reversedAtOnce = 4096;

function* reversed<T extends Sortable>(list: readonly T[]): SlicedWork<readonly T[]> {
  const inOrder: T[] = [];
  for (let end = list.length; end > 0; end -= reversedAtOnce) {
    inOrder.push(...list.slice(Math.max(0, end - reversedAtOnce), end).toReversed());
    yield;
  }
  return inOrder;
}

/** A client can choose a long id. */
const maxHashedChars = 256;

/** The number of members after which the work may be interrupted. */
const sliceLength = 256;

/** Sorts by a hash of the id, so that a new record moves no other. */
function* shuffled<T extends Sortable>(list: readonly T[]): SlicedWork<readonly T[]> {
  const buckets: { readonly hash: number; readonly member: T }[][] = [];
  const count = Math.ceil(list.length / sliceLength);
  for (const [at, member] of list.entries()) {
    const id = typeof member === 'string' ? member : member.id;
    const hash = hashOf(id.slice(0, maxHashedChars)) / 2 ** 53;
    (buckets[Math.floor(hash * count)] ??= []).push({ hash, member });
    if (at % sliceLength === sliceLength - 1) yield;
  }
  const inOrder: T[] = [];
  for (let at = 0; at < count; at += 1) {
    const bucket = (buckets[at] ?? []).toSorted((one, other) => one.hash - other.hash);
    for (const { member } of bucket) inOrder.push(member);
    yield;
  }
  return inOrder;
}
