import type { AssumptionName, OptionOf } from '../assumptions.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { Window } from './windows.ts';

/** The limit of an operation: how many, over how many milliseconds. */
export interface Limit {
  readonly requests: number;
  readonly length: number;
}

/** The rate limits of one sandbox, and what is used of them. */
export class Limits {
  /** Scales every limit; null for none. */
  scale: number | null;
  /** Limits of this sandbox's own, in calls per window, in the place of those that the specification states. */
  readonly own = new Map<OperationName, number>();
  /** The windows by operation and by who shares one. */
  readonly windows = new Map<OperationName, Map<string, Window>>();

  constructor(scale: number | null) {
    this.scale = scale;
  }

  /** The limit of an operation as it stands (specification, Limits); null for none. */
  of(operation: OperationName, assume: <N extends AssumptionName>(name: N) => OptionOf<N>): Limit | null {
    if (this.scale === null) return null;
    const stated = operationFacts[operation].limit;
    const length = (stated?.windowSeconds ?? 60) * 1000;
    const requests = this.own.get(operation) ?? stated?.requests ?? Number(assume('processedMp4RateLimit'));
    // Only `none` is no number.
    return Number.isNaN(requests) ? null : { requests: Math.max(1, Math.floor(requests * this.scale)), length };
  }
}
