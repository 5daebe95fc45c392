import type { SlicedWork } from '../base/sliced-work.ts';
import { mayPass, type Attempt } from './attempt.ts';
import { greatest, least } from '../base/extremes.ts';
import { groupBy } from '../base/group-by.ts';
import { firstSince } from './first-since.ts';
import { expectedFailures } from './expected-failures.ts';

/** The tries of one request in their order, up to the first success. */
export type Series = readonly Attempt[];

/** The calls of all clients in the order of arrival. */
export interface Calls {
  readonly attempts: readonly Attempt[];
  /** The requests that are not calls of an operation. */
  readonly unmatched: readonly Attempt[];
  /** The calls for which this server had no room, which says nothing about the service: as if they had not been sent. */
  readonly busy: readonly Attempt[];
  /** The same calls, grouped by client and operation. */
  readonly byOperation: readonly (readonly Attempt[])[];
  readonly series: readonly Series[];
  /** Whether a test may have armed and expected the failure of a call (expected-failures.ts). */
  readonly mayBeExpected: (attempt: Attempt) => boolean;
  /** Whether a call came at its usual time, as opposed to a retry. */
  readonly isScheduled: (step: Step) => boolean;
  /**
   * Whether all calls of a request failed, came at equal intervals or equally long after the responses, and did not
   * end before the others of the client: a page that refreshes itself looks the same as retries without end.
   */
  readonly mayBePolled: (attempt: Attempt) => boolean;
  /** Whether a request came many times at equal intervals, as from a page that refreshes itself. */
  readonly isRegular: (attempt: Attempt) => boolean;
  /** Whether a request came as long after the same one, or its response, as it does when nothing fails. */
  readonly isUsual: (before: Attempt, next: Attempt) => boolean;
}

/**
 * Real time after which the same request counts as a new one, in milliseconds. Checks of series
 * therefore never see a longer wait in real time, only on the sandbox's clock.
 */
const longestPause = 600_000;

/** Groups calls that are in the order of arrival. */
export function* callsOf(
  attempts: readonly Attempt[],
  { unmatched, busy }: Pick<Calls, 'unmatched' | 'busy'>,
): SlicedWork<Calls> {
  const byOperation = [...groupBy(attempts, ({ client, entry }) => `${client} ${entry.operation}`).values()];
  const series = yield* findSeries(attempts);
  const expected = yield* expectedFailures(attempts);
  const mayBeExpected = (attempt: Attempt): boolean => expected.has(attempt);
  return { attempts, unmatched, busy, byOperation, series, mayBeExpected, ...schedules(attempts) };
}

/** A request that follows so long after a failure does not retry it: it comes at its usual time. */
const scheduleMs = 30_000;

/** Shorter intervals are too short for a schedule. */
const shortestIntervalMs = 1000;

/** Two intervals are equal if they are in the same or in neighboring ranges, whose ends differ by this share. */
const rangeShare = 0.1;

/** Learns at which intervals a client sends a request when nothing fails, such as a page that refreshes itself. */
function schedules(
  attempts: readonly Attempt[],
): Pick<Calls, 'isScheduled' | 'isUsual' | 'isRegular' | 'mayBePolled'> {
  const isAfterOk = intervalsAfter(attempts, ({ ending }) => ending === 'ok');
  const isAfterOther = intervalsAfter(attempts, (before) => !mayPass(before));
  const byRequest = groupBy(attempts, ({ request }) => request);
  const polled = polledRequests(attempts, byRequest);
  const regular = new Map<string, boolean>();
  return {
    isRegular: ({ request }) => {
      const own = byRequest.get(request) ?? [];
      if (own.length < fewestRegular) return false;
      const known = regular.get(request) ?? areAtEqualIntervals(own);
      regular.set(request, known);
      return known;
    },
    mayBePolled: ({ request }) => polled.has(request),
    isUsual: isAfterOk,
    isScheduled: ({ before, next, pause }) =>
      pause >= scheduleMs || (between(before, next) >= shortestIntervalMs && isAfterOther(before, next)),
  };
}

/**
 * The fewest calls that show an interval, and the fewest that cannot be tries of one call, because most
 * clients try less often.
 */
const fewestPolls = 4;
const fewestRegular = 8;

function polledRequests(
  attempts: readonly Attempt[],
  all: ReadonlyMap<string, readonly Attempt[]>,
): ReadonlySet<string> {
  const lastOf = new Map(attempts.map((attempt) => [attempt.client, attempt]));
  const polled = [...all].filter(([, own]) => {
    const [last, end] = [own.at(-1), lastOf.get(own[0]?.client ?? '')];
    if (own.length < fewestPolls || last === undefined || end === undefined) return false;
    if (!own.every(mayPass)) return false;
    return areAtEqualIntervals(own) && between(last, end) <= greatest(intervalsOf(own, between));
  });
  return new Set(polled.map(([request]) => request));
}

