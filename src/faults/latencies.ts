import type { OperationName } from '../contract/operation-types.ts';
import { logNormal } from './log-normal.ts';
import type { FaultRules } from './rules.ts';

/** How long calls take, by operation, in milliseconds. */
export type Latencies = ReadonlyMap<string, { readonly p50Ms: number; readonly p99Ms: number }>;

/** The maximum latency, ten minutes: longer than any client waits. */
export const maxLatencyMs = 600_000;

/** Returns how long a call is delayed without any fault, in milliseconds. The same seed gives the same times. */
export function latencyOf(rules: FaultRules, operation: OperationName): number {
  const own = rules.latencies?.get(operation);
  if (own === undefined) return 0;
  return Math.min(maxLatencyMs, logNormal(own.p50Ms, own.p99Ms, rules.chanceFor('latency', operation)));
}
