/** Work that may be interrupted at each `yield`. */
export type SlicedWork<T> = Generator<undefined, T, void>;

/** A result, or the sliced work that produces it. Short work needs no generator, which costs time and memory. */
export type MaybeSliced<T extends object> = T | SlicedWork<T>;

/** Returns whether a result must still be produced. */
export function isSliced<T extends object>(result: MaybeSliced<T>): result is SlicedWork<T> {
  return 'next' in result && Symbol.iterator in result;
}

/** Ends work whose result nobody needs; its `finally` blocks run. */
export function cancel(work: SlicedWork<unknown>): void {
  // The result is not used.
  work.return(undefined);
}

/** Does sliced work without interruption. */
export function withoutPause<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The number of members after which a filter may be interrupted. */
const membersPerSlice = 1000;

/** Returns the members of a long list that match. */
export function* filtered<T>(members: readonly T[], fits: (member: T) => boolean): SlicedWork<readonly T[]> {
  const found: T[] = [];
  for (const [number, member] of members.entries()) {
    if (number % membersPerSlice === membersPerSlice - 1) yield;
    if (fits(member)) found.push(member);
  }
  return found;
}
