import { after } from '../sandbox/clock.ts';

/** The time until the files are looked at after a change, in milliseconds. */
const checkMs = 1000;

/** Looks at the files after the last of several changes: somebody may just have deleted them. */
export class LateCheck {
  readonly #look: () => void;
  #timer: { cancel(): void } | null = null;

  constructor(look: () => void) {
    this.#look = look;
  }

  soon(): void {
    this.#timer ??= after(checkMs, () => {
      this.#timer = null;
      this.#look();
    });
  }

  end(): void {
    this.#timer?.cancel();
  }
}
