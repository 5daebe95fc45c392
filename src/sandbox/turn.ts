import { WaitingLine } from './waiting-line.ts';

/**
 * Serializes access, such as to the state of a sandbox: a batch that changes records holds the turn while it
 * is interrupted, so that no other request sees part of its changes.
 */
export class Turn {
  readonly #waiting = new WaitingLine();
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Takes the turn, which must be free. Returns a function that releases it. */
  take(): () => void {
    this.#isTaken = true;
    return () => {
      this.#isTaken = false;
      // A callback may take the turn again; then the others continue to wait.
      while (!this.#isTaken) {
        const next = this.#waiting.next();
        if (next === undefined) return;
        next();
      }
    };
  }

  /** Calls back when the turn, which must be taken, is free. */
  whenFree(callback: () => void): { cancel(): void } {
    return this.#waiting.add(callback);
  }
}
