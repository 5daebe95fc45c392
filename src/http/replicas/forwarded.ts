import type { IncomingMessage } from 'node:http';
import { isSame } from '../control-guard.ts';
import type { ClientAddress } from '../server/direct-request.ts';

/** The header of a forwarded request: the secret of the replicas, the address and port of the client, and `leaving`. */
const header = 'sandbox-forwarded';

/** Where a forwarded request comes from. */
export interface ForwardedFrom {
  readonly client: ClientAddress;
  /** Whether the replica that forwards it takes no sandboxes any more. */
  readonly isLeaving: boolean;
}

/** Returns the header for a request that is forwarded: name, value. */
export function forwardedHeader(secret: string, { client, isLeaving }: ForwardedFrom): readonly string[] {
  return [header, `${secret} ${client.address} ${client.port}${isLeaving ? ' leaving' : ''}`];
}

/**
 * Returns where a request comes from that another replica has forwarded; null if a client has sent the request itself.
 * Removes the header, which nobody must see.
 */
export function takeForwarded(request: IncomingMessage, secret: string): ForwardedFrom | null {
  const sent = request.headers[header];
  if (typeof sent !== 'string') return null;
  delete request.headers[header];
  const { rawHeaders } = request;
  request.rawHeaders = rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== header);
  const [shown = '', address = '', port, leaving] = sent.split(' ');
  if (!isSame(shown, secret)) return null;
  return { client: { address, port: Number(port) }, isLeaving: leaving !== undefined };
}
