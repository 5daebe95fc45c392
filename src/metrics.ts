import type { Registry } from 'prom-client';
import { outcomeOf, type KeptExchange } from './sandbox/journal-entry.ts';
import type { Sandboxes } from './sandbox/sandboxes.ts';

/** What the server has counted, in the format that Prometheus reads. */
export interface Metrics {
  observe(exchange: KeptExchange): void;
  /** The text and its content type. */
  render(): Promise<{ readonly type: string; readonly body: string }>;
}

/** What is looked at when the metrics are read. */
export interface Gauges {
  readonly sandboxes: Sandboxes;
  /** How often a state was written since the start. */
  readonly stateWrites: () => number;
}

/** One exchange, as far as it is counted. */
interface Counted {
  readonly operation: string;
  readonly outcome: string;
  readonly refusal: string | null;
  readonly faults: readonly string[];
  readonly seconds: number;
}

/** Exchanges that wait to be counted. Only who reads metrics, or is busy enough to do so, waits for the library. */
const mostWaiting = 10_000;

export function createMetrics(gauges: Gauges): Metrics {
  let waiting: Counted[] = [];
  let counters: Counters | null = null;
  let loading: Promise<Counters> | null = null;
  const load = (): Promise<Counters> =>
    (loading ??= createCounters(gauges).then((made) => {
      for (const counted of waiting) made.count(counted);
      waiting = [];
      counters = made;
      return made;
    }));
  return {
    observe: (kept) => {
      const { operation, refusal, faults, durationUs } = kept;
      const names = faults.length === 0 ? none : faults.map(({ fault }) => fault);
      const counted = { operation, outcome: outcomeOf(kept), refusal, faults: names, seconds: durationUs / 1e6 };
      if (counters !== null) counters.count(counted);
      else if (waiting.push(counted) >= mostWaiting) void load();
    },
    render: async () => {
      const { registry } = await load();
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}

const none: readonly string[] = Object.freeze([]);

interface Counters {
  readonly registry: Registry;
  count(counted: Counted): void;
}

async function createCounters({ sandboxes, stateWrites }: Gauges): Promise<Counters> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `lp_sandbox_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `lp_sandbox_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const calls = counter('calls_total', 'Calls, by operation and outcome.', 'operation', 'outcome');
  const refusals = counter('refusals_total', 'Calls turned away before their operation ran, by kind.', 'kind');
  const faults = counter('faults_total', 'Faults injected, by name.', 'fault');
  const seconds = new Histogram({
    name: 'lp_sandbox_call_seconds',
    help: 'Real time from the end of a request to its reply, waits of faults included.',
    labelNames: ['operation'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 30],
    registers,
  });
  const stateBytes = stateMeter(sandboxes);
  gauge('sandboxes', 'Sandboxes there are.', () => sandboxes.count);
  gauge('state_bytes', 'JSON of all records that differ from their seed.', stateBytes);
  gauge('state_writes', 'States written since the start.', stateWrites);
  return {
    registry,
    count: (counted) => {
      calls.inc({ operation: counted.operation, outcome: counted.outcome });
      seconds.observe({ operation: counted.operation }, counted.seconds);
      if (counted.refusal !== null && counted.faults.length === 0) refusals.inc({ kind: counted.refusal });
      for (const fault of counted.faults) faults.inc({ fault });
    },
  };
}

/** Records never change in place, so each is measured once. */
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
