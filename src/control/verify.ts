import type { components } from '../contract/generated/control.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { callInWords, callsInWords, idsOf, type Range } from './expectation-words.ts';
import { expectation, fits, type Expectation, type ExpectedCall } from './misfits.ts';
import { NearestMissSearch, findNearestMisses } from './nearest-miss.ts';
import { sentCall, type SentCall, type SentEntry } from './sent-call.ts';

type Schemas = components['schemas'];
type Expectations = Schemas['Expectations'];
type Verdict = Schemas['Verdict'];

/** Compares the expectations with the calls, newest last. Only one body is parsed at a time. */
export function* judging(
  entries: readonly SentEntry[],
  { counts = [], sequence = [], nothingElse = false }: Expectations,
): SlicedWork<Omit<Verdict, 'evicted'>> {
  const calls = new SentCalls(entries);
  const wished = yield* calls.findFits([...counts, ...sequence]);
  const judgedCounts: Judged<Verdict['counts'][number]>[] = [];
  for (const [place, expected] of counts.entries()) {
    const wish = wished[place];
    if (wish !== undefined) judgedCounts.push(yield* judgeCount(calls, expected, wish));
  }
  const judgedSequence = yield* judgeSequence(calls, wished.slice(counts.length));
  const searches = [...judgedCounts, ...judgedSequence].flatMap(({ search }) => search ?? []);
  yield* findNearestMisses(entries, searches);
  const others = nothingElse ? { others: calls.judgeOthers(wished) } : {};
  const verdict = { counts: judgedCounts.map(verdictOf), sequence: judgedSequence.map(verdictOf), ...others };
  const all = [...verdict.counts, ...verdict.sequence, verdict.others ?? { holds: true }];
  return { holds: all.every(({ holds }) => holds), ...verdict };
}

/** The verdict on an expectation, and the search for its nearest miss if it does not hold. */
interface Judged<V> {
  readonly verdict: V;
  readonly search: NearestMissSearch | null;
}

function verdictOf<V>({ verdict, search }: Judged<V>): V {
  return { ...verdict, ...search?.found };
}

/** An expectation and the calls that match it. */
interface Wish {
  readonly expectation: Expectation;
  /** By the index of the call: 1 if it matches. */
  readonly fitting: Uint8Array;
}

/** Maximum number of operations that a message names. */
const maxNames = 5;

/** The calls of a client by index, oldest first. */
class SentCalls {
  readonly entries: readonly SentEntry[];

  constructor(entries: readonly SentEntry[]) {
    this.entries = entries;
  }

  /** Compares every call with every expectation, one call after the other. */
  *findFits(expected: readonly ExpectedCall[]): SlicedWork<readonly Wish[]> {
    const wishes = expected.map((one) => ({
      expectation: expectation(one),
      fitting: new Uint8Array(this.entries.length),
    }));
    for (const [place, entry] of this.entries.entries()) {
      const call = sentCall(entry);
      for (const wish of wishes) {
        if (fits(call, wish.expectation)) wish.fitting[place] = 1;
        yield;
      }
    }
    return wishes;
  }

  /** Judges the calls that match no expectation. A person who uses a page of the sandbox is not the client. */
  judgeOthers(wishes: readonly Wish[]): NonNullable<Verdict['others']> {
    const others = this.entries.filter(
      ({ page }, place) => page === null && wishes.every(({ fitting }) => fitting[place] !== 1),
    );
    const found = others.length;
    const names = [...new Set(others.map(({ operation }) => operation))].slice(0, maxNames).join(', ');
    const message =
      found === 0
        ? 'Expected no other calls, found none.'
        : `Expected no other calls, found ${found} (${names}): ${idsOf(others)}.`;
    return { holds: found === 0, found, message };
  }

  /** Returns the calls that match and are not taken. */
  fittingOf({ fitting }: Wish, isTaken: (place: number) => boolean = () => false): readonly SentEntry[] {
    return this.entries.filter((_, place) => fitting[place] === 1 && !isTaken(place));
  }
}

