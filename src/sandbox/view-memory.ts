/** Something that takes up memory and can be made again. */
interface Forgettable {
  forget(): void;
}

/** Bounds the memory that what can be made again takes up, for all sandboxes of a server together: what grew longest ago is forgotten first. */
export class ViewMemory {
  readonly #most: number;
  #used = 0;
  /** In bytes; the one that grew last stands last. */
  readonly #sizes = new Map<Forgettable, number>();

  constructor(most: number) {
    this.#most = most;
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
      if (this.#used <= this.#most) break;
      oldest.forget();
      this.remove(oldest);
    }
  }

  remove(which: Forgettable): void {
    this.#used -= this.#sizes.get(which) ?? 0;
    this.#sizes.delete(which);
  }
}
