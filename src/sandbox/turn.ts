import { WaitingLine } from './waiting-line.ts';

/** Calls back in a turn of the event loop that nobody else has: now, or later (`OwnTurns`). */
export interface TurnsToTake {
  take(begin: () => void): void;
}

/**
 * Serializes access, such as to the state of a sandbox: a batch that changes records holds the turn while it
 * is interrupted, so that no other request sees part of its changes.
 */
export class Turn {
  readonly #turns: TurnsToTake;
  readonly #waiting = new WaitingLine();
  #isTaken = false;
  #isReleasing = false;

  /** Hundreds of requests may wait. Each continues in one of `turns`. */
  constructor(turns: TurnsToTake) {
    this.#turns = turns;
  }

  /** Whether a request has the turn now. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether a new request must wait: one has the turn, or others wait for it. */
  get isBusy(): boolean {
    return this.#isTaken || this.#waiting.length > 0;
  }

  /** Takes the turn, which must be free. Returns a function that releases it. */
  take(): () => void {
    this.#isTaken = true;
    return () => {
      this.#isTaken = false;
      this.#release();
    };
  }

  /** Calls back when the turn, which must be busy, is free. */
  whenFree(callback: () => void): { cancel(): void } {
    return this.#waiting.add(callback);
  }

  #release(): void {
    if (this.#isReleasing || this.#waiting.length === 0) return;
    this.#isReleasing = true;
    this.#turns.take(() => {
      this.#isReleasing = false;
      // A callback may take the turn again; then the others continue to wait.
      if (!this.#isTaken) this.#waiting.next()?.();
      if (!this.#isTaken) this.#release();
    });
  }
}
