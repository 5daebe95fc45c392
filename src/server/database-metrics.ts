import type { LedgerMetrics } from '../ledger/ledger-metrics.ts';
import { histogramOf, metricText, valueText } from './metric-text.ts';

/** Returns the metrics of a server with a database. docs/hosting.md says what to watch. */
export function databaseMetrics(metrics: LedgerMetrics): readonly string[] {
  const { counts, isShared, ownedSandboxes, isConnected, journalLagMs } = metrics;
  return [
    valueText('gauge', 'owned_sandboxes', 'Sandboxes that this replica owns now.', ownedSandboxes),
    valueText(
      'counter',
      'takeovers_total',
      'Sandboxes taken from a replica that had ended without giving them away.',
      counts.takeovers,
    ),
    valueText(
      'counter',
      'fenced_writes_total',
      'Sandboxes that were not stored, because another replica had taken them.',
      counts.fencedWrites,
    ),
    metricText(
      'histogram',
      'batch_sandboxes',
      'Sandboxes whose changes were stored by one statement.',
      histogramOf(counts.batchSandboxes),
    ),
    metricText(
      'histogram',
      'statement_seconds',
      'Time of each statement that stores changes.',
      histogramOf(counts.statementSeconds),
    ),
    valueText(
      'gauge',
      'journal_lag_seconds',
      'Age of the oldest journal entry that is not stored.',
      journalLagMs / 1000,
    ),
    valueText(
      'gauge',
      'database_connected',
      'Whether the server has a session with the database.',
      isConnected ? 1 : 0,
    ),
    valueText(
      'counter',
      'database_reconnects_total',
      'Sessions with the database after the first one.',
      counts.reconnects,
    ),
    ...(isShared ? replicaMetrics(metrics) : []),
  ];
}

function replicaMetrics({ counts: { requests, deposedReplicas } }: LedgerMetrics): readonly string[] {
  return [
    valueText(
      'counter',
      'received_requests_total',
      'Requests about a sandbox that clients sent to this replica.',
      requests.received,
    ),
    valueText(
      'counter',
      'forwarded_requests_total',
      'Those of them that it forwarded to another replica.',
      requests.forwarded,
    ),
    valueText(
      'counter',
      'deposed_replicas_total',
      'Replicas whose session this one has ended, because they did not answer.',
      deposedReplicas,
    ),
  ];
}
