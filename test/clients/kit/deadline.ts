/**
 * Aborts after a time, or when one of the signals does. `AbortSignal.any` with `AbortSignal.timeout` is not enough:
 * Node 20 may collect the timeout as garbage before it fires, and the client waits for ever.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #signals: readonly AbortSignal[];
  readonly #abort = (): void => this.#controller.abort();

  /** `ms` is null for none. */
  constructor(ms: number | null, ...signals: readonly (AbortSignal | null | undefined)[]) {
    this.#signals = signals.filter((signal) => signal !== null && signal !== undefined);
    if (ms !== null) this.#timer = setTimeout(this.#abort, ms);
    for (const signal of this.#signals) {
      if (signal.aborted) this.#abort();
      signal.addEventListener('abort', this.#abort);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The work is done. */
  end(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#abort);
  }
}
