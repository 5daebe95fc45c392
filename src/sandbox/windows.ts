/** What a window says of one call. Times are on the sandbox's clock, in milliseconds. */
export interface Admission {
  readonly admitted: boolean;
  /** What is left of the limit after this call. */
  readonly remaining: number;
  /** When the limit is whole again, or (sliding) when something of it comes back. */
  readonly resetAt: number;
  /** From when on the same call would be admitted; null where it is, or never would be. */
  readonly retryAt: number | null;
}

/** The calls of one caller to one operation, counted over a time. */
export interface Window {
  /** Counts a call that costs `cost` at `now`, and admits it where the limit allows. */
  admit(now: number, cost: number, limit: number): Admission;
  /** What is counted at `now`. */
  used(now: number): number;
}

export type WindowKind = 'fixed-from-first' | 'fixed-aligned' | 'sliding';

export function createWindow(kind: WindowKind, length: number, refusedCount: boolean): Window {
  return kind === 'sliding' ? new SlidingWindow(length, refusedCount) : new FixedWindow(length, refusedCount, kind === 'fixed-aligned');
}

/** One counter that starts anew: a length after its first call, or whenever the clock passes a multiple of the length. */
class FixedWindow implements Window {
  readonly #length: number;
  readonly #refusedCount: boolean;
  readonly #aligned: boolean;
  #start = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(length: number, refusedCount: boolean, aligned: boolean) {
    this.#length = length;
    this.#refusedCount = refusedCount;
    this.#aligned = aligned;
  }

  admit(now: number, cost: number, limit: number): Admission {
    if (now < this.#start || now >= this.#start + this.#length) {
      this.#start = this.#aligned ? Math.floor(now / this.#length) * this.#length : now;
      this.#used = 0;
    }
    const admitted = this.#used + cost <= limit;
    if (admitted || this.#refusedCount) this.#used += cost;
    const resetAt = this.#start + this.#length;
    const remaining = Math.max(0, limit - this.#used);
    return { admitted, remaining, resetAt, retryAt: admitted || cost > limit ? null : resetAt };
  }

  used(now: number): number {
    return now < this.#start || now >= this.#start + this.#length ? 0 : this.#used;
  }
}

/** A log of the last calls; those older than the length no longer count. */
class SlidingWindow implements Window {
  readonly #length: number;
  readonly #refusedCount: boolean;
  #log: { readonly at: number; readonly cost: number }[] = [];
  #used = 0;

  constructor(length: number, refusedCount: boolean) {
    this.#length = length;
    this.#refusedCount = refusedCount;
  }

  admit(now: number, cost: number, limit: number): Admission {
    this.#forget((entry) => entry.at <= now - this.#length);
    if ((this.#log.at(-1)?.at ?? now) > now) this.#forget(() => true);
    const admitted = this.#used + cost <= limit;
    if (admitted || this.#refusedCount) this.#add(now, cost, limit);
    const retryAt = admitted || cost > limit ? null : this.#roomAt(cost, limit);
    const resetAt = (this.#log[0]?.at ?? now) + this.#length;
    return { admitted, remaining: Math.max(0, limit - this.#used), resetAt, retryAt };
  }

  used(now: number): number {
    return this.#log.reduce((sum, { at, cost }) => (at > now - this.#length && at <= now ? sum + cost : sum), 0);
  }

  /** Entries without which the limit is still used up decide nothing, so the log never holds more than the limit. */
  #add(at: number, cost: number, limit: number): void {
    this.#log.push({ at, cost });
    this.#used += cost;
    this.#forget((oldest) => this.#used - oldest.cost >= limit);
  }

  #forget(whether: (oldest: { readonly at: number; readonly cost: number }) => boolean): void {
    let gone = 0;
    for (const entry of this.#log) {
      if (!whether(entry)) break;
      this.#used -= entry.cost;
      gone += 1;
    }
    if (gone > 0) this.#log.splice(0, gone);
  }

  #roomAt(cost: number, limit: number): number | null {
    let used = this.#used;
    for (const entry of this.#log) {
      used -= entry.cost;
      if (used + cost <= limit) return entry.at + this.#length;
    }
    return null;
  }
}
