import { workDay, pooled, serially, type Run } from '../kit/day.ts';
import type { Client, Send } from '../kit/api.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Exemplary } from '../spec.ts';

/** Counts calls, and says whether there is room for one more retry, so that retries add little load to an outage. */
interface Budget {
  readonly sent: () => void;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** Takes a retry if there is room for it. */
  readonly take: () => boolean;
}

/** A reserve of 4 retries, and one more for every 5 successes. */
function reserve(): Budget {
  let left = 4;
  return {
    sent: () => undefined,
    succeeded: () => (left = Math.min(10, left + 0.2)),
    failed: () => undefined,
    take: () => {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** As gRPC clients do: a failure takes a token of 10, a success gives back a tenth; half of them must be left. */
function throttling(): Budget {
  let tokens = 10;
  return {
    sent: () => undefined,
    succeeded: () => (tokens = Math.min(10, tokens + 0.1)),
    failed: () => (tokens = Math.max(0, tokens - 1)),
    take: () => tokens > 5,
  };
}

/** At most a tenth of all calls so far, from the first one on. */
function tenth(): Budget {
  let calls = 0;
  let retries = 0;
  return {
    sent: () => (calls += 1),
    succeeded: () => undefined,
    failed: () => undefined,
    take: () => {
      if (retries + 1 > calls / 10) return false;
      retries += 1;
      return true;
    },
  };
}

function onBudget(create: () => Budget, run: Run): Client {
  return async (context) => {
    const budget = create();
    const send = fetchSend(context);
    const good = goodPolicy(equalJitter(context.random));
    const counted: Send = async (...call) => {
      budget.sent();
      try {
        const outputs = await send(...call);
        budget.succeeded();
        return outputs;
      } catch (error) {
        budget.failed();
        throw error;
      }
    };
    const retries = (operation: string, error: unknown): boolean =>
      good.retries(operation, error) && budget.take();
    await workDay(context, retrying(counted, context, { ...good, retries }), run);
  };
}

export const budgets: readonly Exemplary[] = [
  {
    name: 'retry-budget',
    is: 'Retries only while at most a fifth of its calls are retries.',
    random: 'some pauses',
    run: onBudget(reserve, pooled(3)),
  },
  {
    name: 'retry-throttling',
    is: 'Stops all retries after several failures, until enough calls succeed, as gRPC clients do.',
    random: 'some pauses',
    run: onBudget(throttling, serially),
  },
  {
    name: 'retry-tenth',
    is: 'Retries only while at most a tenth of all its calls so far are retries, with 2 workers.',
    random: 'some pauses',
    run: onBudget(tenth, pooled(2)),
  },
];
