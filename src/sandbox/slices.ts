import { cancel, withoutPause, type SlicedWork } from '../base/sliced-work.ts';
import { inNextTurn, stopwatch } from './clock.ts';
import { OwnTurns } from './own-turns.ts';
import { WaitingLine } from './waiting-line.ts';

/** The maximum time for all sliced work in one turn of the event loop. */
const sliceMs = 10;

/**
 * The maximum while clients open connections (the system accepts one per turn), or while requests wait for their own
 * turn.
 */
const hurriedMs = 1;

/** How long this lasts after the last one. */
const hurryMs = 20;

/**
 * Divides long work into slices, so that no request blocks the others: in each turn of the event loop, all
 * work together runs for at most one slice. Interrupted work resumes in the order of its interruption.
 */
export class Slices {
  /** For requests that are not divided: those to the control plane and to pages. */
  readonly ownTurns = new OwnTurns(() => this.hurry());
  readonly #waiting = new WaitingLine();
  #isOpen = false;
  #endsAt = 0;
  #isStopped = false;
  #hurriesUntil = 0;

  /** Whether interrupted work must be aborted. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The time for work in one turn of the event loop, in milliseconds. */
  get turnMs(): number {
    return stopwatch() < this.#hurriesUntil ? hurriedMs : sliceMs;
  }

  /** Makes the next turns shorter, because others may wait for them: a client has opened a connection, for example. */
  hurry(): void {
    this.#hurriesUntil = stopwatch() + hurryMs;
  }

  /** Returns whether work should pause until the next turn of the event loop. */
  isOver(): boolean {
    if (this.#isStopped) return true;
    if (!this.#isOpen) this.#open();
    return stopwatch() >= this.#endsAt;
  }

  /** Calls back when interrupted work may resume. */
  next(callback: () => void): { cancel(): void } {
    if (!this.#isOpen) this.#open();
    return this.#waiting.add(callback);
  }

  /** Does the work in slices. Rejects with the error of the work, or with StoppedError if it is aborted. */
  run<T>(work: SlicedWork<T>): Promise<T> {
    return new Promise((done, fail) => {
      // Works in the callback, not later. Otherwise all waiting callbacks would run first, and the same work
      // would use up every slice.
      const resume = (): void => {
        try {
          // The check is here and not in the work, so that work does not depend on slices.
          while (!this.isOver()) {
            const step = work.next();
            if (step.done === true) return done(step.value);
          }
          if (!this.#isStopped) return void this.next(resume);
          cancel(work);
          fail(new StoppedError('The server has stopped.'));
        } catch (error) {
          // Work can throw any value.
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      };
      resume();
    });
  }

  /** The same, but if the server stops, `work` begins again, and is done without interruption. */
  async runToEnd<T>(work: () => SlicedWork<T>): Promise<T> {
    try {
      return await this.run(work());
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      return withoutPause(work());
    }
  }

  /** Resolves when no work waits to resume. */
  async whenIdle(): Promise<void> {
    do await new Promise<void>((done) => void inNextTurn(done));
    while (this.#waiting.length > 0);
  }

  /** Aborts all interrupted work, now and later. Its callbacks run and must check `isStopped`. */
  stop(): void {
    this.#isStopped = true;
  }

  #open(): void {
    this.#isOpen = true;
    this.#endsAt = stopwatch() + this.turnMs;
    inNextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isOpen = false;
    if (this.#waiting.length === 0) return;
    this.#open();
    // Work that is interrupted again waits behind the others.
    for (let left = this.#waiting.length; left > 0 && (this.#isStopped || !this.isOver()); left -= 1)
      this.#waiting.next()?.();
  }
}

/** Work was aborted because the server has stopped. */
export class StoppedError extends Error {}
