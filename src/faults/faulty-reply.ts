import type { WireText } from '../base/wire-text.ts';

/** A reply as a fault changes it. */
export interface FaultyReply {
  /** The HTTP status; 0 if a fault prevents the response. */
  readonly status: number;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  /** The body as it is sent, even if a fault cuts it off. */
  readonly body: WireText;
  /** The time in the Date header, in milliseconds since 1970. */
  readonly at: number;
  /** Called when the reply is no longer in memory. */
  readonly release?: () => void;
  readonly delivery?: Delivery;
}

/** How a fault delivers a reply instead of sending it as a whole. */
export type Delivery =
  /** Closes the connection without a response: normally, or with a TCP reset. */
  | { readonly kind: 'nothing'; readonly ending: Ending }
  /** Keeps the connection open for this time without a response, then closes it. */
  | { readonly kind: 'silence'; readonly milliseconds: number }
  /** Sends only the body, without any HTTP, then closes the connection. */
  | { readonly kind: 'raw' }
  /** Sends the body in an unusual way. */
  | {
      readonly kind: 'body';
      /** Declares a longer body than it sends, then closes the connection. */
      readonly cutOff?: { readonly declaredBytes: number; readonly ending: Ending };
      /** Sends a few bytes at a time. */
      readonly drip?: { readonly bytes: number; readonly everyMs: number };
    };

type Ending = 'close' | 'reset';
