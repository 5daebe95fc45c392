import { BeyondCounts } from '../contract/beyond-counts.ts';
import { isOperationName } from '../contract/operation-types.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { groupBy } from '../base/group-by.ts';
import type { ParsedBodies } from './attempt.ts';
import type { Report } from './report.ts';

type Latency = NonNullable<Report['latencies']>[number];

/** What a report says about the service behind a proxy, besides its violations and differences. */
type OnUpstream = Pick<Report, 'beyondContract' | 'latencies'>;

/** Counts what the service behind a proxy sends beyond the contract. */
export class OnService {
  readonly #counts = new BeyondCounts();

  /** Shortened responses are not read. */
  readonly read = (entry: JournalEntry, { outputs }: ParsedBodies): void => {
    const { operation, requestId, status, cut } = entry;
    if (!isOfService(entry) || status !== 200 || cut.response > 0 || !isOperationName(operation)) return;
    this.#counts.add(operation, outputs ?? [], requestId);
  };

  /** Returns what the service sends beyond the contract, and how long it takes; nothing if there is no service. */
  in(entries: readonly JournalEntry[]): OnUpstream {
    const own = entries.filter(isOfService);
    if (own.length === 0) return {};
    const beyondContract = this.#counts
      .all()
      .map(({ pointer, source, ...one }) => ({ ...one, example: { requestId: source, pointer } }));
    return { beyondContract, latencies: latenciesIn(own) };
  }
}

function isOfService({ responseViolations }: JournalEntry): boolean {
  return responseViolations !== undefined;
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
