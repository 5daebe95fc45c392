import type { components } from '../contract/generated/control.ts';
import { sizeOf } from '../base/json-size.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { misfits, type Difference, type Expectation } from './misfits.ts';
import { sentCall, type SentCall, type SentEntry } from './sent-call.ts';

type NearestMiss = components['schemas']['NearestMiss'];

/** Elements and differences that one request may compare while searching nearest misses. */
const maxCompared = 2_000_000;

/**
 * Values and characters of bodies that one verdict may show. They stay in memory until the response is sent.
 */
const maxShown = 200_000;

/** The remaining work and output of one request. */
interface Budget {
  compared: number;
  shown: number;
}

/** The search for the nearest miss of one expectation. */
export class NearestMissSearch {
  readonly #expectation: Expectation;
  /** By the index of the call: whether it may be the nearest miss. */
  readonly #isCandidate: Uint8Array;
  #nearest: NearestMiss | null = null;
  #least = Infinity;
  #shown = 0;

  private constructor(expectation: Expectation, isCandidate: Uint8Array) {
    this.#expectation = expectation;
    this.#isCandidate = isCandidate;
  }

  /**
   * Prepares a search among the calls that are not excluded; only calls of the expected operation, if there
   * are any.
   */
  static *prepare(
    entries: readonly SentEntry[],
    expectation: Expectation,
    isExcluded: (place: number) => boolean,
  ): SlicedWork<NearestMissSearch> {
    const { operation } = expectation.expected;
    const isCandidate = new Uint8Array(entries.length);
    const isSameOperation = new Uint8Array(entries.length);
    let areSame = false;
    for (const [place, entry] of entries.entries()) {
      yield;
      if (isExcluded(place)) continue;
      isCandidate[place] = 1;
      if (entry.operation !== operation) continue;
      isSameOperation[place] = 1;
      areSame = true;
    }
    return new NearestMissSearch(expectation, areSame ? isSameOperation : isCandidate);
  }

  /** The result in the format of a verdict; empty if there was no candidate. */
  get found(): { readonly nearest?: NearestMiss } {
    return this.#nearest === null ? {} : { nearest: this.#nearest };
  }

  /** Compares the call at an index, if it is a candidate. The first of equally near calls wins. */
  *compare(place: number, call: SentCall, budget: Budget): SlicedWork<void> {
    if (this.#isCandidate[place] !== 1) return;
    const differences: Difference[] = [];
    let far = 0;
    for (const misfit of misfits(call, this.#expectation, this.#least)) {
      budget.compared -= 1;
      if (misfit === undefined) yield;
      else {
        differences.push(misfit.difference);
        far += misfit.weight;
        if (differences.length % 256 === 0) yield;
      }
      if (far >= this.#least) return;
    }
    budget.shown += this.#shown;
    const before = budget.shown;
    const shown: Difference[] = [];
    for (const difference of differences) {
      shown.push(showing(difference, budget));
      yield;
    }
    this.#shown = before - budget.shown;
    this.#nearest = { requestId: call.entry.requestId, differences: shown };
    this.#least = far;
  }
}

/**
 * Finds the call with the fewest differences for each search, and the newest of equal ones. Reads each body
 * once for all searches. When the budget is used up, each search ends with its best result so far, so that
 * other requests do not wait too long.
 */
export function* findNearestMisses(
  entries: readonly SentEntry[],
  searches: readonly NearestMissSearch[],
): SlicedWork<void> {
  const budget = { compared: maxCompared, shown: maxShown };
  for (let place = entries.length - 1; place >= 0; place -= 1) {
    const entry = entries[place];
    if (entry === undefined) continue;
    const call = sentCall(entry);
    for (const search of searches) {
      if (budget.compared <= 0) return;
      yield* search.compare(place, call, budget);
      yield;
    }
  }
}

/** Returns the difference; a value that is too large is replaced by a description. */
function showing(difference: Difference, budget: Budget): Difference {
  const { actual } = difference;
  if (typeof actual !== 'string' && (typeof actual !== 'object' || actual === null)) return difference;
  const { values, characters } = sizeOf(actual, { values: budget.shown, characters: budget.shown });
  budget.compared -= values;
  if (values + characters > budget.shown)
    return { ...difference, actual: `${inWords(actual)} It is too large to be shown in this verdict.` };
  budget.shown -= values + characters;
  return difference;
}

function inWords(actual: string | object): string {
  if (typeof actual === 'string') return `A string of ${actual.length} characters.`;
  return Array.isArray(actual)
    ? `A list of ${actual.length} members.`
    : `An object of ${Object.keys(actual).length} fields.`;
}
