import { after } from '../sandbox/clock.ts';

/** Acts once some time after the first of several requests to do so. */
export class Soon {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: { cancel(): void } | null = null;

  constructor(ms: number, act: () => void) {
    this.#ms = ms;
    this.#act = act;
  }

  request(): void {
    this.#timer ??= after(this.#ms, () => {
      this.#timer = null;
      this.#act();
    });
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  /** Acts now if it is due, also after `cancel`. */
  hurry(): void {
    if (this.#timer === null) return;
    this.#timer.cancel();
    this.#timer = null;
    this.#act();
  }
}
