import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Report } from '../report.ts';
import { excerptOf } from './excerpt.ts';

type Exchange = Report['exchanges'][number];

/** Maximum number of exchanges in a report. */
const maxExchanges = 40;

/** Bounds of the headers of an exchange. */
const maxHeaders = 20;
const maxHeaderChars = 200;

/** Headers that explain nothing. */
const leftOut: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'sandbox-assumed',
  'sec-fetch-mode',
  'transfer-encoding',
]);

/** The parts of a report that refer to requests. */
type Referring = Pick<Report, 'conduct' | 'violations' | 'responseViolations' | 'responseDifferences'>;

/**
 * Returns the requests and responses that the findings and violations refer to. If there are too many, each
 * check and each operation gets some.
 */
export function* exchangesBehind(
  referring: Referring,
  entries: readonly JournalEntry[],
): SlicedWork<readonly Exchange[]> {
  const wanted = wantedIn(referring);
  const found: Exchange[] = [];
  for (const entry of entries) {
    if (wanted.has(entry.requestId)) found.push(exchangeOf(entry));
    yield;
  }
  return wantedOf(found, wanted);
}

/** Returns those of the exchanges that `exchangesBehind` would choose. */
export function mostWanted(referring: Referring, exchanges: readonly Exchange[]): readonly Exchange[] {
  return wantedOf(exchanges, wantedIn(referring));
}

function wantedOf(exchanges: readonly Exchange[], wanted: ReadonlySet<string>): readonly Exchange[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.requestId, exchange]));
  return [...wanted].flatMap((id) => byId.get(id) ?? []);
}

function wantedIn({
  conduct,
  violations,
  responseViolations = [],
  responseDifferences = [],
}: Referring): ReadonlySet<string> {
  return inTurns([
    ...[violations, responseViolations, responseDifferences].map((all) =>
      all.map(({ requestIds }) => requestIds.slice(0, 1)),
    ),
    ...conduct.map(({ findings }) =>
      findings.map(({ evidence }) => evidence.map(({ requestId }) => requestId)),
    ),
  ]);
}

/** Takes one group of ids from each list in turn, until there are enough. */
function inTurns(lists: readonly (readonly (readonly string[])[])[]): ReadonlySet<string> {
  const ids = new Set<string>();
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  for (let round = 0; round < longest; round += 1) {
    for (const list of lists) {
      const group = list[round] ?? [];
      if (ids.size + group.length > maxExchanges) return ids;
      for (const id of group) ids.add(id);
    }
  }
  return ids;
}

/** Returns the parts of a request and its response that matter. */
export function exchangeOf(entry: JournalEntry): Exchange {
  const {
    requestId,
    operation,
    scope,
    at,
    receivedAt,
    durationMs,
    method,
    url,
    status,
    outcome,
    faults,
    cut,
  } = entry;
  const request = excerptOf(entry.request, cut.request, entry.violations);
  const response = excerptOf(entry.response, cut.response, [
    ...(entry.responseViolations ?? []),
    ...(entry.responseDifferences ?? []),
  ]);
  return {
    requestId,
    operation,
    scope,
    at,
    receivedAt,
    durationMs,
    method,
    url: url.slice(0, maxHeaderChars),
    requestHeaders: headersOf(entry.requestHeaders),
    ...(entry.requestTrailers === undefined ? {} : { requestTrailers: headersOf(entry.requestTrailers) }),
    request: request.text,
    requestMarks: request.marks,
    status,
    outcome,
    faults: faults.map(({ fault }) => fault),
    responseHeaders: headersOf(entry.responseHeaders),
    response: response.text,
    responseMarks: response.marks,
  };
}

function headersOf(headers: JournalEntry['requestHeaders']): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).filter(
    ([name]) => !leftOut.has(name) && name.length <= maxHeaderChars,
  );
  return Object.fromEntries(
    shown.slice(0, maxHeaders).map(([name, value]) => [name, value.slice(0, maxHeaderChars)]),
  );
}
