import type { Batches } from './batches.ts';
import type { Journals } from './journals.ts';
import type { LedgerCounts } from './ledger-counts.ts';

/** What the metrics of a server with a database show. */
export interface LedgerMetrics {
  readonly counts: LedgerCounts;
  /** Whether several servers share the sandboxes. */
  readonly isShared: boolean;
  /** The sandboxes that this server owns now. */
  readonly ownedSandboxes: number;
  readonly isConnected: boolean;
  /** The age of the oldest journal entry that is not stored, in milliseconds; 0 if all are. */
  readonly journalLagMs: number;
}

/** Returns the metrics, whose values are those of the moment when they are read. */
export function metricsOf(batches: Batches, journals: Journals, isShared: boolean): LedgerMetrics {
  return {
    counts: batches.counts,
    isShared,
    get ownedSandboxes() {
      return batches.ownedCount;
    },
    get isConnected() {
      return batches.current !== null;
    },
    get journalLagMs() {
      return journals.lagMs;
    },
  };
}
