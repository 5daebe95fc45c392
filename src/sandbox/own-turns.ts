import { inNextTurn } from './clock.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Gives each request a turn of the event loop for itself: many can arrive together, and what each does at once
 * may take almost as long as the others can wait.
 */
export class OwnTurns {
  readonly #waiting = new WaitingLine();
  #isTaken = false;

  /** Calls back now, or in the first turn that no other request has. */
  take(begin: () => void): void {
    if (this.#isTaken) return void this.#waiting.add(begin);
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
      if (next !== undefined) this.take(next);
    });
  }
}
