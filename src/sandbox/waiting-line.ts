/**
 * Callbacks in the order of their arrival. Each can leave at any time, at the same cost however many others
 * wait.
 */
export class WaitingLine {
  readonly #waiting = new Set<{ readonly callback: () => void }>();

  get length(): number {
    return this.#waiting.size;
  }

  add(callback: () => void): { cancel(): void } {
    const entry = { callback };
    this.#waiting.add(entry);
    return { cancel: () => void this.#waiting.delete(entry) };
  }

  /** Removes the first callback, and returns it. */
  next(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.delete(first);
    return first.callback;
  }
}
