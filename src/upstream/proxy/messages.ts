import type { Readable } from 'node:stream';
import type { OperationName } from '../../contract/operation-types.ts';
import type { ConnectionTimes } from '../../sandbox/journal-entry.ts';
import type { Share } from '../../sandbox/in-flight.ts';

/**
 * The maximum size of a body that is stored and checked, in bytes, compressed or not. Larger ones are
 * forwarded without a check.
 */
export const maxHeldBytes = 16 * 1024 * 1024;

/**
 * The body of a message: the bytes read, and the rest if it is too large to hold, or there is no room for it.
 */
export interface Body {
  readonly bytes: Buffer;
  readonly rest: Readable | null;
}

/** A request to the upstream. */
export interface Outgoing {
  readonly method: string;
  /** Path and query, from the root of the proxy. */
  readonly target: string;
  /** Name, value, name, value … as received from the client. */
  readonly headers: readonly string[];
  readonly body: Body;
  /** Aborts when the client no longer waits. */
  readonly gone: AbortSignal;
  /** The memory of the request, and that of the response. */
  readonly memory: { readonly request: Share; readonly response: Share };
}

/** A call to forward. */
export interface ProxiedCall extends Outgoing {
  readonly operation: OperationName;
  /** The query with its question mark, or an empty string. */
  readonly query: string;
  /** What preceded the path in the request target, such as `http://user@host`; usually empty. */
  readonly authority: string;
  /** Returns the headers after the body, as far as they have arrived. They are not forwarded. */
  readonly trailers: () => readonly string[];
  /** The client's network address and port: unique per connection. */
  readonly address: string;
  readonly port: number;
  readonly connection: ConnectionTimes;
}

/** A response from the upstream or the proxy. */
export interface ProxiedReply {
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
  /** Name, value, name, value … without connection headers. */
  readonly headers: readonly string[];
  readonly body: Body;
}

/** Why there is no response from the upstream. The message names the upstream, the cause and the remedy. */
export class UpstreamFailure extends Error {
  readonly kind: UpstreamFailureKind;

  constructor(kind: UpstreamFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A response arrived, but this command cannot use it. The message says what the service sent. */
export class UnreadableReply extends Error {}

/** `client-gone` if the client no longer waited. */
type UpstreamFailureKind = 'upstream-timeout' | 'upstream-failed' | 'client-gone';

/** Returns the upstream's response. Rejects with UpstreamFailure if there is none. */
export type Forward = (request: Outgoing) => Promise<ProxiedReply>;
