import { inNextTurn } from './clock.ts';
import type { StoredEntry } from './journal-entry.ts';

/** Who is told of what happens to a journal. What a listener throws ends its listening, and reaches nobody else. */
export interface JournalListener {
  exchange(kept: StoredEntry): void;
  /** Somebody emptied it. */
  emptied?(): void;
  /** Nothing more will come: the sandbox is gone, the server stops, or the listener failed. */
  ended?(): void;
}

/** The listeners of one journal. */
export class JournalListeners {
  readonly #all = new Set<JournalListener>();
  #isOver = false;

  /** Returns what ends the listening. */
  add(listener: JournalListener): () => void {
    this.#all.add(listener);
    if (this.#isOver) inNextTurn(() => this.#all.has(listener) && this.#dismiss(listener));
    return () => void this.#all.delete(listener);
  }

  /** Tells all that nothing more will come, and those that come later, too. */
  end(): void {
    this.#isOver = true;
    for (const listener of this.#all) this.#dismiss(listener);
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

  /** A listener that fails disturbs neither the call that is recorded nor the others. */
  #dismiss(listener: JournalListener): void {
    this.#all.delete(listener);
    try {
      listener.ended?.();
    } catch {
      // It was told, and is not told again.
    }
  }
}
