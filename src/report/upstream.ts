import { BeyondCounts } from '../contract/beyond-counts.ts';
import { outputsIn, parseJson } from '../contract/envelope.ts';
import { isOperationName } from '../contract/operation-types.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { groupBy } from '../base/group-by.ts';
import type { Report } from './report.ts';

type Latency = NonNullable<Report['latencies']>[number];

/** What a report says about the service behind a proxy, besides its violations and differences. */
type OnUpstream = Pick<Report, 'beyondContract' | 'latencies'>;

/** Returns what the service sends beyond the contract, and how long it takes; nothing if there is no service. */
export function* findUpstream(entries: readonly JournalEntry[]): SlicedWork<OnUpstream> {
  const own = entries.filter((entry) => entry.responseViolations !== undefined);
  if (own.length === 0) return {};
  const counts = new BeyondCounts();
  for (const entry of own) {
    collect(entry, counts);
    yield;
  }
  const beyondContract = counts
    .all()
    .map(({ pointer, source, ...one }) => ({ ...one, example: { requestId: source, pointer } }));
  return { beyondContract, latencies: latenciesIn(own) };
}

/** Counts what a response has beyond the contract. Shortened responses are not read. */
function collect({ operation, requestId, status, response, cut }: JournalEntry, counts: BeyondCounts): void {
  if (status !== 200 || cut.response > 0 || !isOperationName(operation)) return;
  counts.add(operation, outputsIn(parseJson(response)) ?? [], requestId);
}

/** Returns the percentiles of the times until the service had responded. */
function latenciesIn(entries: readonly JournalEntry[]): readonly Latency[] {
  const timed = entries.flatMap(({ operation, upstreamMs }) =>
    upstreamMs === undefined ? [] : [{ operation, upstreamMs }],
  );
  return [...groupBy(timed, ({ operation }) => operation)].map(([operation, own]) => {
    const sorted = own.map(({ upstreamMs }) => upstreamMs).toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    return { operation, count: own.length, p50Ms: at(0.5), p99Ms: at(0.99) };
  });
}
