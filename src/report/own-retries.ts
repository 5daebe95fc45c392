import type { SlicedWork } from '../base/sliced-work.ts';
import { mayPass, type Attempt } from './attempt.ts';
import { waited } from './calls.ts';
import type { FollowUps } from './follow-ups.ts';
import type { Pace } from './pace.ts';

/**
 * A client that waits slightly longer than Retry-After says comes within this time. A queue of jobs may come
 * later, but a later call of a client that sends one at a time is the next use of the record.
 */
const latestMs = { ofQueue: 30_000, ofOthers: 2000 };

/** A call that was told to wait, and the next one with one of its elements. */
export interface Told {
  readonly asked: Attempt;
  readonly next: Attempt;
  /** How long it had to wait at least, in milliseconds. */
  readonly toWait: number;
  readonly isEarly: boolean;
}

/**
 * Finds, for each call that was told to wait, a later call that came in time and belongs to no other one:
 * several workers may send the same request, and wait each for its own response. If there are too few, those
 * that were followed early have none.
 */
export class OwnRetries {
  readonly #followUps: FollowUps;
  readonly #mayBeParallel: Pace['mayBeParallel'];
  readonly #retryOf = new Map<Attempt, Attempt>();
  readonly #taken = new Set<Attempt>();
  /** For each element: the place after a call that is taken, where the search goes on. */
  readonly #further = new Map<number, Map<number, number>>();

  private constructor(followUps: FollowUps, mayBeParallel: Pace['mayBeParallel']) {
    this.#followUps = followUps;
    this.#mayBeParallel = mayBeParallel;
  }

  static *find(all: readonly Told[], followUps: FollowUps, { mayBeParallel }: Pace): SlicedWork<OwnRetries> {
    const found = new OwnRetries(followUps, mayBeParallel);
    const inOrder = [...all.filter(({ isEarly }) => !isEarly), ...all.filter(({ isEarly }) => isEarly)];
    for (const told of inOrder) {
      yield;
      const retry = found.#firstFree(told);
      if (retry === undefined) continue;
      found.#retryOf.set(told.asked, retry);
      found.#taken.add(retry);
    }
    return found;
  }

  has(asked: Attempt): boolean {
    return this.#retryOf.has(asked);
  }

  /**
   * Returns the calls that were not the last try of any worker, if each worker tries `tries` times before it gives
   * up: too few failed calls with their elements came before. Some of these may have failed without Retry-After. `early`
   * are followed early, and have no retry.
   */
  withoutLastTries(early: readonly Attempt[], tries: number): ReadonlySet<Attempt> {
    const certain = new Set<Attempt>();
    const ends = new Set(early);
    for (const key of new Set(early.flatMap(({ keys }) => [...keys]))) {
      let before = 0;
      let needed = 0;
      for (const call of this.#followUps.callsWith(key)) {
        if (ends.has(call)) {
          needed += tries - 1;
          if (before < needed) certain.add(call);
        } else if (mayPass(call) && (call.toWait === null || this.has(call))) before += 1;
      }
    }
    return certain;
  }

  #firstFree(told: Told): Attempt | undefined {
    let first: Attempt | undefined;
    for (const key of told.asked.keys) {
      const one = this.#firstFreeWith(key, told);
      if (one !== undefined && (first === undefined || one.number < first.number)) first = one;
    }
    return first;
  }

  #firstFreeWith(key: number, { asked, toWait }: Told): Attempt | undefined {
    const calls = this.#followUps.callsWith(key);
    const further = this.#further.get(key) ?? new Map<number, number>();
    this.#further.set(key, further);
    const start = firstPlace(calls, (call) => call.number > asked.number && waited(asked, call) >= toWait);
    const passed: number[] = [];
    let place = start;
    for (let call = calls[place]; call !== undefined && this.#taken.has(call); call = calls[place]) {
      passed.push(place);
      place = further.get(place) ?? place + 1;
    }
    for (const one of passed) further.set(one, place);
    const free = calls[place];
    const late = this.#mayBeParallel.has(asked.client) ? latestMs.ofQueue : latestMs.ofOthers;
    return free !== undefined && waited(asked, free) <= toWait + late ? free : undefined;
  }
}

/** Returns the first place from which on all calls fit. */
function firstPlace(calls: readonly Attempt[], fits: (call: Attempt) => boolean): number {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const call = calls[middle];
    if (call !== undefined && fits(call)) high = middle;
    else low = middle + 1;
  }
  return low;
}
