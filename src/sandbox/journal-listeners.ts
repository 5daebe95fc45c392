import { inNextTurn } from './clock.ts';
import type { StoredEntry } from './journal-entry.ts';

/** Listens to a journal. A listener that throws is removed; the error does not affect others. */
export interface JournalListener {
  exchange(entry: StoredEntry): void;
  /** Called when more entries are stored. */
  stored?(): void;
  /** Called after the journal was cleared. */
  emptied?(): void;
  /**
   * Called when no more entries will come: the sandbox was deleted or has a new token, the server stops,
   * or the listener failed.
   */
  ended?(): void;
}

/** The listeners of one journal. */
export class JournalListeners {
  readonly #all = new Set<JournalListener>();
  #isOver = false;

  get count(): number {
    return this.#all.size;
  }

  /** Returns a function that removes the listener. */
  add(listener: JournalListener): () => void {
    this.#all.add(listener);
    if (this.#isOver) inNextTurn(() => this.#all.has(listener) && this.#dismiss(listener));
    return () => void this.#all.delete(listener);
  }

  /** Ends all listeners, including later ones. */
  end(): void {
    this.#isOver = true;
    this.disconnect();
  }

  /** Ends all listeners. */
  disconnect(): void {
    for (const listener of this.#all) this.#dismiss(listener);
  }

  notify(call: (listener: JournalListener) => void): void {
    if (this.#all.size === 0) return;
    for (const listener of this.#all) {
      try {
        call(listener);
      } catch {
        this.#dismiss(listener);
      }
    }
  }

  /** Removes a listener and calls its `ended`. */
  #dismiss(listener: JournalListener): void {
    this.#all.delete(listener);
    try {
      listener.ended?.();
    } catch {
      // The listener is removed anyway.
    }
  }
}
