import { outcomeOf, type JournalEntry, type StoredEntry } from './journal-entry.ts';

/** Which exchanges are wanted. */
export interface JournalFilter {
  readonly operation?: string;
  readonly outcome?: string;
  readonly school?: string;
  /** Only those after the exchange of this request id, or from this moment on (ISO 8601, the sandbox's time). */
  readonly since?: string;
  /** At most so many: the first ones after `since`, else the newest. */
  readonly limit?: number;
}

/** Exchanges, newest last. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** How many were kept once and had to make room since the journal was last cleared. */
  readonly evicted: number;
  /** Whether more fit the filter, newer ones where `since` is given, else older ones. */
  readonly more: boolean;
}

/** The places of the exchanges that fit a filter. */
interface FittingPlaces {
  readonly places: readonly number[];
  /** As in a page. */
  readonly more: boolean;
}

/** A journal, as far as a filter looks at it. */
interface Filtered {
  readonly oldest: number;
  readonly next: number;
  at(place: number): StoredEntry | undefined;
  placeOf(requestId: string): number | undefined;
}

/** The places of the exchanges on the page of a filter, oldest first. */
export function placesOf(journal: Filtered, { operation, outcome, school, since, limit = Infinity }: JournalFilter): FittingPlaces {
  const { from, moment } = startOf(journal, since);
  const fitting: number[] = [];
  for (let place = from; place < journal.next; place += 1) {
    const kept = journal.at(place);
    const fits =
      kept !== undefined &&
      kept.at >= moment &&
      (operation ?? kept.operation) === kept.operation &&
      (school ?? kept.school) === kept.school &&
      (outcome === undefined || outcome === outcomeOf(kept));
    if (fits) fitting.push(place);
  }
  const places = since === undefined ? fitting.slice(Math.max(0, fitting.length - limit)) : fitting.slice(0, limit);
  return { places, more: places.length < fitting.length };
}

/** Where the page begins. An exchange that is not there any more has all others after it. */
function startOf(journal: Filtered, since: string | undefined): { readonly from: number; readonly moment: number } {
  const all = { from: journal.oldest, moment: -Infinity };
  if (since === undefined) return all;
  const place = journal.placeOf(since);
  if (place !== undefined) return { ...all, from: place + 1 };
  const moment = momentOf(since);
  return Number.isNaN(moment) ? all : { ...all, moment };
}

/** The moment that a text of the form ISO 8601 names; NaN where it is no such text. */
export function momentOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
}
