import type { SlicedWork } from '../base/sliced-work.ts';
import { inNextTurn, stopwatch } from './clock.ts';

/** How long work goes on in one turn of the event loop, in milliseconds, all sliced work together. */
const sliceMs = 10;

/**
 * Divides long work into slices, so that no request keeps the others of a server waiting: in each turn of the event loop, work goes on
 * for a slice at most. Work that was interrupted goes on in the order in which it was interrupted.
 */
export class Slices {
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;
  #endsAt = 0;
  #isStopped = false;

  /** Whether all work that pauses is to be given up. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether work should pause until the next turn of the event loop. */
  isOver(): boolean {
    if (this.#isStopped) return true;
    if (!this.#isOpen) this.#open();
    return stopwatch() >= this.#endsAt;
  }

  /** Calls back when work that was interrupted may go on. */
  next(callback: () => void): { cancel(): void } {
    this.#waiting.push(callback);
    if (!this.#isOpen) this.#open();
    return {
      cancel: () => {
        const place = this.#waiting.indexOf(callback);
        if (place >= 0) this.#waiting.splice(place, 1);
      },
    };
  }

  /** Does the work, in as many slices as it takes. Rejects with what the work throws, and with StoppedError if it is given up. */
  run<T>(work: SlicedWork<T>): Promise<T> {
    return new Promise((done, fail) => {
      // Goes on when it is called back, not later: else all that wait would be called back at once, and always the same one would use up the slice.
      const goOn = (): void => {
        try {
          // Interrupted here, not in the work, so that work need not know of slices.
          while (!this.isOver()) {
            const step = work.next();
            if (step.done === true) return done(step.value);
          }
          if (!this.#isStopped) return void this.next(goOn);
          // What is given up returns nothing that anybody reads.
          work.return(undefined as never);
          fail(new StoppedError('The server has stopped.'));
        } catch (error) {
          // Whatever was thrown is passed on.
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      };
      goOn();
    });
  }

  /** Resolves when no work waits to go on. */
  async whenIdle(): Promise<void> {
    do await new Promise<void>((done) => void inNextTurn(done));
    while (this.#waiting.length > 0);
  }

  /** Gives up all work that is interrupted, and all that would be from now on. Each is called back, and must look at `isStopped`. */
  stop(): void {
    this.#isStopped = true;
  }

  #open(): void {
    this.#isOpen = true;
    this.#endsAt = stopwatch() + sliceMs;
    inNextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isOpen = false;
    if (this.#waiting.length === 0) return;
    this.#open();
    // Those that are interrupted again wait behind the others.
    for (let left = this.#waiting.length; left > 0 && (this.#isStopped || !this.isOver()); left -= 1) this.#waiting.shift()?.();
  }
}

/** Work was given up before it was done, because the server has stopped. */
export class StoppedError extends Error {}
