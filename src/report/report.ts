import type { components } from '../contract/generated/control.ts';
import { toEntry, type JournalEntry, type StoredEntry } from '../sandbox/journal-entry.ts';
import type { JournalPage } from '../sandbox/journal-page.ts';
import { withoutPause, type SlicedWork } from '../base/sliced-work.ts';
import { findCalls } from './find-calls.ts';
import { viewsOf } from './retried-calls.ts';
import { running } from './check.ts';
import { checks } from './checks/index.ts';
import { exchangesBehind } from './evidence/exchanges.ts';
import { Coverage, faultsOf, tally } from './coverage.ts';
import { OnService } from './upstream.ts';
import { findSituations } from './situations.ts';
import {
  responseDifferencesIn,
  responseViolationsIn,
  violationsIn,
  type GatheredViolations,
} from './violations.ts';

/** The report on a client, from the journal: coverage, contract violations and conduct. */
export type Report = components['schemas']['Report'];

/** The version of reports in JSON. */
export const reportVersion = 1;

/** The part of a journal that reports need. */
interface ReadJournal {
  readonly stored: readonly StoredEntry[];
  readonly evicted: number;
}

/** Creates the report on the entries that a journal has at the start of the work. */
export function* createReport(sandbox: string, journal: ReadJournal): SlicedWork<Report> {
  const { evicted } = journal;
  const kept = journal.stored;
  const entries: JournalEntry[] = [];
  for (const one of kept) {
    entries.push(toEntry(one));
    yield;
  }
  return yield* reportOn(sandbox, { entries, evicted });
}

/** Creates the report on entries without pausing. */
export function makeReport(sandbox: string, exchanges: Pick<JournalPage, 'entries' | 'evicted'>): Report {
  return withoutPause(reportOn(sandbox, exchanges));
}

function* reportOn(
  sandbox: string,
  { entries: all, evicted }: Pick<JournalPage, 'entries' | 'evicted'>,
): SlicedWork<Report> {
  // Calls from the console, other pages of the sandbox and visits of a browser are not the client's. The guided demo
  // plays a client.
  const entries = all.filter(({ page }) => page === null || page === 'demo');
  const coverage = new Coverage();
  const service = new OnService();
  const calls = yield* findCalls(entries, [coverage.read, service.read]);
  const views = yield* viewsOf(calls);
  const covered = coverage.of(calls.attempts);
  const conduct: Report['conduct'][number][] = [];
  for (const check of checks) conduct.push(yield* running(check, views));
  const broken = yield* violationsIn(entries);
  const brokenByUpstream = yield* responseViolationsIn(entries);
  const differing = yield* responseDifferencesIn(entries);
  const shown = {
    violations: broken.listed,
    ...(brokenByUpstream === null ? {} : { responseViolations: brokenByUpstream.listed }),
    ...(differing === null ? {} : { responseDifferences: differing.listed }),
    conduct,
  };
  return {
    version: reportVersion,
    sandbox,
    calls: entries.length,
    fromPages: all.length - entries.length,
    evicted,
    from: entries[0]?.at ?? null,
    to: entries.at(-1)?.at ?? null,
    coverage: covered,
    neverCalled: covered.filter((one) => one.calls === 0).map(({ operation }) => operation),
    faultsMet: tally(calls.attempts.flatMap(faultsOf)),
    situations: yield* findSituations(calls.attempts),
    ...shown,
    ...service.in(entries),
    ...unlistedOf(broken, brokenByUpstream, differing),
    exchanges: yield* exchangesBehind(shown, entries),
  };
}

function unlistedOf(
  broken: GatheredViolations,
  byUpstream: GatheredViolations | null,
  differing: GatheredViolations | null,
): Pick<Report, 'unlisted'> {
  const ofUpstream = byUpstream?.unlisted ?? none;
  const differences = differing?.unlisted ?? none;
  if (broken.unlisted.kinds + ofUpstream.kinds + differences.kinds === 0) return {};
  return {
    unlisted: {
      violations: broken.unlisted,
      responseViolations: ofUpstream,
      ...(differences.kinds === 0 ? {} : { responseDifferences: differences }),
    },
  };
}

const none = { kinds: 0, count: 0 };
