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
