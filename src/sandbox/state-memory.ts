import { exceededBy } from '../base/json-size.ts';
import { serverLimits, type ServerLimitName, type ServerLimits } from '../base/server-limits.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { weightOf } from '../base/weight.ts';
import { InFlight } from './in-flight.ts';
import { CapacityError } from '../base/errors.ts';
import type { CurrentLimits } from './quotas.ts';

const limits = {
  recordBytes: ['One record can have', 'characters in JSON', 'Send less.', '--max recordBytes=N'],
  recordValues: ['One record can have', 'JSON values', 'Send less.', '--max recordValues=N'],
  stateRecords: [
    'A sandbox can have',
    'records that differ from its seed',
    'Reset the sandbox, or remove records that you added.',
    '--max stateRecords=N',
  ],
  stateBytes: [
    'The changed records of one sandbox, including its snapshots and fault rules, can take up',
    'bytes of memory',
    'Use a smaller seed, reset the sandbox, or remove records or snapshots.',
    '--max stateBytes=N',
  ],
  server: [
    'The changed records and generated seeds of all sandboxes, including seeds that are being generated, can take up',
    'bytes of memory',
    'Try again later, or reset or delete sandboxes.',
    '--state-memory SIZE',
  ],
} as const;

/** A change exceeds a limit: that of one record, that of its sandbox, or of the whole server. */
export class StateCapacityError extends CapacityError {
  readonly of: keyof typeof limits;
  /** What was exceeded. */
  readonly what: string;
  /** The flag that sets it. */
  readonly flag: string;

  constructor(of: keyof typeof limits, max: number) {
    const [what, unit, advice, flag] = limits[of];
    super(
      `${what} at most ${max} ${unit}. Nothing of the request took effect. ${advice} ${whoseLimit(of, flag)}`,
    );
    this.of = of;
    this.what = `${what} at most ${max} ${unit}`;
    this.flag = flag;
  }
}

function whoseLimit(of: keyof typeof limits, flag: string): string {
  return of === 'stateRecords' || of === 'stateBytes'
    ? whoseQuota(of)
    : `This is a limit of this server, not of the platform; ${flag} changes it.`;
}

/** Returns the sentences that end the message about a limit that each sandbox can have of its own. */
export function whoseQuota(name: ServerLimitName): string {
  return `This is a quota of this server, not a limit of the platform. The operator of the server can change it: --max ${name}=N for all sandboxes, PUT /control/sandboxes/<id>/quotas for one.`;
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

const noMax = serverLimits.stateRecords.max;

/**
 * The memory of one sandbox: its state, its snapshots, its fault rules, and states that are being created.
 */
export class StateRoom {
  readonly #memory: StateMemory;
  /** Null without limits. */
  readonly #limits: CurrentLimits | null;
  #used = 0;
  #isOpen = true;

  constructor(memory: StateMemory, limits: CurrentLimits | null) {
    this.#memory = memory;
    this.#limits = limits;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get #caps(): ServerLimits | null {
    return this.#limits?.caps ?? null;
  }

  get #maxBytes(): number {
    return this.#caps?.stateBytes ?? Infinity;
  }

  /** Throws StateCapacityError if no more records of a state can differ from its seed. */
  requireRecord(state: { readonly changedRecords: number }): void {
    const max = this.#caps?.stateRecords ?? noMax;
    // Without a quota, nothing is counted.
    if (max < noMax && state.changedRecords >= max) throw new StateCapacityError('stateRecords', max);
  }

  /** Throws StateCapacityError if one of the records is so large that the control plane would refuse it. */
  *checkRecords(changed: Iterable<{ readonly current: () => object | null | undefined }>): SlicedWork<void> {
    let isFirst = true;
    for (const { current } of changed) {
      if (!isFirst) yield;
      isFirst = false;
      this.#checkRecord(current());
    }
  }

  /** Measures a record, unless it is certainly small enough. */
  #checkRecord(record: object | null | undefined): void {
    const caps = this.#caps;
    if (caps === null || weightOf(record) <= smallRecord(caps)) return;
    const limit = exceededBy(record, caps);
    if (limit !== null) throw new StateCapacityError(limit, caps[limit]);
  }

  /**
   * Throws StateCapacityError for a record that is certainly too large, although it may still change. `weight` is its
   * memory.
   */
  checkGrowing(record: object | null | undefined, weight: number): void {
    const caps = this.#caps;
    if (caps !== null && weight > largestRecord(caps)) this.#checkRecord(record);
  }

  /** Throws StateCapacityError for a state that is too large, whatever else there is. */
  checkSize(bytes: number): void {
    if (!this.#isOpen) return;
    if (bytes > this.#maxBytes) throw new StateCapacityError('stateBytes', this.#maxBytes);
    if (bytes > this.#memory.maxBytes) throw new StateCapacityError('server', this.#memory.maxBytes);
  }

  /** Creates a room without limits, for states outside a sandbox. */
  static unlimited(): StateRoom {
    return new StateRoom(StateMemory.unlimited(), null);
  }

  /** Takes memory. Throws StateCapacityError, and takes nothing, if there is not enough. */
  take(bytes: number): void {
    if (!this.#isOpen) return;
    if (this.#used + bytes > this.#maxBytes) throw new StateCapacityError('stateBytes', this.#maxBytes);
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
 * Returns the memory, in bytes, up to which a record certainly has neither too many characters, of which each takes
 * up two bytes and has at most six characters in JSON, nor too many values.
 */
function smallRecord({ recordBytes, recordValues }: ServerLimits): number {
  return Math.min(recordBytes / 3, 16 * recordValues);
}

/**
 * Returns the memory of the largest record that the control plane accepts, in bytes: its text, and an
 * overhead for each value.
 */
function largestRecord({ recordBytes, recordValues }: ServerLimits): number {
  return 2 * recordBytes + 200 * recordValues;
}

/** Returns the room of a new sandbox in the memory of its server, if that is limited. */
export function roomIn(memory: StateMemory | undefined, limits: CurrentLimits): StateRoom {
  return new StateRoom(memory ?? StateMemory.unlimited(), limits);
}
