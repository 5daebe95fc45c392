import { after, stopwatch } from './clock.ts';
import { StorageError } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';

/** Below the maximum delay of a timer, which is 2³¹ ms. */
const maxTimerMs = 86_400_000;

/** When a removal that failed is tried again. */
const retryMs = 1000;

/** Removes sandboxes that were not used for their `ttlSeconds`. */
export class Expiries {
  readonly #remove: (sandbox: Sandbox) => void;
  readonly #timers = new Map<Sandbox, { cancel(): void }>();

  constructor(remove: (sandbox: Sandbox) => void) {
    this.#remove = remove;
  }

  watch(sandbox: Sandbox): void {
    if (sandbox.ttlSeconds === null) return;
    if (sandbox.requestsInFlight > 0) sandbox.touch();
    const left = sandbox.ttlSeconds * 1000 - (stopwatch() - sandbox.lastUsed);
    if (left > 0 || !this.#isRemoved(sandbox))
      this.#timers.set(
        sandbox,
        after(Math.min(left > 0 ? left : retryMs, maxTimerMs), () => this.watch(sandbox)),
      );
  }

  #isRemoved(sandbox: Sandbox): boolean {
    try {
      this.#remove(sandbox);
      return true;
    } catch (error) {
      if (error instanceof StorageError) return false;
      throw error;
    }
  }

  forget(sandbox: Sandbox): void {
    this.#timers.get(sandbox)?.cancel();
    this.#timers.delete(sandbox);
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
