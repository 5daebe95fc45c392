import { InFlight } from './in-flight.ts';

/** Work that needs at most this part of the memory is small. */
const smallPart = 1 / 16;

/** The additional memory for all small work, as a part of the whole. */
const partForSmall = 1 / 4;

/**
 * Runs work that takes up much memory while there is room; other work waits in order. Small work has
 * additional memory, so that it does not wait for large work.
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

  /**
   * Does work that takes up about `bytes` when there is room. Work that needs more than the whole memory
   * takes all of it.
   */
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
  /** Functions that try to enter and return whether they could. */
  readonly #waiting: (() => boolean)[] = [];

  constructor(maxBytes: number) {
    this.#memory = new InFlight(maxBytes);
  }

  enter(bytes: number): Promise<() => void> {
    const needed = Math.min(bytes, this.#memory.max);
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
