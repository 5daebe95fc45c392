import type { OperationName } from '../contract/operation-types.ts';
import type { CounterMemory } from './counter-memory.ts';
import type { Window } from './windows.ts';

/** The memory of a counter in addition to its key, in bytes. */
const counterBytes = 500;
/** The memory of a moment of its window, in bytes. */
const momentBytes = 64;

/** The number of counters that a sandbox can always have, however many the others have. */
const fewest = 20;

interface Counter {
  readonly operation: OperationName;
  readonly caller: string;
  readonly window: Window;
  /** Whether nothing of it is stored yet. */
  isNew: boolean;
  /** Whether it has counted a call whose line is not written yet. */
  isAhead: boolean;
  /** Its memory when it was measured last: one moment may have been added since. */
  bytes: number;
}

/** A counter of the rate limits, as lists show it. */
type ListedCounter = Pick<Counter, 'operation' | 'caller' | 'window'>;

/**
 * The counters of the rate limits of one sandbox, one for each caller of an operation. A client can send any
 * number of keys, with a label each, so the number of counters is limited. The oldest ones are forgotten,
 * regardless of the time, so that the log of a sandbox gives the same ones after a crash; only if the server
 * has no memory for more, first those that count nothing any more.
 */
export class RateCounters {
  readonly #byOperation = new Map<OperationName, Map<string, Counter>>();
  /** The oldest first. */
  readonly #all = new Set<Counter>();
  readonly #max: number;
  readonly #memory: CounterMemory;
  readonly #now: () => number;
  #areStored = false;
  /** The number of counters that have counted calls whose lines are not written yet. */
  #ahead = 0;

  /** `memory` is shared by all sandboxes of a server, `now` returns the sandbox's time. */
  constructor(max: number, memory: CounterMemory, now: () => number) {
    this.#max = max;
    this.#memory = memory;
    this.#now = now;
  }

  /** Whether all that the counters have counted is stored. */
  get areStored(): boolean {
    return this.#areStored && this.#ahead === 0;
  }

  set areStored(areStored: boolean) {
    this.#areStored = areStored;
  }

  /** All counters, the oldest first. */
  get all(): Iterable<ListedCounter> {
    return this.#all;
  }

  get(operation: OperationName, caller: string): Window | undefined {
    return this.#byOperation.get(operation)?.get(caller)?.window;
  }

  /** Returns the window in which a call is about to be counted; undefined if it has to be added. */
  toCount(operation: OperationName, caller: string): Window | undefined {
    const counter = this.#byOperation.get(operation)?.get(caller);
    if (counter === undefined) return undefined;
    this.#measure(counter);
    // It may have counted nothing any more, and made room.
    if (!this.#all.has(counter)) return undefined;
    if (!counter.isAhead) this.#ahead += 1;
    counter.isAhead = true;
    return counter.window;
  }

  /**
   * Adds the counter of a caller, of which nothing is stored yet if it is new. If there are too many, the oldest
   * ones are forgotten.
   */
  add(operation: OperationName, caller: string, window: Window, isNew: boolean): void {
    const bytes = bytesOf(caller, window);
    while (this.#all.size >= this.#max) this.#forgetOldest();
    while (!this.#memory.take(bytes, this)) {
      if (this.#all.size >= fewest) this.#forgetOldest();
      else {
        this.#memory.add(bytes);
        break;
      }
    }
    const counter: Counter = { operation, caller, window, isNew, isAhead: isNew, bytes };
    if (isNew) this.#ahead += 1;
    const callers = this.#byOperation.get(operation) ?? new Map<string, Counter>();
    this.#byOperation.set(operation, callers.set(caller, counter));
    this.#all.add(counter);
    if (!isNew) this.areStored = false;
  }

  /** Returns what a counter has counted since the last time, and whether this is the first time. */
  takeNew(
    operation: OperationName,
    caller: string,
  ): (ReturnType<Window['takeNew']> & { readonly isNew?: true }) | undefined {
    const counter = this.#byOperation.get(operation)?.get(caller);
    if (counter === undefined) return undefined;
    const { isNew, window } = counter;
    counter.isNew = false;
    this.#catchUp(counter);
    return { ...window.takeNew(), ...(isNew ? { isNew } : {}) };
  }

  clear(): void {
    this.areStored = false;
    for (const { bytes } of this.#all) this.#memory.give(bytes);
    this.#all.clear();
    this.#ahead = 0;
    this.#byOperation.clear();
    this.#memory.leave(this);
  }

  /** Forgets the counters that count nothing now, because the server has no memory for more. */
  releaseEnded(): void {
    this.areStored = false;
    const now = this.#now();
    for (const counter of this.#all) if (counter.window.used(now) === 0) this.#forget(counter);
  }

  /** Counts the moments of a window. If there is no memory for them, the window has to do with few. */
  #measure(counter: Counter): void {
    const { caller, window } = counter;
    const growth = bytesOf(caller, window) - counter.bytes;
    const hasRoom = growth <= 0 || this.#memory.take(growth, this);
    if (hasRoom && growth > 0) this.#memory.give(growth);
    if (growth === 0 || !this.#all.has(counter)) return;
    if (!hasRoom) window.shrink();
    this.#memory.give(counter.bytes);
    counter.bytes = bytesOf(caller, window);
    this.#memory.add(counter.bytes);
  }

  #forgetOldest(): void {
    const [oldest] = this.#all;
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(counter: Counter): void {
    const { operation, caller } = counter;
    this.#all.delete(counter);
    this.#byOperation.get(operation)?.delete(caller);
    this.#memory.give(counter.bytes);
    this.#catchUp(counter);
  }

  #catchUp(counter: Counter): void {
    if (counter.isAhead) this.#ahead -= 1;
    counter.isAhead = false;
  }
}

function bytesOf(caller: string, window: Window): number {
  return counterBytes + 2 * caller.length + momentBytes * window.moments;
}
