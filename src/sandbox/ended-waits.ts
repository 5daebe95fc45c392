import type { TurnsToTake } from './turn.ts';

export interface Wait {
  /** On the clock. */
  readonly endsAt: number;
  readonly isShort: boolean;
  /** The setting of the clock that has ended it; null if none has. */
  endedAt: number | null;
  /** Calls back. */
  readonly end: () => void;
}

/** The maximum number of short callbacks in one turn of the event loop. */
const maxShortAtOnce = 50;

/**
 * The waits that are over. Many can end at the same time, so each calls back in a turn of the event loop of its own,
 * except for short callbacks.
 */
export class EndedWaits {
  /** Whether they call back in the order in which they were added, and not in that of their ends. */
  isHurried = false;
  /** The wait that calls back, if a setting of the clock has ended it. */
  current: Wait | null = null;
  readonly #turns: TurnsToTake;
  readonly #waits = new Set<Wait>();
  readonly #whenReleased: (() => void)[] = [];
  #isReleasing = false;

  constructor(turns: TurnsToTake) {
    this.#turns = turns;
  }

  add(waits: readonly Wait[]): void {
    for (const wait of waits) this.#waits.add(wait);
    if (this.#isReleasing || this.#waits.size === 0) return;
    this.#isReleasing = true;
    this.#releaseNext();
  }

  delete(wait: Wait): void {
    this.#waits.delete(wait);
  }

  /** Resolves when all have called back. */
  async released(): Promise<void> {
    if (this.#isReleasing) await new Promise<void>((done) => this.#whenReleased.push(done));
  }

  #releaseNext(): void {
    this.#turns.take(() => {
      try {
        this.#callBack();
      } finally {
        if (this.#waits.size > 0) this.#releaseNext();
        else {
          this.#isReleasing = false;
          for (const done of this.#whenReleased.splice(0)) done();
        }
      }
    });
  }

  /** Ends the next wait, or some with short callbacks. */
  #callBack(): void {
    for (let ended = 0; ended < maxShortAtOnce; ended += 1) {
      const first = this.#next();
      if (first === null || (ended > 0 && !first.isShort)) return;
      this.current = first.endedAt === null ? null : first;
      try {
        first.end();
      } finally {
        this.current = null;
      }
      if (!first.isShort) return;
    }
  }

  #next(): Wait | null {
    // One that leads to another one, again and again, must not overtake those that end later.
    if (this.isHurried) return this.#waits.values().next().value ?? null;
    let first: Wait | null = null;
    for (const wait of this.#waits) if (first === null || wait.endsAt < first.endsAt) first = wait;
    return first;
  }
}
