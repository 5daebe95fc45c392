import { setTimeout as sleep } from 'node:timers/promises';
import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  ExponentialBackoff,
  handleWhen,
  retry,
  wrap,
  type IPolicy,
} from 'cockatiel';
import CircuitBreaker from 'opossum';
import pRetry, { AbortError } from 'p-retry';
import { asLost, CallError, isWorthRetrying, type Client, type Context, type Send } from '../kit/api.ts';
import { inGroups, pooled, serially, workDay, type Run } from '../kit/day.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Exemplary } from '../spec.ts';

const retryAfterOf = (error: unknown): number =>
  error instanceof CallError && error.retryAfter !== null ? error.retryAfter : 0;

function pRetrySend(context: Context): Send {
  const send = fetchSend(context);
  return async (operation, elements) => {
    try {
      return await pRetry(() => send(operation, elements), {
        retries: 5,
        factor: 2,
        minTimeout: 500,
        maxTimeout: 20_000,
        randomize: true,
        signal: context.signal,
        shouldRetry: ({ error }) => isWorthRetrying(operation, error),
        onFailedAttempt: async ({ error, retriesLeft }) => {
          if (retriesLeft > 0 && isWorthRetrying(operation, error)) await sleep(retryAfterOf(error));
        },
      });
    } catch (error) {
      throw error instanceof AbortError ? error : asLost(error);
    }
  };
}

/** Retries with the decorrelated jitter that cockatiel has by default, or as long as Retry-After says. */
function cockatielRetry(operation: string): IPolicy {
  const pauses = new ExponentialBackoff({ initialDelay: 500, maxDelay: 20_000 });
  type Pauses = ReturnType<typeof pauses.next>;
  return retry(
    handleWhen((error) => isWorthRetrying(operation, error)),
    {
      maxAttempts: 5,
      backoff: new DelegateBackoff((failed, last: Pauses | undefined) => {
        const next = last === undefined ? pauses.next() : last.next(undefined);
        const error = 'error' in failed.result ? failed.result.error : undefined;
        return { delay: next.duration + retryAfterOf(error), state: next };
      }),
    },
  );
}

function cockatielSend(context: Context, around: (retries: IPolicy) => IPolicy): Send {
  const send = fetchSend(context);
  return (operation, elements) => around(cockatielRetry(operation)).execute(() => send(operation, elements));
}

/** One breaker for the whole service: while it is open, calls fail at once, without being sent. */
function withBreaker(): (retries: IPolicy) => IPolicy {
  const isTemporary = handleWhen((error) => error instanceof CallError && error.reason !== 'refused');
  const breaker = circuitBreaker(isTemporary, {
    halfOpenAfter: 3000,
    breaker: new ConsecutiveBreaker(3),
  });
  return (retries) => wrap(retries, breaker);
}

/** Retries around a breaker for each operation, which lets one call through every 2 s while it is open. */
function breakersSend(context: Context): Send {
  const send = fetchSend(context);
  const isTemporary = handleWhen((error) => error instanceof CallError && error.reason !== 'refused');
  const breakers = new Map<string, IPolicy>();
  return (operation, elements) => {
    const breaker =
      breakers.get(operation) ??
      circuitBreaker(isTemporary, { halfOpenAfter: 2000, breaker: new ConsecutiveBreaker(3) });
    breakers.set(operation, breaker);
    return cockatielRetry(operation).execute(() => breaker.execute(() => send(operation, elements)));
  };
}

/** Opens after half of the calls failed, and tries again after 3 s. Failures are not retried otherwise. */
function opossumSend(context: Context, inner: Send): Send {
  const breaker = new CircuitBreaker((...call: Parameters<Send>) => inner(...call), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 4,
    resetTimeout: 3000,
    errorFilter: (error) => error instanceof CallError && error.reason === 'refused',
  });
  context.signal.addEventListener('abort', () => breaker.shutdown());
  return (operation, elements) => breaker.fire(operation, elements);
}

function client(sendOf: (context: Context) => Send, run: Run): Client {
  return (context) => workDay(context, sendOf(context), run);
}

const retried = (context: Context): Send =>
  retrying(fetchSend(context), context, goodPolicy(equalJitter(context.random)));

export const policies: readonly Exemplary[] = [
  {
    name: 'p-retry-serial',
    is: 'p-retry around fetch, with random factors, one call after another.',
    random: 'its pauses',
    run: client(pRetrySend, serially),
  },
  {
    name: 'p-retry-parallel',
    is: 'p-retry around fetch, 8 calls at a time.',
    random: 'some pauses',
    run: client(pRetrySend, inGroups(8)),
  },
  {
    name: 'cockatiel-retry',
    is: "cockatiel's retries around fetch, with its decorrelated jitter.",
    random: 'its pauses',
    run: client((context) => cockatielSend(context, (retries) => retries), serially),
  },
  {
    name: 'cockatiel-breaker',
    is: "cockatiel's retries around a circuit breaker that opens after three failures in a row, 4 workers.",
    random: 'some pauses',
    run: client((context) => cockatielSend(context, withBreaker()), pooled(4)),
  },
  {
    name: 'cockatiel-breakers',
    is: 'The same with a breaker for each operation, 3 workers.',
    random: 'some pauses',
    run: client(breakersSend, pooled(3)),
  },
  {
    name: 'cockatiel-bulkhead',
    is: "cockatiel's bulkhead of 5 calls in flight around its retries, 20 calls at a time.",
    random: 'some pauses',
    run: client((context) => {
      const compartment = bulkhead(5, 100);
      return cockatielSend(context, (retries) => wrap(compartment, retries));
    }, inGroups(20)),
  },
  {
    name: 'opossum-retries',
    is: 'An opossum circuit breaker around each try of a retrying client; it fails fast while it is open.',
    random: 'some pauses',
    run: client(
      (context) =>
        retrying(opossumSend(context, fetchSend(context)), context, goodPolicy(equalJitter(context.random))),
      serially,
    ),
  },
  {
    name: 'opossum-outside',
    is: 'An opossum circuit breaker around a retrying client, 6 calls at a time.',
    random: 'some pauses',
    run: client((context) => opossumSend(context, retried(context)), inGroups(6)),
  },
];
