import { stopwatch } from '../sandbox/clock.ts';
import type { SandboxFiles } from './locations.ts';
import { presentMs, type LogFiles } from './log-files.ts';
import type { StatePort } from './state-port.ts';

/** A log of this size is folded into the state file, in bytes; a large state is written less often. */
const minFoldedBytes = 1_048_576;

/** Beyond this size of the log, large changes wait for the state file, in bytes. */
const maxWaitingBytes = 67_108_864;

/** The state file of a sandbox and its log, which others can take away. */
export class StoredFiles {
  readonly state: StatePort;
  readonly log: LogFiles;
  readonly #requireLock: (now?: boolean) => void;
  /** The time until which the state file is not checked again, from `stopwatch`. */
  #presentUntil = 0;

  /** `requireLock` throws an error if another server has the files; `now` looks at the lock itself. */
  constructor(state: StatePort, log: LogFiles, requireLock: (now?: boolean) => void) {
    this.state = state;
    this.log = log;
    this.#requireLock = requireLock;
    state.guard(() => requireLock(true));
  }

  /** The files that exist. */
  get names(): SandboxFiles {
    return { file: this.state.file, logs: this.log.files };
  }

  get bytes(): number {
    return this.state.bytes + this.log.allBytes;
  }

  /** Whether it is time to write the log into the state file. */
  get isLogLong(): boolean {
    return this.log.bytes > Math.max(minFoldedBytes, this.state.bytes);
  }

  /** Whether clients must wait with large changes until the log is in the state file. */
  get isLogVeryLong(): boolean {
    return this.log.allBytes > Math.max(maxWaitingBytes, this.state.bytes);
  }

  /** Throws an error if the files are not to be written, or not as they were written. */
  requireOwn(): void {
    this.#requireLock();
    if (stopwatch() <= this.#presentUntil) return;
    this.state.check();
    this.#presentUntil = stopwatch() + presentMs;
  }

  /** Throws an error if a file is not as it was written. Looks at all of them. */
  check(): void {
    this.state.check();
    this.log.check();
  }
}
