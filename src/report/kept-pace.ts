import { greatest, middle } from '../base/extremes.ts';
import type { Attempt } from './attempt.ts';
import { between } from './calls.ts';
import { maxPatient, patientMs, stretchMs } from './limit-stretches.ts';
import { isOverLimit } from './limit-windows.ts';

/** A pace is kept if times are at most this many times as long as before. */
const alike = 1.25;

/** The fewest times that show a pace: before the first refusal, and after it. */
const fewest = { before: 5, after: 20 };

/** The same in words. */
export const keptFor = { calls: fewest.after, percent: Math.round((alike - 1) * 100) };

/** If a smaller share of the calls is refused, the operation is hardly throttled. */
const refusedShare = 0.5;

/** The calls of the minute after the first refusal, if most of them were refused. */
interface Throttled {
  readonly before: readonly Attempt[];
  readonly after: readonly Attempt[];
}

/** Returns the calls of an operation around its first refusal; null if few of the later ones were refused. */
export function throttledIn(own: readonly Attempt[]): Throttled | null {
  const place = own.findIndex(isOverLimit);
  const first = own[place];
  if (first === undefined) return null;
  const after = own.slice(place).filter((attempt) => between(first, attempt) < stretchMs);
  const refused = after.slice(1).filter(isOverLimit).length;
  const isMost = refused > maxPatient && refused >= refusedShare * (after.length - 1);
  return isMost ? { before: own.slice(0, place + 1), after } : null;
}

/**
 * Whether the client certainly did not wait because of the refusals: it never paused, and sent refused requests again
 * within a second, and as soon as successful ones.
 */
export function neverWaits({ before, after }: Throttled): boolean {
  const gaps = gapsOf(after);
  if (gaps.length < fewest.after || greatest(gaps) >= patientMs) return false;
  if (!isKept(gapsOf(before), gaps)) return false;
  const repeats = repeatsIn([...before.slice(0, -1), ...after]);
  const [ofOthers, ofRefused] = [false, true].map((isRefused) =>
    repeats.filter(({ asked }) => isOverLimit(asked) === isRefused).map(({ ms }) => ms),
  );
  if (ofOthers === undefined || ofRefused === undefined || ofRefused.length < fewest.before) return false;
  return (middle(ofRefused) ?? patientMs) < patientMs && isKept(ofOthers, ofRefused);
}

/** Whether the client hardly slowed down: each request may have waited, but all of them together did not. */
export function hardlySlows({ before, after }: Throttled): boolean {
  const [pace, next] = [gapsOf(before), gapsOf(after)];
  return pace.length < fewest.before ? (middle(next) ?? patientMs) < patientMs : isKept(pace, next);
}

/** Whether times are as long as before, if enough are known. */
function isKept(before: readonly number[], after: readonly number[]): boolean {
  const [usual, now] = [middle(before), middle(after)];
  if (usual === undefined || now === undefined || before.length < fewest.before) return false;
  return now <= alike * Math.max(1, usual);
}

function gapsOf(own: readonly Attempt[]): readonly number[] {
  return own.slice(1).map((next, index) => between(own[index] ?? next, next));
}

/** Returns the times from calls to the next ones with the same request. */
function repeatsIn(own: readonly Attempt[]): readonly { readonly asked: Attempt; readonly ms: number }[] {
  const last = new Map<string, Attempt>();
  return own.flatMap((attempt) => {
    const asked = last.get(attempt.request);
    last.set(attempt.request, attempt);
    return asked === undefined ? [] : [{ asked, ms: between(asked, attempt) }];
  });
}
