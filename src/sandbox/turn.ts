/**
 * Who may use the state of a sandbox. A batch that changes records has it to itself while it is interrupted, so that nobody sees it half
 * done; everybody else waits meanwhile.
 */
export class Turn {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Takes the turn, which must be free, until the function that it returns is called. */
  take(): () => void {
    this.#isTaken = true;
    return () => {
      this.#isTaken = false;
      // Each may take the turn in its place; then the others go on waiting.
      while (!this.#isTaken) {
        const next = this.#waiting.shift();
        if (next === undefined) return;
        next();
      }
    };
  }

  /** Calls back as soon as the turn, which must be taken, is free. */
  whenFree(callback: () => void): { cancel(): void } {
    this.#waiting.push(callback);
    return {
      cancel: () => {
        const place = this.#waiting.indexOf(callback);
        if (place >= 0) this.#waiting.splice(place, 1);
      },
    };
  }
}
