/** The decision about one call. Times are in milliseconds on the sandbox's clock. */
export interface Admission {
  readonly admitted: boolean;
  /** The number of calls left after this one. */
  readonly remaining: number;
  /** When the window ends, or for a sliding window when the oldest call leaves it. */
  readonly resetAt: number;
  /** When the same call would be admitted. Null if it is admitted now, or never would be. */
  readonly retryAt: number | null;
}

/** Counts the calls of one caller to one operation over a period. */
export interface Window {
  /** Counts a call with a cost, and admits it if the limit allows. */
  admit(now: number, cost: number, limit: number): Admission;
  /** Returns the calls that count at `now`. */
  used(now: number): number;
}

export type WindowKind = 'fixed-from-first' | 'fixed-aligned' | 'sliding';

export function createWindow(kind: WindowKind, length: number, refusedCount: boolean): Window {
  return kind === 'sliding'
    ? new SlidingWindow(length, refusedCount)
    : new FixedWindow(length, refusedCount, kind === 'fixed-aligned');
}

/** A counter that is reset: one length after its first call, or at each multiple of the length. */
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

/** A log of recent calls. Calls older than the length do not count. */
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
    return this.#log.reduce(
      (sum, { at, cost }) => (at > now - this.#length && at <= now ? sum + cost : sum),
      0,
    );
  }

  /** Drops the oldest entries if the rest still use up the limit, so the log never exceeds the limit. */
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
