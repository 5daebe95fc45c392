import { InFlight } from './in-flight.ts';

/** Work up to this part of the memory is small. */
const smallPart = 1 / 16;

/** What small work may use in addition, all together. */
const partForSmall = 1 / 4;

/**
 * Lets in work that takes up much memory, as far as the memory goes; the other work waits in order. Small work has memory of its own, so that
 * it does not wait for large work.
 */
export class MemoryQueue {
  readonly #maxSmallBytes: number;
  readonly #small: Lane;
  readonly #large: Lane;

  constructor(maxBytes: number) {
    this.#maxSmallBytes = maxBytes * smallPart;
    this.#small = new Lane(maxBytes * partForSmall);
    this.#large = new Lane(maxBytes);
  }

  /** Does work that takes up about so many bytes as soon as there is room; work that needs more than there is has all the memory. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const leave = await (bytes <= this.#maxSmallBytes ? this.#small : this.#large).enter(bytes);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

class Lane {
  readonly #memory: InFlight;
  /** Each tries to enter, and returns whether it did. */
  readonly #waiting: (() => boolean)[] = [];

  constructor(maxBytes: number) {
    this.#memory = new InFlight(maxBytes);
  }

  enter(bytes: number): Promise<() => void> {
    const needed = Math.min(bytes, this.#memory.most);
    return new Promise((done) => {
      const tryToEnter = (): boolean => {
        const hasRoom = this.#memory.take(needed);
        if (hasRoom) done(() => this.#leave(needed));
        return hasRoom;
      };
      if (this.#waiting.length > 0 || !tryToEnter()) this.#waiting.push(tryToEnter);
    });
  }

  #leave(bytes: number): void {
    this.#memory.give(bytes);
    while (this.#waiting[0]?.() === true) this.#waiting.shift();
  }
}
