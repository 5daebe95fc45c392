import { Histogram } from '../base/histogram.ts';
import type { LedgerMetrics } from '../ledger/ledger-metrics.ts';
import { outcomeOf, type StoredEntry } from '../sandbox/journal-entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { databaseMetrics } from './database-metrics.ts';
import { histogramOf, metricText, samplesOf, valueText } from './metric-text.ts';

/** The server's metrics, in the format of Prometheus. */
export interface Metrics {
  observe(entry: StoredEntry): void;
  /** Returns the metrics and their content type. */
  render(): { readonly type: string; readonly body: string };
}

/** What is read when the metrics are requested. */
export interface MetricsOf {
  readonly sandboxes: Sandboxes;
  /** The number of states written since the start. */
  readonly writes: number;
  /** The number of failed attempts to store something since the start. */
  readonly failures: number;
  /** Null for a server without a database. */
  readonly metrics: LedgerMetrics | null;
}

/** The counts of one operation. */
interface Tally {
  readonly outcomes: Map<string, number>;
  readonly seconds: Histogram;
}

/** In seconds. */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 30];

/** Counts calls. A library would be slower per call, and write the same text. */
export function createMetrics(store: MetricsOf): Metrics {
  const { sandboxes } = store;
  const tallies = new Map<string, Tally>();
  const refusals = new Map<string, number>();
  const faults = new Map<string, number>();
  return {
    observe: (stored) => {
      // A client can send any number of paths.
      const operation = stored.refusal === 'unmatched' ? 'unmatched' : stored.operation;
      let tally = tallies.get(operation);
      if (tally === undefined) {
        tally = { outcomes: new Map(), seconds: new Histogram(bounds) };
        tallies.set(operation, tally);
      }
      tally.seconds.add(stored.durationUs / 1e6);
      add(tally.outcomes, outcomeOf(stored));
      if (stored.refusal !== null && stored.faults.length === 0) add(refusals, stored.refusal);
      for (const { fault } of stored.faults) add(faults, fault);
    },
    render: () => {
      const outcomes = [...tallies].flatMap(([operation, tally]) =>
        samplesOf(tally.outcomes, 'outcome', { operation }),
      );
      const durations = [...tallies].flatMap(([operation, { seconds }]) =>
        histogramOf(seconds, { operation }),
      );
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
        valueText('gauge', 'sandboxes', 'Current number of sandboxes.', sandboxes.count),
        valueText(
          'gauge',
          'state_bytes',
          'Memory of all records that differ from their seed, of snapshots and of generated seeds, in bytes.',
          sandboxes.stateBytes,
        ),
        valueText(
          'gauge',
          'state_writes',
          'Writes of the state since the start: files, or statements of a database.',
          store.writes,
        ),
        valueText(
          'counter',
          'state_write_failures_total',
          'Failed attempts to store changes since the start.',
          store.failures,
        ),
        ...(store.metrics === null ? [] : databaseMetrics(store.metrics)),
      ];
      return { type: 'text/plain; version=0.0.4; charset=utf-8', body: body.join('').replace(/\n$/, '') };
    },
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
