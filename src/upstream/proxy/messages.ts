import type { Readable } from 'node:stream';
import type { OperationName } from '../../contract/operation-types.ts';

/** The body of a message: what was read of it, and what still comes where it is larger than is ever held. */
export interface Body {
  readonly bytes: Buffer;
  readonly rest: Readable | null;
}

/** A request on its way to the upstream. */
export interface Outgoing {
  readonly method: string;
  /** Path and query, from the root of the proxy. */
  readonly target: string;
  /** Name, value, name, value … as they came from the client. */
  readonly headers: readonly string[];
  readonly body: Body;
  /** Ends it where the client does not wait any more. */
  readonly gone: AbortSignal;
}

/** A call of an operation that is to be passed on. */
export interface ProxiedCall extends Outgoing {
  readonly operation: OperationName;
  /** The query with its question mark, or nothing. */
  readonly query: string;
  /** The client's network address, and its port: one per connection. */
  readonly address: string;
  readonly port: number;
}

/** A reply, of the upstream or in its place. */
export interface ProxiedReply {
  readonly status: number;
  /** The words behind the status. */
  readonly statusText: string;
  /** Name, value, name, value … without those of the connection. */
  readonly headers: readonly string[];
  readonly body: Body;
}

/** Why the upstream gave no reply. The message says which upstream, what happened and what to do. */
export class UpstreamFailure extends Error {
  readonly kind: UpstreamFailureKind;

  constructor(kind: UpstreamFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `client-gone` where it was the client that did not wait. */
type UpstreamFailureKind = 'upstream-timeout' | 'upstream-failed' | 'client-gone';

/** Gets the upstream's reply. Rejects with UpstreamFailure where there is none. */
export type Forward = (request: Outgoing) => Promise<ProxiedReply>;

/** The first value of a header, named in lower case; undefined where it is not there. */
export function headerIn(list: readonly string[], name: string): string | undefined {
  const place = list.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return place < 0 ? undefined : list[place + 1];
}

/** The headers by lower-case name; several of one name are one list. */
export function headersByName(list: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = (list[at] ?? '').toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? (list[at + 1] ?? '') : `${before}, ${list[at + 1]}`);
  }
  return Object.fromEntries(headers);
}
