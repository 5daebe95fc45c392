/** A cache that can be emptied to free memory. */
interface Forgettable {
  forget(): void;
}

/**
 * Bounds the memory of the view caches of all sandboxes of a server. Empties the cache that grew longest ago
 * first.
 */
export class ViewMemory {
  readonly #maxBytes: number;
  #used = 0;
  /** In bytes. The cache that grew last is last. */
  readonly #sizes = new Map<Forgettable, number>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get used(): number {
    return this.#used;
  }

  grow(which: Forgettable, bytes: number): void {
    const size = (this.#sizes.get(which) ?? 0) + bytes;
    this.#sizes.delete(which);
    this.#sizes.set(which, size);
    this.#used += bytes;
    for (const [oldest] of this.#sizes) {
      if (this.#used <= this.#maxBytes) break;
      oldest.forget();
      this.remove(oldest);
    }
  }

  remove(which: Forgettable): void {
    this.#used -= this.#sizes.get(which) ?? 0;
    this.#sizes.delete(which);
  }
}
