import { CapacityError } from '../base/errors.ts';

/** There is no room for a changed record: in its sandbox, or in the whole server. */
export class StateCapacityError extends CapacityError {
  readonly of: 'sandbox' | 'server';

  constructor(of: 'sandbox' | 'server', most: number) {
    super(
      of === 'sandbox'
        ? `The changed records of one sandbox, with its snapshots, take up at most ${most} bytes of memory. Nothing of the request took effect. Reset the sandbox, or remove records or snapshots. This is a limit of this server, not of the platform; --max stateBytes=N changes it.`
        : `The changed records of all sandboxes take up at most ${most} bytes of memory. Nothing of the request took effect. Reset or delete sandboxes. This is a limit of this server, not of the platform; --state-memory SIZE changes it.`,
    );
    this.of = of;
  }
}

/** Bounds the memory that the changed records of all sandboxes of a server take up, in bytes. */
export class StateMemory {
  readonly #most: number;
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws StateCapacityError, and takes nothing then. */
  take(bytes: number): void {
    if (this.#used + bytes > this.#most) throw new StateCapacityError('server', this.#most);
    this.#used += bytes;
  }

  /** Adds without a check, or subtracts. */
  add(bytes: number): void {
    this.#used += bytes;
  }
}

/** The part of the memory that one sandbox takes up: with its state, its snapshots, and states in the making. */
export class StateRoom {
  readonly #memory: StateMemory;
  readonly #most: number;
  #used = 0;
  #isOpen = true;

  constructor(memory: StateMemory, most: number) {
    this.#memory = memory;
    this.#most = most;
  }

  /** Room that is never full, for states of no sandbox. */
  static unlimited(): StateRoom {
    return new StateRoom(new StateMemory(Infinity), Infinity);
  }

  /** Throws StateCapacityError, and takes nothing then. */
  take(bytes: number): void {
    if (!this.#isOpen) return;
    if (this.#used + bytes > this.#most) throw new StateCapacityError('sandbox', this.#most);
    this.#memory.take(bytes);
    this.#used += bytes;
  }

  /** Adds without a check, or subtracts. */
  add(bytes: number): void {
    if (!this.#isOpen) return;
    this.#memory.add(bytes);
    this.#used += bytes;
  }

  /** The sandbox is gone, and with it all that it held. */
  close(): void {
    this.add(-this.#used);
    this.#isOpen = false;
  }
}

/** What a table needs for an entry, and an object or a text beside its content; about, in bytes. */
const perEntry = 100;
const perValue = 32;

/** About how much memory a change of a record takes up, in bytes: null for a removed record, undefined for no change. */
export function weightOf(change: object | null | undefined): number {
  return change === undefined ? 0 : perEntry + weightOfValue(change);
}

function weightOfValue(value: unknown): number {
  if (typeof value === 'string') return perValue + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let weight = perValue;
  // Plain data inherits nothing that could be listed, and this makes no list of its own at every write.
  for (const name in value) weight += 8 + weightOfValue((value as Readonly<Record<string, unknown>>)[name]);
  return weight;
}
