/** What came of a forwarded request. Only after `answered` and `unknown`, the replica may have processed it. */
export type Outcome = 'answered' | 'not there' | 'unreachable' | 'unknown';

/** The status with which a replica says that it does not own the sandbox (RFC 9110, 15.5.20). */
export const misdirected = 421;

/** The header of that response, which no other response has. */
export const notHereHeader = 'sandbox-not-here';

/** How long a connection to a replica may take, in milliseconds. */
export const connectMs = 1000;

/** A request for which a replica owes a response. */
export interface OpenExchange {
  /** Whether the response is complete, or none will come. */
  readonly isOver: boolean;
  /** Nothing is expected of the replica any more. */
  abort(): void;
}
