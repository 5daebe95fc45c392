import type { ServerLimits } from '../base/server-limits.ts';
import { InFlight } from './in-flight.ts';
import { CapacityError } from '../base/errors.ts';

const limits = {
  record: ['One record can take up', 'Send less.', '--max recordBytes=N'],
  sandbox: [
    'The changed records of one sandbox, including its snapshots and fault rules, can take up',
    'Use a smaller seed, reset the sandbox, or remove records or snapshots.',
    '--max stateBytes=N',
  ],
  server: [
    'The changed records and generated seeds of all sandboxes, including seeds that are being generated, can take up',
    'Try again later, or reset or delete sandboxes.',
    '--state-memory SIZE',
  ],
} as const;

/** A change exceeds a memory limit: that of one record, of its sandbox, or of the whole server. */
export class StateCapacityError extends CapacityError {
  readonly of: keyof typeof limits;
  /** What was exceeded. */
  readonly what: string;
  /** The flag that sets it. */
  readonly flag: string;

  constructor(of: keyof typeof limits, max: number) {
    const [what, advice, flag] = limits[of];
    super(
      `${what} at most ${max} bytes of memory. Nothing of the request took effect. ${advice} This is a limit of this server, not of the platform; ${flag} changes it.`,
    );
    this.of = of;
    this.what = `${what} at most ${max} bytes`;
    this.flag = flag;
  }
}

/**
 * The part of the memory that only sandboxes with few changes can use, so that one client cannot take
 * everything.
 */
const reservedPart = 1 / 8;

/**
 * The memory that the changed records of all sandboxes of a server share. Each sandbox can always use a small
 * share of its own.
 */
export class StateMemory {
  readonly maxBytes: number;
  readonly #ownShare: number;
  readonly #used: InFlight;
  /** Frees memory of others. Returns false if there is nothing to free. */
  free: () => boolean = () => false;

  constructor(maxBytes: number, maxSandboxes: number) {
    this.maxBytes = maxBytes;
    this.#used = new InFlight(maxBytes * (1 - reservedPart));
    this.#ownShare = (maxBytes * reservedPart) / maxSandboxes;
  }

  static unlimited(): StateMemory {
    return new StateMemory(Infinity, 1);
  }

  get usedBytes(): number {
    return this.#used.used;
  }

  /**
   * Takes memory for a sandbox that uses `held` bytes already. Returns false, and takes nothing, if there is
   * not enough.
   */
  take(bytes: number, held: number): boolean {
    do if (this.#used.take(bytes)) return true;
    while (this.free());
    if (held + bytes > this.#ownShare) return false;
    this.#used.add(bytes);
    return true;
  }

  /** Adds or subtracts without a check. */
  add(bytes: number): void {
    this.#used.add(bytes);
  }
}

/**
 * The memory of one sandbox: its state, its snapshots, its fault rules, and states that are being created.
 */
export class StateRoom {
  readonly #memory: StateMemory;
  readonly #maxBytes: number;
  readonly #maxRecordBytes: number;
  #used = 0;
  #isOpen = true;

  constructor(memory: StateMemory, maxBytes: number, maxRecordBytes: number) {
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    this.#maxRecordBytes = maxRecordBytes;
  }

  /** Throws StateCapacityError for a record that is too large. */
  checkRecord(bytes: number): void {
    if (bytes > this.#maxRecordBytes) throw new StateCapacityError('record', this.#maxRecordBytes);
  }

  /** Throws StateCapacityError for a state that is too large, whatever else there is. */
  checkSize(bytes: number): void {
    if (!this.#isOpen) return;
    if (bytes > this.#maxBytes) throw new StateCapacityError('sandbox', this.#maxBytes);
    if (bytes > this.#memory.maxBytes) throw new StateCapacityError('server', this.#memory.maxBytes);
  }

  /** Creates a room without limits, for states outside a sandbox. */
  static unlimited(): StateRoom {
    return new StateRoom(StateMemory.unlimited(), Infinity, Infinity);
  }

  /** Takes memory. Throws StateCapacityError, and takes nothing, if there is not enough. */
  take(bytes: number): void {
    if (!this.#isOpen) return;
    if (this.#used + bytes > this.#maxBytes) throw new StateCapacityError('sandbox', this.#maxBytes);
    if (!this.#memory.take(bytes, this.#used)) throw new StateCapacityError('server', this.#memory.maxBytes);
    this.#used += bytes;
  }

  /** Takes memory for growth, or gives it back if `growth` is negative. Throws as `take` does. */
  change(growth: number): void {
    if (growth > 0) this.take(growth);
    else this.add(growth);
  }

  /** Adds or subtracts without a check. */
  add(bytes: number): void {
    if (!this.#isOpen) return;
    this.#memory.add(bytes);
    this.#used += bytes;
  }

  /** Gives back all memory of a deleted sandbox. */
  close(): void {
    this.add(-this.#used);
    this.#isOpen = false;
  }
}

/**
 * Returns the memory of the largest record that the control plane accepts, in bytes: its text, and an
 * overhead for each value.
 */
function largestRecord({ recordBytes, recordValues }: ServerLimits): number {
  return 2 * recordBytes + 200 * recordValues;
}

/** Returns the room of a new sandbox in the memory of its server, if that is limited. */
export function roomIn(memory: StateMemory | undefined, caps: ServerLimits): StateRoom {
  return new StateRoom(memory ?? StateMemory.unlimited(), caps.stateBytes, largestRecord(caps));
}
