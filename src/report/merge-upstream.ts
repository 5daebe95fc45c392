import { byText, union } from './merge-lists.ts';
import type { Report } from './report.ts';

type OnUpstream = Pick<Report, 'beyondContract' | 'latencies'>;
type Beyond = NonNullable<Report['beyondContract']>[number];
type Latency = NonNullable<Report['latencies']>[number];

/** Merges what two reports say about the service behind a proxy. */
export function mergeUpstream(one: OnUpstream, other: OnUpstream): OnUpstream {
  const beyond = [one.beyondContract, other.beyondContract].filter((list) => list !== undefined);
  const latencies = [one.latencies, other.latencies].filter((list) => list !== undefined);
  return {
    ...(beyond.length === 0 ? {} : { beyondContract: beyond.reduce(mergeBeyond, []) }),
    ...(latencies.length === 0 ? {} : { latencies: latencies.reduce(mergeLatencies, []) }),
  };
}

function mergeBeyond(one: readonly Beyond[], other: readonly Beyond[]): readonly Beyond[] {
  const merged = union(one, other, beyondKey, (former, latter) => ({
    ...former,
    count: former.count + latter.count,
    example: firstExample(former.example, latter.example),
  }));
  return merged.toSorted(
    (former, latter) => latter.count - former.count || byText(beyondKey(former), beyondKey(latter)),
  );
}

function beyondKey({ operation, kind, place, value }: Beyond): string {
  return JSON.stringify([operation, kind, place, value]);
}

function firstExample(one: Beyond['example'], other: Beyond['example']): Beyond['example'] {
  return JSON.stringify(one) <= JSON.stringify(other) ? one : other;
}

/** Percentiles of several runs cannot be joined exactly; the slower ones are safe for a test. */
function mergeLatencies(one: readonly Latency[], other: readonly Latency[]): readonly Latency[] {
  return union(
    one,
    other,
    ({ operation }) => operation,
    (former, latter) => ({
      operation: former.operation,
      count: former.count + latter.count,
      p50Ms: Math.max(former.p50Ms, latter.p50Ms),
      p99Ms: Math.max(former.p99Ms, latter.p99Ms),
    }),
  );
}
