import { outcomeOf, type StoredEntry } from '../sandbox/journal-entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** The server's metrics, in the format of Prometheus. */
export interface Metrics {
  observe(entry: StoredEntry): void;
  /** Returns the metrics and their content type. */
  render(): { readonly type: string; readonly body: string };
}

/** Values that are read when the metrics are requested. */
export interface Gauges {
  readonly sandboxes: Sandboxes;
  /** Returns the number of states written since the start. */
  readonly stateWrites: () => number;
  /** Returns the number of failed attempts to store something since the start. */
  readonly stateWriteFailures: () => number;
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

/** Counts calls. A library would be slower per call, and write the same text. */
export function createMetrics({ sandboxes, stateWrites, stateWriteFailures }: Gauges): Metrics {
  const tallies = new Map<string, Tally>();
  const refusals = new Map<string, number>();
  const faults = new Map<string, number>();
  return {
    observe: (stored) => {
      // A client can send any number of paths.
      const operation = stored.refusal === 'unmatched' ? 'unmatched' : stored.operation;
      let tally = tallies.get(operation);
      if (tally === undefined) {
        tally = {
          outcomes: new Map(),
          buckets: Array.from({ length: bounds.length + 1 }, () => 0),
          seconds: 0,
        };
        tallies.set(operation, tally);
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
    render: () => {
      const outcomes = [...tallies].flatMap(([operation, tally]) =>
        samplesOf(tally.outcomes, 'outcome', { operation }),
      );
      const durations = [...tallies].flatMap(([operation, tally]) => histogramOf(operation, tally));
      const body = [
        metricText('counter', 'calls_total', 'Calls, by operation and outcome.', outcomes),
        metricText(
          'histogram',
          'call_seconds',
          'Real time from the end of a request to its response, including delays of faults.',
          durations,
        ),
        metricText(
          'counter',
          'refusals_total',
          'Calls refused before their operation ran, by kind.',
          samplesOf(refusals, 'kind'),
        ),
        metricText('counter', 'faults_total', 'Faults injected, by name.', samplesOf(faults, 'fault')),
        metricText('gauge', 'sandboxes', 'Current number of sandboxes.', [[{}, sandboxes.count]]),
        metricText(
          'gauge',
          'state_bytes',
          'Memory of all records that differ from their seed, of snapshots and of generated seeds, in bytes.',
          [[{}, sandboxes.stateBytes]],
        ),
        metricText(
          'gauge',
          'state_writes',
          'Writes of the state since the start: files, or statements of a database.',
          [[{}, stateWrites()]],
        ),
        metricText(
          'counter',
          'state_write_failures_total',
          'Failed attempts to store changes since the start.',
          [[{}, stateWriteFailures()]],
        ),
      ];
      return { type: 'text/plain; version=0.0.4; charset=utf-8', body: body.join('').replace(/\n$/, '') };
    },
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

type Labels = Readonly<Record<string, string>>;

/** A value with its labels, and the end of its name if it is a part of a histogram. */
type Sample = readonly [labels: Labels, value: number, part?: string];

/** Returns a metric in the text format of Prometheus, version 0.0.4. */
function metricText(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: readonly Sample[],
): string {
  const full = `lp_sandbox_${name}`;
  const lines = samples.map(([labels, value, part = '']) => `${full}${part}${labelsText(labels)} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}\n`;
}

function labelsText(labels: Labels): string {
  // JSON escapes the characters that Prometheus requires to be escaped: quotes, backslashes and line feeds. A
  // name of an operation or a fault has nothing else.
  const written = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return written.length === 0 ? '' : `{${written.join(',')}}`;
}

function samplesOf(
  counts: ReadonlyMap<string, number>,
  label: string,
  others: Labels = {},
): readonly Sample[] {
  return [...counts].map(([name, count]) => [{ ...others, [label]: name }, count]);
}

/** The calls of an operation by duration: those up to each bound, the sum of all, and their number. */
function histogramOf(operation: string, { buckets, seconds }: Tally): readonly Sample[] {
  let calls = 0;
  const cumulated = buckets.map((count, index): Sample => {
    calls += count;
    return [{ le: String(bounds[index] ?? '+Inf'), operation }, calls, '_bucket'];
  });
  return [...cumulated, [{ operation }, seconds, '_sum'], [{ operation }, calls, '_count']];
}
