import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../server/direct-request.ts';

/** The header of a forwarded request: the secret of the replicas, and the address and port of the client. */
const header = 'sandbox-forwarded';

/** Returns the header for a request that is forwarded: name, value. */
export function forwardedHeader(secret: string, { address, port }: ClientAddress): readonly string[] {
  return [header, `${secret} ${address} ${port}`];
}

/**
 * Returns the client of a request that another replica has forwarded; null if a client has sent the request itself.
 * Removes the header, which nobody must see.
 */
export function takeForwarded(request: IncomingMessage, secret: string): ClientAddress | null {
  const sent = request.headers[header];
  if (typeof sent !== 'string') return null;
  delete request.headers[header];
  const { rawHeaders } = request;
  const isIt = (name = ''): boolean => name.length === header.length && name.toLowerCase() === header;
  request.rawHeaders = rawHeaders.filter((_, at) => !isIt(rawHeaders[at - (at % 2)]));
  const [shown = '', address = '', port] = sent.split(' ');
  return isSame(Buffer.from(shown), Buffer.from(secret)) ? { address, port: Number(port) } : null;
}

/** Compares in a time that shows only the length. Hashes, which would hide it, too, would cost a tenth of a call. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
