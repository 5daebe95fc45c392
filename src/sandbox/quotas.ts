import { keysOf } from '../base/keys.ts';
import { serverLimits, type ServerLimits } from '../base/server-limits.ts';
import { stopwatch } from './clock.ts';

const names = {
  stateRecords: true,
  stateBytes: true,
  journalEntries: true,
  journalBytes: true,
  callsPerSecond: true,
} as const;

export type QuotaName = keyof typeof names;

/** The limits of this server that a sandbox can have of its own. */
export const quotaNames: readonly QuotaName[] = keysOf(names);

/** The limits that a sandbox has of its own. */
export type Quotas = Partial<Pick<ServerLimits, QuotaName>>;

/** The limits of this server, as they are now. */
export interface CurrentLimits {
  readonly caps: ServerLimits;
}

/** The limits of this server in one sandbox. */
export class SandboxQuotas implements CurrentLimits {
  readonly calls = new CallRate();
  readonly #ofServer: ServerLimits;
  #own: Quotas = {};
  #caps: ServerLimits;

  constructor(ofServer: ServerLimits, own: Quotas = {}) {
    this.#ofServer = ofServer;
    this.#caps = ofServer;
    this.own = own;
  }

  get caps(): ServerLimits {
    return this.#caps;
  }

  /** Those that it has of its own. */
  get own(): Quotas {
    return this.#own;
  }

  set own(own: Quotas) {
    this.#own = own;
    this.#caps = { ...this.#ofServer, ...own };
    this.calls.max = this.#caps.callsPerSecond;
  }
}

const windowMs = 1000;

/** Counts the calls of one second of real time. Not stored: another server begins at zero. */
class CallRate {
  max: number = serverLimits.callsPerSecond.max;
  #since = -windowMs;
  #count = 0;

  /** Counts a call. Returns false if there were too many. */
  admit(): boolean {
    // Without a quota, a call does not even read the time.
    if (this.max >= serverLimits.callsPerSecond.max) return true;
    this.#begin();
    if (this.#count >= this.max) return false;
    this.#count += 1;
    return true;
  }

  /** The number of calls so far; 0 without a quota. */
  get count(): number {
    this.#begin();
    return this.#count;
  }

  #begin(): void {
    const now = stopwatch();
    if (now - this.#since < windowMs) return;
    this.#since = now;
    this.#count = 0;
  }
}
