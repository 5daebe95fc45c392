import type { Shortage } from '../base/shortage.ts';
import type { Clock } from '../sandbox/clock.ts';
import type { ConnectionTimes } from '../sandbox/journal-entry.ts';
import type { Delivery, FaultyReply } from '../faults/faulty-reply.ts';
import type { OperationName } from '../contract/operation-types.ts';

/** One HTTP request to an operation, as plain data. */
export interface Call {
  readonly operation: OperationName;
  /** The body as text; empty if it is missing or unreadable. */
  readonly body: string;
  /** The offset of the first byte of the body that is not UTF-8, or null. */
  readonly invalidByte: number | null;
  /** The number of bytes that were read. */
  readonly bodyBytes: number;
  /** Whether the body was longer than the server reads. */
  readonly bodyCutOff: boolean;
  /** What the body exceeds, if the server had no memory for it and did not read it; else null. */
  readonly bodyShortage: Shortage | null;
  /** The query with its question mark, or an empty string. */
  readonly query: string;
  readonly header: (name: string) => string | undefined;
  /** All headers, as received: name, value, name, value … */
  readonly headers: readonly string[];
  /** The headers after a body that arrived in chunks, in the same form. */
  readonly trailers: readonly string[];
  /** What precedes the path in the request target, such as `http://user@host`; usually empty. */
  readonly authority: string;
  /** The client's network address. */
  readonly address: string;
  /** The client's port, which identifies the connection. */
  readonly port: number;
  readonly connection: ConnectionTimes;
  /** Whether it began to arrive before the response to the previous request on its connection was sent. */
  readonly pipelined: boolean;
  /** The origin of this server as the client sees it, for absolute links, without a slash at the end. */
  readonly origin: string;
}

/** The response, as plain data. */
export interface Reply extends Omit<FaultyReply, 'delivery'> {
  /** How a fault delivers the reply; absent if the reply is sent as a whole. */
  readonly faultyDelivery?: {
    readonly delivery: Delivery;
    /** Waits on the sandbox's clock. */
    readonly wait: Clock['wait'];
    /** Called when the reply is delivered or its client is gone: until then, its sandbox is in use. */
    readonly finish: () => void;
  };
  /**
   * Called when the reply has been delivered, or its client has disconnected; absent if the reply is sent at
   * once.
   */
  readonly delivered?: (isLeft: boolean) => void;
}

/** A delayed reply. */
export interface Held {
  /** Calls back when the delay is over. */
  readonly wait: (callback: () => void) => { cancel(): void };
  /** Continues the call. */
  readonly resume: () => Reply | Held;
  /** Cancels the call because its client disconnected; null if the call cannot be canceled. */
  readonly abandon: (() => void) | null;
}
