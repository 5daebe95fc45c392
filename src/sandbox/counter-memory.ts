import { stopwatch } from './clock.ts';
import { InFlight } from './in-flight.ts';

/** An owner of counters that can free those that no longer count anything. */
interface Releasing {
  releaseEnded(): void;
}

/** Sandboxes are not asked more often than this, in milliseconds: to ask all of them takes a while. */
const askMs = 1000;

/** The memory that the counters of the rate limits of all sandboxes share. */
export class CounterMemory {
  readonly #bytes: InFlight;
  readonly #members = new Set<Releasing>();
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(maxBytes: number) {
    this.#bytes = new InFlight(maxBytes);
  }

  static unlimited(): CounterMemory {
    return new CounterMemory(Infinity);
  }

  get used(): number {
    return this.#bytes.used;
  }

  /** Takes memory. If there is none, all sandboxes release what they do not need. Returns false if that is not enough. */
  take(bytes: number, member: Releasing): boolean {
    this.#members.add(member);
    if (this.#bytes.take(bytes)) return true;
    if (stopwatch() < this.#askedAt + askMs) return false;
    this.#askedAt = stopwatch();
    for (const one of this.#members) one.releaseEnded();
    return this.#bytes.take(bytes);
  }

  /** Takes memory, even beyond the maximum. */
  add(bytes: number): void {
    this.#bytes.add(bytes);
  }

  give(bytes: number): void {
    this.#bytes.give(bytes);
  }

  /** Forgets a member that has no counters. */
  leave(member: Releasing): void {
    this.#members.delete(member);
  }
}
