import type { Attempt } from './attempt.ts';
import type { Step } from './calls.ts';

/** Requests that failed within this time of each other, and were sent again so, shared one pause. */
const togetherMs = 150;

type Run = readonly Step[];

/**
 * Returns one run of retries, the longest, of those that shared a pause, as the requests of one page do that are sent
 * again together: only different pauses are different trials.
 */
export function trialsOf(runs: readonly Run[]): readonly Run[] {
  const groups = new Groups(runs.length);
  const steps = runs.flatMap((run, place) => run.map((step) => ({ step, place })));
  for (const shared of sharedIn(steps)) {
    const [first] = shared;
    for (const { place } of shared) groups.join(first?.place ?? place, place);
  }
  const longest = new Map<number, Run>();
  for (const [place, run] of runs.entries()) {
    const known = longest.get(groups.of(place));
    if (known === undefined || run.length > known.length) longest.set(groups.of(place), run);
  }
  return [...longest.values()];
}

interface Member {
  readonly step: { readonly before: Attempt; readonly next: Attempt };
  readonly place: number;
}

/** Groups members that failed together and were sent again together, in real time and on the sandbox's clock. */
function sharedIn<M extends Member>(members: readonly M[]): readonly (readonly M[])[] {
  return within(members, ({ step }) => step.before.replied)
    .flatMap((some) => within(some, ({ step }) => step.next.received))
    .flatMap((some) => within(some, ({ step }) => step.before.at))
    .flatMap((some) => within(some, ({ step }) => step.next.at));
}

/** Groups members whose times are within a time of the first one of their group. */
function within<M extends Member>(
  members: readonly M[],
  timeOf: (member: M) => number,
): readonly (readonly M[])[] {
  const all: M[][] = [];
  let start = -Infinity;
  for (const member of members.toSorted((one, other) => timeOf(one) - timeOf(other))) {
    if (timeOf(member) - start > togetherMs) {
      start = timeOf(member);
      all.push([]);
    }
    all.at(-1)?.push(member);
  }
  return all;
}

/** Numbers that are joined to groups. */
class Groups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, place) => place);
  }

  of(place: number): number {
    let root = place;
    for (
      let parent = this.#parents[root];
      parent !== undefined && parent !== root;
      parent = this.#parents[root]
    )
      root = parent;
    // Shortens the way for the next time.
    this.#parents[place] = root;
    return root;
  }

  join(one: number, other: number): void {
    this.#parents[this.of(other)] = this.of(one);
  }
}
