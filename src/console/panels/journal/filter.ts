import type { Schemas } from '../../control-problem.ts';

type Entry = Schemas['JournalSummary'];

const names = ['operation', 'outcome', 'status', 'last', 'after', 'before', 'text'] as const;

/** Conditions for the list; an empty string is no condition. The address has them under the same names. */
export interface Filter extends Readonly<Record<(typeof names)[number], string>> {
  /** A status, such as `404`, or a class of them, such as `4xx`. */
  readonly status: string;
  /** The last N minutes. */
  readonly last: string;
  /** Times as a person writes them, in UTC: `2026-02-11T09:30:00`, or only a date. */
  readonly after: string;
  readonly before: string;
}

/** Returns the filter in the query of an address. */
export function filterIn(query: URLSearchParams): Filter {
  const [operation = '', outcome = '', status = '', last = '', after = '', before = '', text = ''] =
    names.map((name) => query.get(name) ?? '');
  return { operation, outcome, status, last, after, before, text };
}

/** Returns the conditions for the query of an address. */
export function queryOf(filter: Filter): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (filter[name] === '' ? [] : [[name, filter[name]]])));
}

/**
 * Returns a function that checks whether an entry fits the filter at a moment (milliseconds since 1970). `found`
 * has the request ids of the entries that the server has found by the text: only it has the bodies.
 */
export function fitting(filter: Filter, now: number, found: ReadonlySet<string>): (entry: Entry) => boolean {
  const { operation, outcome, status, last, after, before, text } = filter;
  const earliest = last === '' ? momentOf(after, -Infinity) : now - Number(last) * 60_000;
  const latest = last === '' ? momentOf(before, Infinity) : Infinity;
  const wanted = text.toLowerCase();
  const isTimed = earliest > -Infinity || latest < Infinity;
  return (entry) => {
    if (operation !== '' && entry.operation !== operation) return false;
    if (outcome !== '' && entry.outcome !== outcome) return false;
    if (status !== '' && !isOfStatus(entry.status, status)) return false;
    const at = isTimed ? Date.parse(entry.receivedAt) : 0;
    if (isTimed && (at < earliest || at > latest)) return false;
    return wanted === '' || found.has(entry.requestId) || hasText(entry, wanted);
  };
}

/** Whether the filter fits no entry because its interval ends before it starts. */
export function isReversed({ after, before }: Pick<Filter, 'after' | 'before'>): boolean {
  return momentOf(after, -Infinity) > momentOf(before, Infinity);
}

function isOfStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? String(status).startsWith(wanted[0] ?? '') : String(status) === wanted;
}

function momentOf(time: string, otherwise: number): number {
  const moment = Date.parse(time.includes('T') ? `${time}Z` : time);
  return Number.isNaN(moment) ? otherwise : moment;
}

function hasText({ requestId, operation, school, faults, assumed }: Entry, wanted: string): boolean {
  const injected = faults.map(({ fault, rule }) => `${fault} ${rule ?? ''}`);
  const places = [requestId, operation, school ?? '', ...assumed, ...injected];
  return places.some((place) => place.toLowerCase().includes(wanted));
}

/** Returns the statuses that a list can be narrowed to: classes first, then each that occurs. */
export function statusesIn(statuses: readonly number[]): readonly string[] {
  const all = [...new Set(statuses)].toSorted((one, other) => one - other);
  const classes = new Set(all.filter((status) => status > 0).map((status) => `${String(status)[0]}xx`));
  return [...classes, ...all.map(String)];
}
