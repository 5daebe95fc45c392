import type { WindowKind } from '../../src/sandbox/windows.ts';

/** What a window is made of. */
export interface Rules {
  readonly kind: WindowKind;
  readonly length: number;
  readonly limit: number;
  readonly refusedCount: boolean;
}

interface Past {
  readonly at: number;
  readonly cost: number;
  readonly admitted: boolean;
}

/**
 * The limits by brute force: every call is kept, and every question is answered by going through all of them
 * again, moment by moment. Times are whole and never go back.
 */
export class Oracle {
  readonly #rules: Rules;
  readonly #past: Past[] = [];

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Whether a call is admitted; it is one of the past from then on. */
  admit(at: number, cost: number): boolean {
    const admitted = this.wouldAdmit(at, cost);
    this.#past.push({ at, cost, admitted });
    return admitted;
  }

  wouldAdmit(at: number, cost: number): boolean {
    return this.#used(at) + cost <= this.#rules.limit;
  }

  /** What is left at a moment. */
  remaining(at: number): number {
    return Math.max(0, this.#rules.limit - this.#used(at));
  }

  /**
   * The first moment at which such a call is admitted if nobody calls before; null if it is never admitted.
   */
  retryAt(now: number, cost: number): number | null {
    for (let at = now; at <= now + this.#rules.length; at += 1) if (this.wouldAdmit(at, cost)) return at;
    return null;
  }

  /**
   * The first moment at which something of the limit has come back; a whole length from now where nothing of
   * it is used.
   */
  moreAt(now: number): number {
    const left = this.remaining(now);
    for (let at = now; at < now + this.#rules.length; at += 1) if (this.remaining(at) > left) return at;
    return now + this.#rules.length;
  }

  /** What the calls that count in the window of a moment have cost. */
  #used(at: number): number {
    return this.#past
      .filter((_, index) => this.#isInWindow(index, at))
      .filter(({ admitted }) => admitted || this.#rules.refusedCount)
      .reduce((sum, { cost }) => sum + cost, 0);
  }

  #isInWindow(index: number, at: number): boolean {
    const { kind, length } = this.#rules;
    const call = this.#past[index]?.at ?? 0;
    switch (kind) {
      case 'sliding':
        return call > at - length;
      case 'fixed-aligned':
        return Math.floor(call / length) === Math.floor(at / length);
      case 'fixed-from-first': {
        const start = this.#windowStart();
        return call >= start && at < start + length;
      }
    }
  }

  /** When the last window began: with the first call that no earlier window held. */
  #windowStart(): number {
    return this.#past.reduce(
      (start, { at }) => (at < start + this.#rules.length ? start : at),
      Number.NEGATIVE_INFINITY,
    );
  }
}
