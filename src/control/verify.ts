import type { components } from '../contract/generated/control.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { callInWords, callsInWords, idsOf, type Range } from './expectation-words.ts';
import { expectation, fits, type Expectation, type ExpectedCall } from './misfits.ts';
import { findingNearestMiss, type SearchBudget } from './nearest-miss.ts';
import type { SentCall } from './sent-call.ts';

type Schemas = components['schemas'];
type Expectations = Schemas['Expectations'];
type Verdict = Schemas['Verdict'];

/** Holds what was expected of a client against what it sent, newest last. */
export function* judging(calls: readonly SentCall[], { counts = [], sequence = [] }: Expectations): SlicedWork<Omit<Verdict, 'evicted'>> {
  const budget = { left: mostCompared };
  const judgedCounts: Verdict['counts'][number][] = [];
  for (const expected of counts) judgedCounts.push(yield* judgingCount(calls, expected, budget));
  const judged = { counts: judgedCounts, sequence: yield* judgingSequence(calls, sequence, budget) };
  return { holds: [...judged.counts, ...judged.sequence].every(({ holds }) => holds), ...judged };
}

/** Elements and differences that are compared in search of the nearest misses of one request. */
const mostCompared = 2_000_000;

function* judgingCount(
  calls: readonly SentCall[],
  expected: Schemas['ExpectedCount'],
  budget: SearchBudget,
): SlicedWork<Verdict['counts'][number]> {
  const wish = expectation(expected);
  const fitting = yield* findingFits(calls, wish);
  const found = fitting.length;
  const range = rangeOf(expected);
  const wanted = `Expected ${callsInWords(range, expected)}, found`;
  if (found > range.most) return { holds: false, found, message: `${wanted} ${found}: ${idsOf(fitting)}.` };
  const message = `${wanted} ${found === 0 ? 'none' : found}.`;
  return found < range.least
    ? { holds: false, found, message, ...(yield* findingNearestMiss(without(calls, fitting), wish, budget)) }
    : { holds: true, found, message };
}

function* findingFits(calls: readonly SentCall[], wish: Expectation): SlicedWork<readonly SentCall[]> {
  const fitting: SentCall[] = [];
  for (const call of calls) {
    if (fits(call, wish)) fitting.push(call);
    yield;
  }
  return fitting;
}

/** All that is said must hold; where nothing is, one call is enough. */
function rangeOf({ times, atLeast, atMost }: Schemas['ExpectedCount']): Range {
  const standard = times === undefined && atMost === undefined ? 1 : 0;
  return { least: Math.max(times ?? 0, atLeast ?? standard), most: Math.min(times ?? Infinity, atMost ?? Infinity) };
}

function* judgingSequence(
  calls: readonly SentCall[],
  sequence: readonly ExpectedCall[],
  budget: SearchBudget,
): SlicedWork<Verdict['sequence']> {
  const wishes = sequence.map(expectation);
  const found = yield* following(calls, wishes);
  const free = without(calls, found);
  const judged: Verdict['sequence'][number][] = [];
  let previous: SentCall | undefined;
  for (const [place, wish] of wishes.entries()) {
    const call = found[place];
    const after = previous === undefined ? '' : ` after ${previous.entry.requestId}`;
    const wanted = `Expected ${callInWords(wish.expected)}${after}, found`;
    if (call === undefined) judged.push(yield* judgingMissing(free, wish, wanted, budget));
    else judged.push({ holds: true, requestId: call.entry.requestId, message: `${wanted} ${call.entry.requestId}.` });
    previous = call ?? previous;
  }
  return judged;
}

function* judgingMissing(
  free: readonly SentCall[],
  wish: Expectation,
  wanted: string,
  budget: SearchBudget,
): SlicedWork<Verdict['sequence'][number]> {
  // Had one of these come later, it would have been found.
  const early = yield* findingFits(free, wish);
  const hint = early.length === 0 ? '' : `; too early for it: ${idsOf(early)}`;
  const nearest = yield* findingNearestMiss(without(free, early), wish, budget);
  return { holds: false, requestId: null, message: `${wanted} none${hint}.`, ...nearest };
}

/** For each expected call the first one that fits behind those found before: if any choice finds all of them, this one does. */
function* following(calls: readonly SentCall[], sequence: readonly Expectation[]): SlicedWork<readonly (SentCall | undefined)[]> {
  const found: (SentCall | undefined)[] = [];
  let next = 0;
  for (const wish of sequence) {
    const place = yield* findingPlace(calls, wish, next);
    if (place !== null) next = place + 1;
    found.push(place === null ? undefined : calls[place]);
  }
  return found;
}

/** The first call from a place on that fits. */
function* findingPlace(calls: readonly SentCall[], wish: Expectation, from: number): SlicedWork<number | null> {
  for (let place = from; place < calls.length; place += 1) {
    const call = calls[place];
    if (call !== undefined && fits(call, wish)) return place;
    yield;
  }
  return null;
}

function without(calls: readonly SentCall[], some: readonly (SentCall | undefined)[]): readonly SentCall[] {
  const left = new Set(some);
  return calls.filter((call) => !left.has(call));
}

/**
 * How far calls have come towards expectations, for those who wait: each call is looked at once, when it is new. What it says of calls that
 * have left the journal since is no longer so; the verdict looks at all again.
 */
export class Progress {
  readonly #counts: readonly { readonly wish: Expectation; readonly range: Range; found: number }[];
  readonly #sequence: readonly Expectation[];
  #next = 0;

  constructor({ counts = [], sequence = [] }: Expectations) {
    this.#counts = counts.map((expected) => ({ wish: expectation(expected), range: rangeOf(expected), found: 0 }));
    this.#sequence = sequence.map(expectation);
  }

  get holds(): boolean {
    return this.#next >= this.#sequence.length && this.#counts.every(({ range, found }) => found >= range.least && found <= range.most);
  }

  *taking(call: SentCall): SlicedWork<void> {
    for (const count of this.#counts) {
      if (fits(call, count.wish)) count.found += 1;
      yield;
    }
    const wish = this.#sequence[this.#next];
    if (wish !== undefined && fits(call, wish)) this.#next += 1;
    yield;
  }
}
