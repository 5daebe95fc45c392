import { isIP } from 'node:net';
import type { Handler } from '../public-app.ts';
import type { ClientAddress, DirectRequest } from './direct-request.ts';

/**
 * Lets a handler see the clients behind proxies. `proxies` is the number of proxies between them and this server, each
 * of which adds the address that it is asked from to X-Forwarded-For. Clients can send the header, too, so only the
 * last addresses count.
 */
export function behindProxies(proxies: number, handle: Handler): Handler {
  if (proxies === 0) return handle;
  return (request, response) => {
    request.forwardedFor = clientOf(request, proxies);
    handle(request, response);
  };
}

/** Returns the client; null if the proxies did not name it. */
function clientOf(request: DirectRequest, proxies: number): ClientAddress | null {
  const addresses = (request.header('x-forwarded-for') ?? '').split(',');
  const address = addresses.at(-proxies)?.trim() ?? '';
  return isIP(address) === 0 ? null : { address, port: request.socket.remotePort ?? 0 };
}
