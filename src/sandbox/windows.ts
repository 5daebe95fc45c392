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
  /**
   * Returns the same, but of the counted calls only the entries that are new or have grown since the last time,
   * and how many entries count now.
   */
  takeNew(): WindowFacts & { readonly counting: number };
  /** The number of moments that it stores in addition to itself. */
  readonly moments: number;
  /** Stores only a few moments from now on, because there is no memory for more. */
  shrink(): void;
}

type WindowFacts = Omit<WindowSettings, 'length'> & { readonly counted: readonly Counted[] };

/**
 * The calls of a moment, with their cost; for a fixed window the start of the window, with the cost of all calls.
 */
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

/**
 * A counter that is reset: one length after its first call, or at each multiple of the length. After the clock was
 * set back by at most a length, the counted calls are in the window of the next call.
 */
class FixedWindow implements Window {
  readonly #length: number;
  readonly #refusedCount: boolean;
  readonly #aligned: boolean;
  readonly moments = 0;
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
      if (!this.#counts(now)) this.#used = 0;
      this.#start = this.#aligned ? Math.floor(now / this.#length) * this.#length : now;
    }
    const admitted = this.#used + cost <= limit;
    if (admitted || this.#refusedCount) this.#used += cost;
    const resetAt = this.#start + this.#length;
    const remaining = Math.max(0, limit - this.#used);
    return { admitted, remaining, resetAt, retryAt: admitted || cost > limit ? null : resetAt };
  }

  used(now: number): number {
    return this.#counts(now) ? this.#used : 0;
  }

  #counts(now: number): boolean {
    return now >= this.#start - this.#length && now < this.#start + this.#length;
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

  shrink(): void {}
}

/** A sliding window with more moments than this counts calls that are close together as one moment. */
const maxExactMoments = 1000;

/** The maximum number of moments after that, in one length of the window. */
const maxRoundedMoments = 1000;

/** The same if there is no memory for more. */
const maxMomentsIfShort = 20;

const nothing: Counted = { at: Number.NEGATIVE_INFINITY, cost: 0 };

/**
 * A log of recent calls. Calls older than the length do not count. Calls of the same moment have one entry. After
 * the clock was set back, calls at most a length ahead of it count as calls of that moment.
 */
class SlidingWindow implements Window {
  readonly #length: number;
  readonly #refusedCount: boolean;
  readonly #log: Counted[] = [];
  #used = 0;
  /** The last entry when `takeNew` was called last. */
  #taken = nothing;
  #facts: WindowFacts | null = null;

  constructor({ length, refusedCount }: WindowSettings, counted: readonly Counted[]) {
    this.#length = length;
    this.#refusedCount = refusedCount;
    for (const { at, cost } of counted) this.#append(at, cost, 0);
    this.#taken = this.#log.at(-1) ?? nothing;
  }

  admit(now: number, cost: number, limit: number): Admission {
    this.#forget((entry) => entry.at <= now - this.#length);
    this.#moveLater(now);
    const admitted = this.#used + cost <= limit;
    if (admitted || this.#refusedCount) this.#add(now, cost);
    const retryAt = admitted || cost > limit ? null : this.#roomAt(cost, limit);
    const resetAt = this.#roomAt(1, limit) ?? now + this.#length;
    return { admitted, remaining: Math.max(0, limit - this.#used), resetAt, retryAt };
  }

  used(now: number): number {
    return this.#log.reduce(
      (sum, { at, cost }) => (at > now - this.#length && at <= now + this.#length ? sum + cost : sum),
      0,
    );
  }

  /** The same object until a call is counted: each request to the control plane reads it several times. */
  facts(): WindowFacts {
    return (this.#facts ??= { kind: 'sliding', refusedCount: this.#refusedCount, counted: [...this.#log] });
  }

  takeNew(): ReturnType<Window['takeNew']> {
    const counted: Counted[] = [];
    for (let index = this.#log.length - 1; index >= 0; index -= 1) {
      const { at, cost } = this.#log[index] ?? nothing;
      if (at < this.#taken.at || (at === this.#taken.at && cost === this.#taken.cost)) break;
      counted.unshift({ at, cost });
    }
    this.#taken = this.#log.at(-1) ?? this.#taken;
    return { kind: 'sliding', refusedCount: this.#refusedCount, counted, counting: this.#log.length };
  }

  get moments(): number {
    return this.#log.length;
  }

  shrink(): void {
    const all = this.#log.splice(0);
    this.#used = 0;
    this.#facts = null;
    // All entries are returned again, in place of those that are gone.
    this.#taken = nothing;
    for (const { at, cost } of all) this.#append(at, cost, this.#length / maxMomentsIfShort);
  }

  #add(at: number, cost: number): void {
    this.#append(at, cost, this.#log.length < maxExactMoments ? 0 : this.#length / maxRoundedMoments);
  }

  /** The clock can be set back. Calls after `now` move to it, unless they are more than a length later. */
  #moveLater(now: number): void {
    let moved = 0;
    for (let last = this.#log.at(-1); last !== undefined && last.at > now; last = this.#log.at(-1)) {
      this.#log.pop();
      this.#used -= last.cost;
      if (last.at <= now + this.#length) moved += last.cost;
      this.#facts = null;
      // All entries are returned again, in place of those that are gone.
      this.#taken = nothing;
    }
    if (moved > 0) this.#append(now, moved, 0);
  }

  /** Adds a call to the last entry if that is at most `distance` older. */
  #append(at: number, cost: number, distance: number): void {
    const last = this.#log.at(-1);
    if (last !== undefined && at - last.at <= distance)
      this.#log[this.#log.length - 1] = { at: last.at, cost: last.cost + cost };
    else this.#log.push({ at, cost });
    this.#used += cost;
    this.#facts = null;
  }

  #forget(whether: (oldest: Counted) => boolean): void {
    let gone = 0;
    for (const entry of this.#log) {
      if (!whether(entry)) break;
      this.#used -= entry.cost;
      gone += 1;
    }
    if (gone === 0) return;
    this.#log.splice(0, gone);
    this.#facts = null;
    // The clock can be set back before an entry that is gone.
    const [first] = this.#log;
    if (first === undefined || first.at > this.#taken.at) this.#taken = nothing;
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
