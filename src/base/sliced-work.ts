/** Work that may be interrupted at each `yield`. */
export type SlicedWork<T> = Generator<undefined, T, void>;

/** What is known at once, or what sliced work gives. */
export function* outcomeOf<T extends object>(known: T | SlicedWork<T>): SlicedWork<T> {
  return Symbol.iterator in known && 'next' in known ? yield* known : known;
}

/** Does sliced work at once, without a pause. */
export function withoutPause<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
