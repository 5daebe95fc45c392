import { setTimeout as sleep } from 'node:timers/promises';
import { isWorthRetrying, type CallError, type Context, type Send } from './api.ts';

/** Returns the pause before a retry in milliseconds, after so many failures and the last pause. */
export type Pause = (failures: number, last: number) => number;

const baseMs = 400;
const mostMs = 20_000;

const ceiling = (failures: number): number => Math.min(mostMs, baseMs * 2 ** failures);

/** Anything from nothing to the exponential ceiling. */
export function fullJitter(random: () => number): Pause {
  return (failures) => random() * ceiling(failures);
}

/** At least half of the exponential ceiling. */
export function equalJitter(random: () => number): Pause {
  return (failures) => (0.5 + random() / 2) * ceiling(failures);
}

/** Up to three times the last pause. */
export function decorrelatedJitter(random: () => number): Pause {
  return (_, last) => Math.min(mostMs, baseMs + random() * (3 * Math.max(last, baseMs) - baseMs));
}

/** How a client retries. Each of the bad clients differs from the good ones in one of these. */
export interface RetryPolicy {
  readonly pause: Pause;
  readonly tries: number;
  readonly heedsRetryAfter: boolean;
  /** Whether all calls of an operation wait for its Retry-After, not only the call that got it. */
  readonly sharesRetryAfter: boolean;
  readonly retries: (operation: string, error: unknown) => boolean;
}

export function goodPolicy(pause: Pause): RetryPolicy {
  return {
    pause,
    tries: 6,
    heedsRetryAfter: true,
    sharesRetryAfter: true,
    retries: isWorthRetrying,
  };
}

/** Sends a call again after temporary failures. */
export function retrying(send: Send, { signal, random }: Context, policy: RetryPolicy): Send {
  const blockedUntil = new Map<string, number>();
  /** Waits for a Retry-After that another call of the operation got, and a little longer: not all at once. */
  const unblocked = async (operation: string): Promise<void> => {
    for (;;) {
      const rest = (blockedUntil.get(operation) ?? 0) - Date.now();
      if (rest <= 0) return;
      await sleep(rest + random() * 1000, undefined, { signal });
    }
  };
  return async (operation, elements, own) => {
    let last = 0;
    for (let failures = 1; ; failures += 1) {
      await unblocked(operation);
      try {
        return await send(operation, elements, own);
      } catch (error) {
        own?.throwIfAborted();
        // `retries` accepts only errors of this class.
        const { retryAfter = null } = error as Partial<CallError>;
        const wait = policy.heedsRetryAfter ? retryAfter : null;
        if (wait !== null && policy.sharesRetryAfter) {
          const free = Date.now() + wait + 10;
          blockedUntil.set(operation, Math.max(free, blockedUntil.get(operation) ?? 0));
        }
        if (failures >= policy.tries || !policy.retries(operation, error)) throw error;
        last = policy.pause(failures, last);
        await sleep(wait === null ? last : wait + Math.min(last, 1000), undefined, { signal });
      }
    }
  };
}
