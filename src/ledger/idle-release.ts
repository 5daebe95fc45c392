import { after } from '../sandbox/clock.ts';
import { idleFor } from '../sandbox/expendable.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** Idle sandboxes are sought this often, in this part of the idle time, but not more often. */
const part = 0.05;
const minPauseMs = 500;

/** Frees the memory of sandboxes that nobody has used for some time. They stay in the database. */
export class IdleRelease {
  readonly #sandboxes: Sandboxes;
  readonly #idleMs: number;
  #timer = { cancel: (): void => {} };

  constructor(sandboxes: Sandboxes, idleSeconds: number) {
    this.#sandboxes = sandboxes;
    this.#idleMs = idleSeconds * 1000;
    this.#releaseLater();
  }

  close(): void {
    this.#timer.cancel();
  }

  #releaseLater(): void {
    this.#timer = after(Math.max(minPauseMs, this.#idleMs * part), () => {
      for (const sandbox of idleFor(this.#idleMs, this.#sandboxes.all)) this.#sandboxes.putAway(sandbox);
      this.#releaseLater();
    });
  }
}
