import { after, stopwatch } from '../../sandbox/clock.ts';

/** The pause before a checkpoint. A killed recording loses this and the time of writing. */
const minPauseMs = 500;

/** The pause is at least this many times as long as writing took, so that large recordings do not slow down calls. */
const pausePerWriting = 4;

/** Writes checkpoints some time after changes. */
export class Checkpoints {
  readonly #write: () => Promise<void>;
  #pauseMs = minPauseMs;
  #timer: { cancel(): void } | null = null;
  #isWriting = false;
  #isAgain = false;

  /** `write` must not reject. */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Reports a change. */
  request(): void {
    if (this.#isWriting) this.#isAgain = true;
    else this.#timer ??= after(this.#pauseMs, () => void this.#run());
  }

  /** Writes no more checkpoints, except one that is being written. */
  stop(): void {
    this.#timer?.cancel();
    this.#isWriting = true;
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#isWriting = true;
    this.#isAgain = false;
    const started = stopwatch();
    await this.#write();
    this.#pauseMs = Math.max(minPauseMs, pausePerWriting * (stopwatch() - started));
    this.#isWriting = false;
    if (this.#isAgain) this.request();
  }
}
