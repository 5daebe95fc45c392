import { groupBy } from '../base/group-by.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { mayPass, type Attempt } from './attempt.ts';
import { stepsOf, type Calls } from './calls.ts';
import { callsUntilNextUse, isAfterOthers, isAtUsualTime } from './next-use.ts';
import { paceOf } from './pace.ts';

/**
 * A client with a budget for retries gives up calls when the budget is used up. Nothing fills it up during an outage,
 * so only its first retries show that it has one. The smallest usual reserves are 3 retries (Envoy) and 5 (gRPC).
 */
const fewestRetries = 3;

/** The smallest usual budget that is a share of the calls: one retry for each group of this many calls. */
const callsPerRetry = 10;

/** The same in words. */
export const retriesThatShowBudget =
  `Such a client sent failed calls again at least ${fewestRetries} times, or once for every ${callsPerRetry} calls if it made fewer than ${fewestRetries * callsPerRetry}. ` +
  'Retries after all kinds of failures count. ' +
  `A request that the client sent again is not a retry if it comes at its usual interval, after 30 s or, unless the client has several workers, after ${callsUntilNextUse} other calls.`;

/** The retries of the clients that may have a budget for them. */
export class RetryBudgets {
  readonly #retries = new Map<string, number>();
  readonly #byClient: ReadonlyMap<string, readonly Attempt[]>;
  readonly #parallel: ReadonlySet<string>;
  readonly #calls: Calls;

  private constructor(calls: Calls) {
    this.#calls = calls;
    this.#byClient = groupBy(calls.attempts, ({ client }) => client);
    this.#parallel = paceOf(calls.attempts).parallel;
  }

  static *find(calls: Calls): SlicedWork<RetryBudgets> {
    const budgets = new RetryBudgets(calls);
    for (const series of calls.series) {
      yield;
      for (const { before, next } of stepsOf(series)) budgets.count(before, next);
    }
    return budgets;
  }

  /** Counts a call that followed a failed one with the same request or elements, unless it is not a retry. */
  count(before: Attempt, next: Attempt): void {
    if (!mayPass(before) || before.ending === 'gone' || isAtUsualTime(before, next, this.#calls)) return;
    const { client } = before;
    // The workers of a parallel client may fail many times while one of them waits.
    if (!this.#parallel.has(client) && isAfterOthers(before, next, this.#byClient.get(client) ?? [])) return;
    this.#retries.set(client, this.retriesOf(client) + 1);
  }

  retriesOf(client: string): number {
    return this.#retries.get(client) ?? 0;
  }

  /** Whether a client made enough retries to show that it has a policy for them, and may have used up a budget. */
  mayHaveOne(client: string): boolean {
    const calls = this.#byClient.get(client)?.length ?? 0;
    const fewest = Math.min(fewestRetries, Math.max(1, Math.floor(calls / callsPerRetry)));
    return this.retriesOf(client) >= fewest;
  }
}
