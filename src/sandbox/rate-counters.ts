import type { OperationName } from '../contract/operation-types.ts';
import { StateCapacityError, type StateRoom } from './state-memory.ts';
import type { Window } from './windows.ts';

/** How often counters are removed that count nothing any more, in milliseconds of the sandbox's clock. */
const sweepMs = 60_000;

/** The part that is removed at once if there are too many. */
const removedPart = 1 / 10;

/** The memory of a counter beside its key, in bytes. */
const counterBytes = 500;

/**
 * The counters of the rate limits of one sandbox, one for each caller of an operation. A client can send any number
 * of keys, with a label each, so the number of counters is limited, and they use the memory of the sandbox.
 */
export class RateCounters {
  readonly #byOperation = new Map<OperationName, Map<string, Window>>();
  readonly #max: number;
  readonly #room: StateRoom;
  #count = 0;
  #bytes = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(max: number, room: StateRoom) {
    this.#max = max;
    this.#room = room;
  }

  get(operation: OperationName, caller: string): Window | undefined {
    return this.#byOperation.get(operation)?.get(caller);
  }

  /** Returns the counters of an operation, by caller. */
  of(operation: OperationName): ReadonlyMap<string, Window> {
    return this.#byOperation.get(operation) ?? new Map<string, Window>();
  }

  /** Returns all counters. */
  *all(): Iterable<readonly [operation: OperationName, caller: string, window: Window]> {
    for (const [operation, callers] of this.#byOperation)
      for (const [caller, window] of callers) yield [operation, caller, window];
  }

  /** Adds the counter of a new caller. If there are too many, the oldest ones are forgotten. */
  add(operation: OperationName, caller: string, window: Window, now: number): void {
    if (this.#count >= this.#max || Math.abs(now - this.#sweptAt) >= sweepMs) this.#sweep(now);
    if (this.#count >= this.#max) this.#removeOldest(Math.ceil(this.#max * removedPart));
    const bytes = bytesOf(caller);
    if (!this.#takes(bytes)) return;
    this.#bytes += bytes;
    this.#count += 1;
    const callers = this.#byOperation.get(operation) ?? new Map<string, Window>();
    this.#byOperation.set(operation, callers.set(caller, window));
  }

  clear(): void {
    this.#byOperation.clear();
    this.#room.add(-this.#bytes);
    this.#bytes = 0;
    this.#count = 0;
  }

  /** Takes memory. If there is none, forgets all counters; if there still is none, returns false. */
  #takes(bytes: number): boolean {
    for (;;) {
      try {
        this.#room.take(bytes);
        return true;
      } catch (error) {
        if (!(error instanceof StateCapacityError)) throw error;
        if (this.#count === 0) return false;
        this.clear();
      }
    }
  }

  /** Removes counters that count nothing at this time. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [operation, caller, window] of this.all())
      if (window.used(now) === 0) this.#remove(operation, caller);
  }

  #removeOldest(number: number): void {
    let left = number;
    for (const [operation, caller] of this.all()) {
      if (left === 0) return;
      left -= 1;
      this.#remove(operation, caller);
    }
  }

  #remove(operation: OperationName, caller: string): void {
    this.#byOperation.get(operation)?.delete(caller);
    this.#count -= 1;
    this.#bytes -= bytesOf(caller);
    this.#room.add(-bytesOf(caller));
  }
}

function bytesOf(caller: string): number {
  return counterBytes + 2 * caller.length;
}
