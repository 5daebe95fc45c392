import type { KeptExchange } from './journal-entry.ts';

/** Who is told of what happens to a journal. What a listener throws ends its listening, and reaches nobody else. */
export interface JournalListener {
  exchange(kept: KeptExchange): void;
  /** Somebody emptied it. */
  emptied?(): void;
  /** Nothing more will come: the sandbox is gone, or the listener failed. */
  ended?(): void;
}

/** The listeners of one journal. */
export class JournalListeners {
  readonly #all = new Set<JournalListener>();

  /** Returns what ends the listening. */
  add(listener: JournalListener): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  tell(what: (listener: JournalListener) => void): void {
    if (this.#all.size === 0) return;
    for (const listener of this.#all) {
      try {
        what(listener);
      } catch {
        this.#dismiss(listener);
      }
    }
  }

  /** The call that is recorded must not notice that a listener fails. */
  #dismiss(listener: JournalListener): void {
    this.#all.delete(listener);
    try {
      listener.ended?.();
    } catch {
      // It was told, and is not told again.
    }
  }
}
