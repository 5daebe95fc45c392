/** Work that may be interrupted at each `yield`. */
export type SlicedWork<T> = Generator<undefined, T, void>;

/** Returns a known value, or does the sliced work that produces it. */
export function* outcomeOf<T extends object>(known: T | SlicedWork<T>): SlicedWork<T> {
  return Symbol.iterator in known && 'next' in known ? yield* known : known;
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
