import type { components } from '../contract/generated/control.ts';
import { sizeOf } from '../base/json-size.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { inVerdict, misfits, type Expectation, type Misfit } from './misfits.ts';
import { sentCall, type SentCall, type SentEntry } from './sent-call.ts';

type NearestMiss = components['schemas']['NearestMiss'];
type Difference = NearestMiss['differences'][number];

/** Elements and differences that one request may compare while searching nearest misses. */
const maxCompared = 2_000_000;

/**
 * Values and characters of bodies and pointers that one verdict may show. They stay in memory until the response is
 * sent. Beyond it, each nearest miss still shows its first difference.
 */
const maxShown = 200_000;

/** The maximum number of differences that one nearest miss lists. */
const maxListed = 200;

/** The characters of a difference in JSON, in addition to its pointer and its values. */
const frameChars = 30;

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
    const listed: Misfit[] = [];
    let found = 0;
    let far = 0;
    for (const misfit of misfits(call, this.#expectation, this.#least)) {
      budget.compared -= 1;
      if (misfit === undefined) yield;
      else {
        if (found < maxListed) listed.push(misfit);
        found += 1;
        far += misfit.weight;
        if (found % 256 === 0) yield;
      }
      if (far >= this.#least) return;
    }
    budget.shown += this.#shown;
    const before = budget.shown;
    const differences: Difference[] = [];
    for (const misfit of listed) {
      if (differences.length > 0 && budget.shown <= 0) break;
      differences.push(showing(misfit, budget));
      yield;
    }
    this.#shown = before - budget.shown;
    const unlisted = found - differences.length;
    this.#nearest = {
      requestId: call.entry.requestId,
      differences,
      ...(unlisted === 0 ? {} : { unlisted }),
    };
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

/** Returns the difference for a verdict; a value that is too large is replaced by a description. */
function showing({ at: place, expected, actual }: Misfit, budget: Budget): Difference {
  const { at, steps } = inVerdict(place);
  budget.compared -= steps;
  budget.shown -= at.length + frameChars;
  if (typeof actual !== 'string' && (typeof actual !== 'object' || actual === null))
    return { at, expected, actual };
  const { values, characters } = sizeOf(actual, { values: budget.shown, characters: budget.shown });
  budget.compared -= values;
  if (values + characters > budget.shown)
    return { at, expected, actual: `${inWords(actual)} It is too large to be shown in this verdict.` };
  budget.shown -= values + characters;
  return { at, expected, actual };
}

function inWords(actual: string | object): string {
  if (typeof actual === 'string') return `A string of ${actual.length} characters.`;
  return Array.isArray(actual)
    ? `A list of ${actual.length} members.`
    : `An object of ${Object.keys(actual).length} fields.`;
}
