import type { SlicedWork } from '../base/sliced-work.ts';
import type { Attempt } from './attempt.ts';
import { firstAfter } from './calls.ts';

/** The calls of a client and an operation that follow others with the same element. */
export class FollowUps {
  readonly #callsWith = new Map<number, Attempt[]>();

  private constructor() {}

  /** Prepares the search for what follows certain calls. `own` are all calls of the client and operation. */
  static *prepare(followed: readonly Attempt[], own: readonly Attempt[]): SlicedWork<FollowUps> {
    const found = new FollowUps();
    if (followed.length === 0) return found;
    for (const { keys } of followed) {
      for (const key of keys) found.#callsWith.set(key, []);
      yield;
    }
    for (const attempt of own) {
      for (const key of new Set(attempt.keys)) found.#callsWith.get(key)?.push(attempt);
      yield;
    }
    return found;
  }

  /** Returns the calls with an element that is followed, in the order of arrival. */
  callsWith(key: number): readonly Attempt[] {
    return this.#callsWith.get(key) ?? [];
  }

  /** Returns the first call after the response that has one of the elements again. */
  next(
    attempt: Attempt,
    keys: Iterable<number> = attempt.keys,
    fits: (later: Attempt) => boolean = () => true,
  ): Attempt | undefined {
    let next: Attempt | undefined;
    for (const key of keys) {
      const one = firstAfter(attempt, this.callsWith(key), fits);
      if (one !== undefined && (next === undefined || one.number < next.number)) next = one;
    }
    return next;
  }
}
