import { eachBeyond, type Beyond } from '../contract/beyond.ts';
import { outputsIn, parseJson } from '../contract/envelope.ts';
import { resultSchemas } from '../contract/generated/result-schemas.js';
import { isOperationName } from '../contract/operation-types.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { groupBy } from '../base/group-by.ts';
import type { Report } from './report.ts';

type ReportedBeyond = NonNullable<Report['beyondContract']>[number];
type Latency = NonNullable<Report['latencies']>[number];

/** Maximum number of kinds in a report; a service can send any number. */
const maxKinds = 500;

/** What a report says about the service behind a proxy, besides its violations and differences. */
type OnUpstream = Pick<Report, 'beyondContract' | 'latencies'>;

/** Returns what the service sends beyond the contract, and how long it takes; nothing if there is no service. */
export function* findUpstream(entries: readonly JournalEntry[]): SlicedWork<OnUpstream> {
  const own = entries.filter((entry) => entry.responseViolations !== undefined);
  if (own.length === 0) return {};
  const kinds = new Map<string, Mutable>();
  for (const entry of own) {
    collect(entry, kinds);
    yield;
  }
  const beyondContract = [...kinds.values()].toSorted((one, other) => other.count - one.count);
  return { beyondContract, latencies: latenciesIn(own) };
}

type Mutable = ReportedBeyond & { count: number };

/** Counts what a response has beyond the contract. Shortened responses are not read. */
function collect(entry: JournalEntry, kinds: Map<string, Mutable>): void {
  const { operation, requestId, status, response, cut } = entry;
  if (status !== 200 || cut.response > 0 || !isOperationName(operation)) return;
  const schema = resultSchemas[operation];
  const count = ({ kind, pointer, place, value }: Beyond): void => {
    const key = JSON.stringify([operation, kind, place, value]);
    const known = kinds.get(key);
    if (known !== undefined) known.count += 1;
    else if (kinds.size < maxKinds)
      kinds.set(key, { operation, kind, place, value, count: 1, example: { requestId, pointer } });
  };
  for (const [index, output] of (outputsIn(parseJson(response)) ?? []).entries())
    if (output.status === 'ok') eachBeyond(schema, output.data, `/${index}/output/data`, count);
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
