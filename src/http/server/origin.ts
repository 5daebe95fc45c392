/** The parts of a request that are needed here; requests of express have them too. */
interface Asking {
  header(name: string): string | undefined;
  readonly socket: { readonly localPort?: number | undefined };
}

/** Returns the origin of this server as the client sees it, without a slash at the end. */
export type OriginOf = (request: Asking) => string;

/** Uses the public URL if it is set, else the Host header if it is valid. */
export function originFrom(publicUrl: string | null): OriginOf {
  if (publicUrl !== null) {
    const origin = withoutSlash(publicUrl);
    return () => origin;
  }
  // Most requests have the same Host as the previous one.
  let lastHost = '';
  let lastOrigin = '';
  return (request) => {
    const host = request.header('host') ?? '';
    if (host === lastHost && host !== '') return lastOrigin;
    if (!/^[\w.:[\]-]{1,255}$/.test(host)) return `http://127.0.0.1:${request.socket.localPort}`;
    lastHost = host;
    lastOrigin = `http://${host}`;
    return lastOrigin;
  };
}

/** Returns a URL to which paths can be appended. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Returns an address in the form for a URL. */
export function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
