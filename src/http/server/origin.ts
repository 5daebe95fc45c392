/** As much of a request as is needed here; express's own has it too. */
interface Asking {
  header(name: string): string | undefined;
  readonly socket: { readonly localPort?: number | undefined };
}

/** Where the client reached this server: scheme, host and port, without a slash at the end. */
export type OriginOf = (request: Asking) => string;

/** The public URL where one is given; else what the request's Host header says, where that can be a host at all. */
export function originFrom(publicUrl: string | null): OriginOf {
  if (publicUrl !== null) {
    const origin = withoutSlash(publicUrl);
    return () => origin;
  }
  // Most requests name the same host as the one before.
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

/** A URL as others are appended to it. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** An address as it stands in a URL a client can use. */
export function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