/** Whether the calls come at equal intervals, or equally long after the responses: a page may wait for its data. */
function areAtEqualIntervals(own: readonly Attempt[]): boolean {
  return [between, waited].some((measure) => areEqual(intervalsOf(own, measure)));
}

function areEqual(intervals: readonly number[]): boolean {
  const [shortest, longest] = [least(intervals), greatest(intervals)];
  return shortest >= shortestIntervalMs && rangeOf(longest) - rangeOf(shortest) <= 1;
}

/** Returns milliseconds from one call to the next. */
type Measure = (before: Attempt, next: Attempt) => number;

function intervalsOf(own: readonly Attempt[], measure: Measure): readonly number[] {
  return own.slice(1).map((next, index) => measure(own[index] ?? next, next));
}

/** Returns whether a request has an interval that it also has after certain calls, or comes as long after the response. */
function intervalsAfter(attempts: readonly Attempt[], fits: (before: Attempt) => boolean): Calls['isUsual'] {
  const fromStart = rangesAfter(attempts, fits, between);
  const fromEnd = rangesAfter(attempts, fits, waited);
  return (before, next) =>
    fromStart(before, next) || (waited(before, next) >= shortestIntervalMs && fromEnd(before, next));
}

function rangesAfter(
  attempts: readonly Attempt[],
  fits: (before: Attempt) => boolean,
  measure: Measure,
): Calls['isUsual'] {
  const usual = new Map<string, Set<number>>();
  const last = new Map<string, Attempt>();
  for (const next of attempts) {
    const before = last.get(next.request);
    last.set(next.request, next);
    if (before === undefined || !fits(before)) continue;
    const ranges = usual.get(next.request) ?? new Set();
    usual.set(next.request, ranges.add(rangeOf(measure(before, next))));
  }
  return (before, next) => {
    const ranges = usual.get(next.request);
    const own = rangeOf(measure(before, next));
    return ranges !== undefined && [-1, 0, 1].some((neighbor) => ranges.has(own + neighbor));
  };
}

function rangeOf(interval: number): number {
  return Math.round(Math.log(Math.max(1, interval)) / Math.log(1 + rangeShare));
}

/** Returns the time between the starts of two calls in milliseconds, on the clock that shows the longer one. */
export function between(before: Attempt, next: Attempt): number {
  return Math.max(next.received - before.received, next.at - before.at);
}

/** Two consecutive tries. */
export interface Step {
  readonly before: Attempt;
  readonly next: Attempt;
  /** How long the client waited in between, in milliseconds. */
  readonly pause: number;
}

export function stepsOf(series: Series): readonly Step[] {
  return series.slice(1).flatMap((next, index) => {
    const before = series[index];
    return before === undefined ? [] : [{ before, next, pause: waited(before, next) }];
  });
}

/**
 * Returns the wait between a response and a call in milliseconds, on the clock that shows the longer one:
 * tests may move the sandbox's clock instead of waiting.
 */
export function waited(before: Attempt, next: Attempt): number {
  const real = next.received - before.replied;
  return Math.max(real, next.at - before.at - before.entry.durationMs);
}

/** Returns the first matching call after a response, among the next `most`. `calls` are the client's calls in order. */
export function firstAfter(
  attempt: Attempt,
  calls: readonly Attempt[],
  fits: (later: Attempt) => boolean = () => true,
  most = Infinity,
): Attempt | undefined {
  let seen = 0;
  for (
    let place = firstSince(calls, attempt.replied, ({ received }) => received);
    place < calls.length && seen < most;
    place += 1
  ) {
    const later = calls[place];
    // Calls in the same millisecond may have come before the response.
    if (later === undefined || later.number <= attempt.number) continue;
    seen += 1;
    if (fits(later)) return later;
  }
  return undefined;
}

/** Groups tries into series. A call that arrived before the other's response is not a repeat of it. */
function* findSeries(attempts: readonly Attempt[]): SlicedWork<readonly Series[]> {
  const all: Attempt[][] = [];
  const openByRequest = new Map<string, readonly Attempt[][]>();
  for (const attempt of attempts) {
    yield;
    const open = (openByRequest.get(attempt.request) ?? []).filter((series) => !isOver(series, attempt));
    let own = open.find((series) => isAnswered(series, attempt));
    if (own === undefined) all.push((own = []));
    own.push(attempt);
    const others = open.filter((series) => series !== own);
    openByRequest.set(attempt.request, attempt.ending === 'ok' ? others : [own, ...others]);
  }
  return all;
}

function isOver(series: Series, { received }: Attempt): boolean {
  return received - (series.at(-1)?.replied ?? 0) > longestPause;
}

function isAnswered(series: Series, { received }: Attempt): boolean {
  return (series.at(-1)?.replied ?? 0) <= received;
}
