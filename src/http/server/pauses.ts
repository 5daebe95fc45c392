/** How long a pause counts as time that clients did not have, in seconds: as long as they may take for a request. */
const pauseCounts = 30;

/** The pauses of the last half minute. All times are in milliseconds. */
export class Pauses {
  /** When the current pause began; null without one. */
  #pausedAt: number | null = null;
  /** The length of the pauses that count, by the second in which they ended. */
  readonly #ended = new Map<number, number>();

  /** Begins a pause, unless one has begun. */
  begin(now: number): void {
    this.#pausedAt ??= now;
  }

  end(now: number): void {
    const second = Math.floor(now / 1000);
    this.#ended.set(second, (this.#ended.get(second) ?? 0) + now - (this.#pausedAt ?? now));
    this.#pausedAt = null;
    this.#forget(now);
  }

  /** Returns the length of all pauses, including the current one. */
  total(now: number): number {
    this.#forget(now);
    const ended = [...this.#ended.values()].reduce((sum, length) => sum + length, 0);
    const current = this.#pausedAt === null ? 0 : Math.max(0, now - this.#pausedAt);
    return ended + current;
  }

  #forget(now: number): void {
    for (const second of this.#ended.keys()) {
      if (second > now / 1000 - pauseCounts) break;
      this.#ended.delete(second);
    }
  }
}
