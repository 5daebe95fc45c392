import { inNextTurn } from './clock.ts';
import type { TurnsToTake } from './turn.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Gives each request a turn of the event loop for itself: many can arrive together, and what each does at once
 * may take almost as long as the others can wait.
 */
export class OwnTurns implements TurnsToTake {
  readonly #waiting = new WaitingLine();
  readonly #onWait: () => void;
  #isTaken = false;

  /** `onWait` is called when a request must wait: other work should leave it room. */
  constructor(onWait: () => void) {
    this.#onWait = onWait;
  }

  /** Calls back now, or in the first turn that no other request has. */
  take(begin: () => void): void {
    if (this.#isTaken) {
      this.#waiting.add(begin);
      return this.#onWait();
    }
    this.#open();
    begin();
  }

  /** Resolves in a turn that no other request has. */
  taken(): Promise<void> {
    return new Promise((done) => this.take(done));
  }

  #open(): void {
    this.#isTaken = true;
    inNextTurn(() => {
      this.#isTaken = false;
      const next = this.#waiting.next();
      if (next === undefined) return;
      if (this.#waiting.length > 0) this.#onWait();
      this.take(next);
    });
  }
}
