import type { Clock } from '../sandbox/clock.ts';
import type { Delivery, FaultyReply } from '../faults/faulty-reply.ts';
import type { OperationName } from '../contract/operation-types.ts';

/** One HTTP request to an operation, as plain data. */
export interface Call {
  readonly operation: OperationName;
  /** The body as text; empty where none came, or none that could be read. */
  readonly body: string;
  /** Bytes of the body, as far as it was read. */
  readonly bodyBytes: number;
  /** The body was longer than the server ever reads. */
  readonly bodyCutOff: boolean;
  /** The query with its question mark, or nothing. */
  readonly query: string;
  readonly header: (name: string) => string | undefined;
  /** All headers as they came: name, value, name, value … */
  readonly headers: readonly string[];
  /** The client's network address. */
  readonly address: string;
  /** The client's port: one per connection. */
  readonly port: number;
  /** Where the client reached this server, for absolute links: scheme, host and port, no slash at the end. */
  readonly origin: string;
}

/** The response, as plain data. */
export interface Reply extends Omit<FaultyReply, 'delivery'> {
  /** How a fault delivers the reply, and the clock that its delays use; absent if the reply is sent whole. */
  readonly faultyDelivery?: { readonly delivery: Delivery; readonly wait: Clock['wait'] };
}

/** A reply that is to wait. */
export interface Held {
  /** Calls back when the wait is over. */
  readonly wait: (callback: () => void) => { cancel(): void };
  /** What comes after it. */
  readonly resume: () => Reply | Held;
  /** Gives the call up because its client has gone away; null if it goes on all the same. */
  readonly abandon: (() => void) | null;
}