function* judgeCount(
  calls: SentCalls,
  expected: Schemas['ExpectedCount'],
  wish: Wish,
): SlicedWork<Judged<Verdict['counts'][number]>> {
  yield;
  const fitting = calls.fittingOf(wish);
  const found = fitting.length;
  const range = rangeOf(expected);
  const wanted = `Expected ${callsInWords(range, expected)}, found`;
  if (found > range.most)
    return {
      verdict: { holds: false, found, message: `${wanted} ${found}: ${idsOf(fitting)}.` },
      search: null,
    };
  const verdict = {
    holds: found >= range.least,
    found,
    message: `${wanted} ${found === 0 ? 'none' : found}.`,
  };
  if (verdict.holds) return { verdict, search: null };
  const isExcluded = (place: number): boolean => wish.fitting[place] === 1;
  return { verdict, search: yield* NearestMissSearch.prepare(calls.entries, wish.expectation, isExcluded) };
}

/** Combines the bounds; the default is at least one call. */
function rangeOf({ times, atLeast, atMost }: Schemas['ExpectedCount']): Range {
  const standard = times === undefined && atMost === undefined ? 1 : 0;
  return {
    least: Math.max(times ?? 0, atLeast ?? standard),
    most: Math.min(times ?? Infinity, atMost ?? Infinity),
  };
}

function* judgeSequence(
  calls: SentCalls,
  wishes: readonly Wish[],
): SlicedWork<readonly Judged<Verdict['sequence'][number]>[]> {
  const found = yield* follow(wishes);
  const taken = new Set(found);
  const judged: Judged<Verdict['sequence'][number]>[] = [];
  let previous: SentEntry | undefined;
  for (const [index, wish] of wishes.entries()) {
    const place = found[index] ?? null;
    const entry = place === null ? undefined : calls.entries[place];
    const after = previous === undefined ? '' : ` after ${previous.requestId}`;
    const wanted = `Expected ${callInWords(wish.expectation.expected)}${after}, found`;
    if (entry === undefined) judged.push(yield* judgeMissing(calls, wish, wanted, taken));
    else {
      const { requestId } = entry;
      judged.push({ verdict: { holds: true, requestId, message: `${wanted} ${requestId}.` }, search: null });
    }
    previous = entry ?? previous;
    yield;
  }
  return judged;
}

function* judgeMissing(
  calls: SentCalls,
  wish: Wish,
  wanted: string,
  taken: ReadonlySet<number | null>,
): SlicedWork<Judged<Verdict['sequence'][number]>> {
  // These calls match but are before the previous one; a later match would have been found.
  const early = calls.fittingOf(wish, (place) => taken.has(place));
  const hint = early.length === 0 ? '' : `; too early for it: ${idsOf(early)}`;
  const isExcluded = (place: number): boolean => taken.has(place) || wish.fitting[place] === 1;
  const search = yield* NearestMissSearch.prepare(calls.entries, wish.expectation, isExcluded);
  return { verdict: { holds: false, requestId: null, message: `${wanted} none${hint}.` }, search };
}

/**
 * Returns, for each expected call, the first match after the previous one: if any choice satisfies the
 * sequence, this one does.
 */
function* follow(sequence: readonly Wish[]): SlicedWork<readonly (number | null)[]> {
  const found: (number | null)[] = [];
  let next = 0;
  for (const { fitting } of sequence) {
    const place = fitting.indexOf(1, next);
    if (place >= 0) next = place + 1;
    found.push(place < 0 ? null : place);
    yield;
  }
  return found;
}

/**
 * Tracks expectations while a request waits: each new call is checked once. It ignores that calls may have
 * left the journal; the final verdict checks all calls again.
 */
export class Progress {
  readonly #counts: readonly { readonly wish: Expectation; readonly range: Range; found: number }[];
  readonly #sequence: readonly Expectation[];
  #next = 0;

  constructor({ counts = [], sequence = [] }: Expectations) {
    this.#counts = counts.map((expected) => ({
      wish: expectation(expected),
      range: rangeOf(expected),
      found: 0,
    }));
    this.#sequence = sequence.map(expectation);
  }

  get holds(): boolean {
    return (
      this.#next >= this.#sequence.length &&
      this.#counts.every(({ range, found }) => found >= range.least && found <= range.most)
    );
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
