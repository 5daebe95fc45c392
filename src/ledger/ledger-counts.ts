import { Histogram } from '../base/histogram.ts';

/** What has happened with the database and the other replicas since the start. */
export class LedgerCounts {
  /** Sandboxes that were taken from a replica that had ended without giving them away. */
  takeovers = 0;
  /** Statements that found that another replica owns a sandbox, by sandbox. */
  fencedWrites = 0;
  /** Sessions after the first one. */
  reconnects = 0;
  /** Replicas whose sessions this one has ended, because they did not answer. */
  deposedReplicas = 0;
  /** The number of sandboxes of each statement that stores changes, and its time in seconds. */
  readonly batchSandboxes = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  readonly statementSeconds = new Histogram([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5,
  ]);
  /** Requests about a sandbox. */
  readonly requests: RequestCounts = { received: 0, forwarded: 0 };
}

/** Requests about a sandbox that clients have sent to this replica, and those of them that it has forwarded. */
export interface RequestCounts {
  received: number;
  forwarded: number;
}
