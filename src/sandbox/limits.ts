import type { AssumptionName, OptionOf } from '../assumptions.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { Window } from './windows.ts';

/** The rate limit of an operation. `length` is in milliseconds. */
export interface Limit {
  readonly requests: number;
  readonly length: number;
}

/** The rate limits of one sandbox, and their usage. */
export class Limits {
  /** Scales every limit. Null turns limits off. */
  scale: number | null;
  /** Limits that this sandbox sets instead of the specified ones, in calls per window. */
  readonly own = new Map<OperationName, number>();
  /** The windows by operation, then by caller. */
  readonly windows = new Map<OperationName, Map<string, Window>>();

  constructor(scale: number | null) {
    this.scale = scale;
  }

  /** Returns the current limit of an operation (specification, Limits). Null if it has none. */
  of(operation: OperationName, assume: <N extends AssumptionName>(name: N) => OptionOf<N>): Limit | null {
    if (this.scale === null) return null;
    const stated = operationFacts[operation].limit;
    const length = (stated?.windowSeconds ?? 60) * 1000;
    const requests = this.own.get(operation) ?? stated?.requests ?? Number(assume('processedMp4RateLimit'));
    // The option `none` becomes NaN.
    return Number.isNaN(requests)
      ? null
      : { requests: Math.max(1, Math.floor(requests * this.scale)), length };
  }
}
