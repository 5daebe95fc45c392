import { InFlight } from './in-flight.ts';
import { CapacityError } from '../base/errors.ts';

const limits = {
  record: ['One record takes up', 'Send less.', '--max recordBytes=N'],
  sandbox: [
    'The changed records of one sandbox, with its snapshots and fault rules, take up',
    'Reset the sandbox, or remove records or snapshots.',
    '--max stateBytes=N',
  ],
  server: ['The changed records of all sandboxes take up', 'Reset or delete sandboxes.', '--state-memory SIZE'],
} as const;

/** A change has no room in memory: it makes a record too large, or its sandbox, or the whole server is full. */
export class StateCapacityError extends CapacityError {
  readonly of: keyof typeof limits;

  constructor(of: keyof typeof limits, max: number) {
    const [what, advice, flag] = limits[of];
    super(
      `${what} at most ${max} bytes of memory. Nothing of the request took effect. ${advice} This is a limit of this server, not of the platform; ${flag} changes it.`,
    );
    this.of = of;
  }
}

/** The part of the memory that one sandbox takes up: with its state, its snapshots, and states in the making. */
export class StateRoom {
  /** What all sandboxes of the server take up. */
  readonly #memory: InFlight;
  readonly #most: number;
  /** What one record may take up. */
  readonly #maxRecordBytes: number;
  #used = 0;
  #isOpen = true;

  constructor(memory: InFlight, most: number, maxRecordBytes: number) {
    this.#memory = memory;
    this.#most = most;
    this.#maxRecordBytes = maxRecordBytes;
  }

  /** Throws StateCapacityError for a record that is too large. */
  checkRecord(bytes: number): void {
    if (bytes > this.#maxRecordBytes) throw new StateCapacityError('record', this.#maxRecordBytes);
  }

  /** Room that is never full, for states of no sandbox. */
  static unlimited(): StateRoom {
    return new StateRoom(new InFlight(Infinity), Infinity, Infinity);
  }

  /** Throws StateCapacityError, and takes nothing then. */
  take(bytes: number): void {
    if (!this.#isOpen) return;
    if (this.#used + bytes > this.#most) throw new StateCapacityError('sandbox', this.#most);
    if (!this.#memory.take(bytes)) throw new StateCapacityError('server', this.#memory.most);
    this.#used += bytes;
  }

  /** Takes what something has grown by, or gives back what it has shrunk by. Throws StateCapacityError, and takes nothing then. */
  change(growth: number): void {
    if (growth > 0) this.take(growth);
    else this.add(growth);
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
