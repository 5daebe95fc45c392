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
  /** Returns its settings but the length, and the counted calls, for `createWindow`. */
  facts(): WindowFacts;
  /** Returns the same, but of the counted calls only those since the last time, and how many count now. */
  takeNew(): WindowFacts & { readonly counting: number };
}

type WindowFacts = Omit<WindowSettings, 'length'> & { readonly counted: readonly Counted[] };

/** A call that counts, with its cost; for a fixed window the start of the window, with the cost of all calls. */
export interface Counted {
  readonly at: number;
  readonly cost: number;
}

export type WindowKind = 'fixed-from-first' | 'fixed-aligned' | 'sliding';

/** The settings of a window. `length` is in milliseconds. */
export interface WindowSettings {
  readonly kind: WindowKind;
  readonly length: number;
  readonly refusedCount: boolean;
}

/** Creates a window, with the calls that another of the same kind has counted. */
export function createWindow(settings: WindowSettings, counted: readonly Counted[] = []): Window {
  return settings.kind === 'sliding'
    ? new SlidingWindow(settings, counted)
    : new FixedWindow(settings, counted);
}

/** A counter that is reset: one length after its first call, or at each multiple of the length. */
class FixedWindow implements Window {
  readonly #length: number;
  readonly #refusedCount: boolean;
  readonly #aligned: boolean;
  #start = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor({ kind, length, refusedCount }: WindowSettings, [counted]: readonly Counted[]) {
    this.#length = length;
    this.#refusedCount = refusedCount;
    this.#aligned = kind === 'fixed-aligned';
    if (counted === undefined) return;
    this.#start = counted.at;
    this.#used = counted.cost;
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

  facts(): WindowFacts {
    return {
      kind: this.#aligned ? 'fixed-aligned' : 'fixed-from-first',
      refusedCount: this.#refusedCount,
      counted: Number.isFinite(this.#start) ? [{ at: this.#start, cost: this.#used }] : [],
    };
  }

  takeNew(): ReturnType<Window['takeNew']> {
    return {
      kind: this.#aligned ? 'fixed-aligned' : 'fixed-from-first',
      refusedCount: this.#refusedCount,
      counted: [{ at: this.#start, cost: this.#used }],
      counting: 1,
    };
  }
}

/** A log of recent calls. Calls older than the length do not count. */
class SlidingWindow implements Window {
  readonly #length: number;
  readonly #refusedCount: boolean;
  readonly #log: Counted[];
  #used: number;
  /** The number of entries that `takeNew` has not returned yet. */
  #added = 0;

  constructor({ length, refusedCount }: WindowSettings, counted: readonly Counted[]) {
    this.#length = length;
    this.#refusedCount = refusedCount;
    this.#log = [...counted];
    this.#used = counted.reduce((sum, { cost }) => sum + cost, 0);
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

  facts(): WindowFacts {
    const counted = this.#log.map(({ at, cost }) => ({ at, cost }));
    return { kind: 'sliding', refusedCount: this.#refusedCount, counted };
  }

  takeNew(): ReturnType<Window['takeNew']> {
    const counted = this.#added === 0 ? [] : this.#log.slice(-this.#added);
    this.#added = 0;
    return { kind: 'sliding', refusedCount: this.#refusedCount, counted, counting: this.#log.length };
  }

  /** Drops the oldest entries if the rest still use up the limit, so the log never exceeds the limit. */
  #add(at: number, cost: number, limit: number): void {
    this.#log.push({ at, cost });
    this.#added += 1;
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
