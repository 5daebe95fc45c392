import { defaultMemoryBytes } from '../base/amounts.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import { commonMemory, type InFlight } from './in-flight.ts';
import { MemoryQueue } from './memory-queue.ts';
import { Slices } from './slices.ts';

/** The time and the memory that all sandboxes of a server share. */
export class SharedMeans {
  /** The limits of the server, as opposed to those of the platform. */
  readonly caps: ServerLimits;
  /** Shares the event loop between the long work of all clients. */
  readonly slices = new Slices();
  /** Reports that are being created; each takes up several times the memory of its journal. */
  readonly reports = new MemoryQueue(defaultMemoryBytes(256));
  /** Bytes in large replies that are being built or sent. */
  readonly largeReplies: InFlight;
  /** Bytes in large bodies that are being received. */
  readonly largeBodies: InFlight;
  /** Bytes of memory in waiting calls. */
  readonly waitingCalls: InFlight;

  constructor(caps: ServerLimits) {
    this.caps = caps;
    this.largeReplies = commonMemory(caps.repliesInFlightBytes);
    this.largeBodies = commonMemory(caps.bodiesInFlightBytes);
    this.waitingCalls = commonMemory(caps.waitingCallsBytes);
  }
}
