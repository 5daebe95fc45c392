import type { SlicedWork } from '../base/sliced-work.ts';
import { containing } from './journal-summary.ts';
import { outcomeOf, type JournalEntry, type StoredEntry } from './journal-entry.ts';

/** Selects entries of a journal. */
export interface JournalFilter {
  readonly operation?: string;
  readonly outcome?: string;
  readonly school?: string;
  readonly scope?: string;
  /** Only entries that contain this text, in any case: in their ids, URL, bodies, faults or assumptions. */
  readonly text?: string;
  /** Only entries after this request id, or from this time on (ISO 8601, the sandbox's time). */
  readonly since?: string;
  /** The maximum number of entries: the first after `since`, or without it the newest. */
  readonly limit?: number;
}

/** Entries of a journal, newest last. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** The number of entries evicted since the journal was last cleared. */
  readonly evicted: number;
  /** Whether more entries match the filter: newer ones with `since`, otherwise older ones. */
  readonly more: boolean;
}

/** The places of the entries that match a filter. */
interface MatchingPlaces {
  readonly places: readonly number[];
  /** As in a page. */
  readonly more: boolean;
}

/** The part of a journal that a filter reads. */
interface Filtered {
  readonly oldest: number;
  readonly next: number;
  at(place: number): StoredEntry | undefined;
  placeOf(requestId: string): number | undefined;
}

/** Returns the places of the entries on the page of a filter, oldest first. */
export function* placesOf(
  journal: Filtered,
  { operation, outcome, school, scope, text, since, limit = Infinity }: JournalFilter,
): SlicedWork<MatchingPlaces> {
  const hasText = text === undefined ? null : containing(text);
  const { from, moment } = startOf(journal, since);
  const matching: number[] = [];
  // Calls that come meanwhile are not searched, or a search beside a busy client would not end.
  const end = journal.next;
  for (let place = from; place < end; place += 1) {
    const stored = journal.at(place);
    const matches =
      stored !== undefined &&
      stored.at >= moment &&
      (operation ?? stored.operation) === stored.operation &&
      (school ?? stored.school) === stored.school &&
      (scope ?? stored.scope) === stored.scope &&
      (outcome === undefined || outcome === outcomeOf(stored));
    if (matches && (hasText?.(stored) ?? true)) matching.push(place);
    // The bodies of all entries are megabytes.
    if (hasText !== null) yield;
  }
  const places =
    since === undefined ? matching.slice(Math.max(0, matching.length - limit)) : matching.slice(0, limit);
  return { places, more: places.length < matching.length };
}

/** Returns the start of the page: that of the journal if the entry of `since` was evicted. */
function startOf(
  journal: Filtered,
  since: string | undefined,
): { readonly from: number; readonly moment: number } {
  const all = { from: journal.oldest, moment: -Infinity };
  if (since === undefined) return all;
  const place = journal.placeOf(since);
  if (place !== undefined) return { ...all, from: place + 1 };
  const moment = momentOf(since);
  return Number.isNaN(moment) ? { ...all, from: firstAfter(journal, since) } : { ...all, moment };
}

/** Returns the place of the first call after a request that is not in the journal. */
function firstAfter(journal: Filtered, requestId: string): number {
  const number = Number(requestId.slice(requestId.lastIndexOf('-') + 1));
  let place = journal.oldest;
  while (place < journal.next && (journal.at(place)?.number ?? 0) <= number) place += 1;
  return place;
}

/** Returns the number in a request id of a sandbox; null if the text is not one. */
export function numberIn(requestId: string, sandboxId: string): number | null {
  const [, number] = /^-(\d{1,16})$/.exec(requestId.slice(sandboxId.length)) ?? [];
  return number === undefined || !requestId.startsWith(sandboxId) ? null : Number(number);
}

/** Parses an ISO 8601 time to milliseconds. NaN if it is invalid. */
export function momentOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
}
