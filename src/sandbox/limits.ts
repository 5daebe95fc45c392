import type { AssumptionName, OptionOf, Options } from '../assumptions.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { isOperationName, type OperationName } from '../contract/operation-types.ts';
import type { components } from '../contract/generated/state.ts';
import { CounterMemory } from './counter-memory.ts';
import { RateCounters } from './rate-counters.ts';
import type { SandboxPlan } from './sandbox-plan.ts';
import { createWindow } from './windows.ts';

type LimitFacts = components['schemas']['LimitFacts'];

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
  readonly counters: RateCounters;

  constructor(
    { limitScale, counterMemory }: Pick<SandboxPlan, 'limitScale' | 'counterMemory'>,
    maxCounters: number,
    now: () => number,
  ) {
    this.scale = limitScale;
    this.counters = new RateCounters(maxCounters, counterMemory ?? CounterMemory.unlimited(), now);
  }

  /** Returns the limits and the counted calls as plain data. */
  facts(): LimitFacts {
    return {
      scale: this.scale,
      own: Object.fromEntries(this.own),
      windows: [...this.counters.all].map(({ operation, caller, window }) => ({
        operation,
        caller,
        ...window.facts(),
      })),
    };
  }

  /** Restores the limits and the counted calls. Ignores operations that no longer exist. */
  recall(facts: LimitFacts): void {
    this.counters.clear();
    this.restore(facts);
  }

  /**
   * Restores the limits, and the counted calls of windows that no longer exist; the others have continued to
   * count.
   */
  restore({ scale, own, windows = [] }: LimitFacts): void {
    this.scale = scale;
    this.own.clear();
    for (const [operation, requests] of Object.entries(own))
      if (isOperationName(operation)) this.own.set(operation, requests);
    for (const { operation, caller, counted, ...settings } of windows) {
      if (!isOperationName(operation) || this.counters.get(operation, caller) !== undefined) continue;
      const window = createWindow({ ...settings, length: lengthOf(operation) }, counted);
      this.counters.add(operation, caller, window, false);
    }
  }

  /** Returns the current limit of an operation (specification, Limits). Null if it has none. */
  of(operation: OperationName, assume: <N extends AssumptionName>(name: N) => OptionOf<N>): Limit | null {
    if (this.scale === null) return null;
    const stated = operationFacts[operation].limit;
    const requests = this.own.get(operation) ?? stated?.requests ?? Number(assume('processedMp4RateLimit'));
    // The option `none` becomes NaN.
    return Number.isNaN(requests)
      ? null
      : { requests: Math.max(1, Math.floor(requests * this.scale)), length: lengthOf(operation) };
  }
}

/** Returns the length of an operation's window in milliseconds. */
function lengthOf(operation: OperationName): number {
  return (operationFacts[operation].limit?.windowSeconds ?? 60) * 1000;
}

/** The assumptions that change how calls are counted. */
const countingAssumptions = [
  'rateLimitWindow',
  'rateLimitScope',
  'rateLimitUnit',
  'refusedCallsCount',
] as const;

/** Returns whether other options change how calls are counted. */
export function changesCounting(before: Options, after: Options): boolean {
  return countingAssumptions.some((name) => after[name] !== before[name]);
}
