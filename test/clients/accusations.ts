import type { JournalEntry, Report } from '../../src/index.ts';

/** What a report says of a client, in words. */
export interface Judgment {
  /** Checks that failed, and `violations` if there are any. */
  readonly failed: readonly string[];
  readonly advised: readonly string[];
  readonly notJudged: readonly string[];
  /** Everything that the client is accused of, with the calls that prove it. */
  readonly accusations: readonly string[];
}

interface Journaled {
  readonly report: Report;
  readonly entries: readonly JournalEntry[];
}

type Finding = Report['conduct'][number]['findings'][number];

export function judgmentOf({ report, entries }: Journaled): Judgment {
  const checksThat = (wanted: string): readonly string[] =>
    report.conduct.filter(({ verdict }) => verdict === wanted).map(({ check }) => check);
  return {
    failed: [...checksThat('failed'), ...(report.violations.length > 0 ? ['violations'] : [])],
    advised: checksThat('advised'),
    notJudged: checksThat('not-judged'),
    accusations: accusations({ report, entries }),
  };
}

/** What the report accuses a client of, with the calls that prove it; empty if nothing. */
function accusations({ report, entries }: Journaled): readonly string[] {
  const byId = new Map(entries.map((entry) => [entry.requestId, entry]));
  const conduct = report.conduct
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap(({ check, findings }) =>
      findings.map(
        (finding) => `${check}, ${finding.operation}: ${finding.message}\n${evidence(finding, byId)}`,
      ),
    );
  const violations = report.violations.map(
    ({ operation, pointer, message, requestIds }) =>
      `violation, ${operation} ${pointer}: ${message}\n${requestIds.map((id) => line(byId.get(id), id)).join('\n')}`,
  );
  return [...conduct, ...violations];
}

function evidence({ evidence }: Finding, byId: ReadonlyMap<string, JournalEntry>): string {
  return evidence.map(({ requestId }) => line(byId.get(requestId), requestId)).join('\n');
}

function line(entry: JournalEntry | undefined, id: string): string {
  if (entry === undefined) return `    ${id}: no longer in the journal`;
  const { receivedAt, durationMs, connection, status, outcome, faults, request, responseHeaders } = entry;
  const wait = responseHeaders['retry-after'];
  const told = wait === undefined ? '' : ` Retry-After ${wait}`;
  const met = faults.map(({ fault }) => ` ${fault}`).join('');
  return `    ${receivedAt.slice(11, 23)} +${durationMs} ms, ${connection}: HTTP ${status} ${outcome}${told}${met} ← ${request.slice(0, 110)}`;
}
