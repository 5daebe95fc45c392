import type { Clock } from '../sandbox/clock.ts';
import type { WireText } from '../sandbox/wire-text.ts';
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

/** What goes back, as plain data. */
export interface Reply {
  /** The HTTP status; 0 where a fault keeps any from being sent. */
  readonly status: number;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  /** The body as it is sent, even where a fault cuts it off. */
  readonly body: WireText;
  /** The time to tell in the Date header, in milliseconds since 1970. */
  readonly at: number;
  /** How a fault has it delivered, and what passes the time meanwhile; absent for the ordinary way. */
  readonly spoilt?: { readonly delivery: Delivery; readonly wait: Clock['wait'] };
  /** To be called when nothing of the reply is held in memory any more. */
  readonly release?: () => void;
}

/** A reply as a fault makes it. */
export interface FaultyReply extends Omit<Reply, 'spoilt'> {
  readonly delivery?: Delivery;
}

/** What a fault does to the connection instead of sending the reply in one go. */
export type Delivery =
  /** Sends nothing, and hangs up: in order, or with a TCP reset. */
  | { readonly kind: 'nothing'; readonly ending: Ending }
  /** Sends nothing and keeps the connection for so long, then hangs up. */
  | { readonly kind: 'silence'; readonly milliseconds: number }
  /** Sends the body alone, without anything of HTTP, then hangs up. */
  | { readonly kind: 'raw' }
  /** Sends the body, but not as it should. */
  | {
      readonly kind: 'body';
      /** Declares a longer body than it sends, then hangs up. */
      readonly cutOff?: { readonly declaredBytes: number; readonly ending: Ending };
      /** Sends a few bytes at a time. */
      readonly drip?: { readonly bytes: number; readonly everyMs: number };
    };

type Ending = 'close' | 'reset';

/** A reply that is to wait. */
export interface Held {
  /** Calls back when the wait is over. */
  readonly wait: (callback: () => void) => { cancel(): void };
  /** What comes after it. */
  readonly resume: () => Reply | Held;
  /** Gives the call up because its client has gone away; null if it goes on all the same. */
  readonly abandon: (() => void) | null;
}
