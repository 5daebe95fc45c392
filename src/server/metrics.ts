import type { Metric, Registry } from 'prom-client';
import { onceOnDemand } from '../base/on-demand.ts';
import { outcomeOf, type StoredEntry } from '../sandbox/journal-entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** The server's metrics, in the format of Prometheus. */
export interface Metrics {
  observe(entry: StoredEntry): void;
  /** Returns the metrics and their content type. */
  render(): Promise<{ readonly type: string; readonly body: string }>;
  /** Loads the metrics library. */
  load(): Promise<unknown>;
}

/** Values that are read when the metrics are requested. */
export interface Gauges {
  readonly sandboxes: Sandboxes;
  /** Returns the number of states written since the start. */
  readonly stateWrites: () => number;
}

/** The counts of one operation. */
interface Tally {
  readonly outcomes: Map<string, number>;
  /** The number of calls up to each bound and above the previous one. The last has no bound. */
  readonly buckets: number[];
  seconds: number;
}

/** In seconds. */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 30];

/** Counts calls without the library, to save time per call. Loads the library when the metrics are requested. */
export function createMetrics(gauges: Gauges): Metrics {
  const tallies = new Map<string, Tally>();
  const refusals = new Map<string, number>();
  const faults = new Map<string, number>();
  const registry = onceOnDemand(() => createRegistry({ ...gauges, tallies, refusals, faults }));
  return {
    observe: (stored) => {
      let tally = tallies.get(stored.operation);
      if (tally === undefined) {
        tally = { outcomes: new Map(), buckets: Array.from({ length: bounds.length + 1 }, () => 0), seconds: 0 };
        tallies.set(stored.operation, tally);
      }
      const seconds = stored.durationUs / 1e6;
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
      tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
      tally.seconds += seconds;
      add(tally.outcomes, outcomeOf(stored));
      if (stored.refusal !== null && stored.faults.length === 0) add(refusals, stored.refusal);
      for (const { fault } of stored.faults) add(faults, fault);
    },
    load: registry,
    render: async () => {
      const made = await registry();
      return { type: made.contentType, body: await made.metrics() };
    },
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

interface Counts extends Gauges {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly refusals: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, number>;
}

async function createRegistry({ sandboxes, stateWrites, tallies, refusals, faults }: Counts): Promise<Registry> {
  const { Counter, Gauge, Registry } = await import('./metrics-library.ts');
  const registry = new Registry();
  const registers = [registry];
  type Labelled = readonly [labels: Readonly<Record<string, string>>, value: number];
  const counter = (name: string, help: string, labelNames: string[], read: () => Iterable<Labelled>) =>
    new Counter({
      name: `lp_sandbox_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `lp_sandbox_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  counter('calls_total', 'Calls, by operation and outcome.', ['operation', 'outcome'], () =>
    [...tallies].flatMap(([operation, { outcomes }]) => [...outcomes].map(([outcome, count]): Labelled => [{ operation, outcome }, count])),
  );
  // The library's histogram would count itself, but the library writes any metric that returns values in the same form.
  registry.registerMetric(durations(tallies) as unknown as Metric);
  counter('refusals_total', 'Calls refused before their operation ran, by kind.', ['kind'], () =>
    [...refusals].map(([kind, count]): Labelled => [{ kind }, count]),
  );
  counter('faults_total', 'Faults injected, by name.', ['fault'], () => [...faults].map(([fault, count]): Labelled => [{ fault }, count]));
  const stateBytes = stateMeter(sandboxes);
  gauge('sandboxes', 'Current number of sandboxes.', () => sandboxes.count);
  gauge('state_bytes', 'Bytes of JSON of all records that differ from their seed.', stateBytes);
  gauge('state_writes', 'States written since the start.', stateWrites);
  return registry;
}

function durations(tallies: ReadonlyMap<string, Tally>) {
  const name = 'lp_sandbox_call_seconds';
  const help = 'Real time from the end of a request to its reply, including delays of faults.';
  return {
    name,
    help,
    type: 'histogram',
    get: () => ({ name, help, type: 'histogram', aggregator: 'sum', values: histogramValues(name, tallies) }),
  };
}

function histogramValues(name: string, tallies: ReadonlyMap<string, Tally>) {
  return [...tallies].flatMap(([operation, { buckets, seconds }]) => {
    let sum = 0;
    const cumulated = buckets.map((count, index) => {
      sum += count;
      return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? '+Inf', operation }, value: sum };
    });
    const totals = [
      { metricName: `${name}_sum`, labels: { operation }, value: seconds },
      { metricName: `${name}_count`, labels: { operation }, value: sum },
    ];
    return [...cumulated, ...totals];
  });
}

/** Caches the size of each record, because records never change in place. */
function stateMeter(sandboxes: Sandboxes): () => number {
  const lengths = new WeakMap<object, number>();
  const lengthOf = (record: object): number => {
    const length = lengths.get(record) ?? Buffer.byteLength(JSON.stringify(record));
    lengths.set(record, length);
    return length;
  };
  return () => {
    let sum = 0;
    for (const { state } of sandboxes.all) {
      if (state.changedRecords === 0) continue;
      for (const { set } of Object.values(state.changes())) for (const record of set) sum += lengthOf(record);
    }
    return sum;
  };
}
