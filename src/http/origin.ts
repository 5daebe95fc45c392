import type { IncomingMessage } from 'node:http';

/** Where the client reached this server: scheme, host and port, without a slash at the end. */
export type OriginOf = (request: IncomingMessage) => string;

/** The public URL where one is given; else what the request's Host header says, where that can be a host at all. */
export function originFrom(publicUrl: string | null): OriginOf {
  if (publicUrl !== null) {
    const origin = publicUrl.replace(/\/+$/, '');
    return () => origin;
  }
  // Most requests name the same host as the one before.
  let lastHost = '';
  let lastOrigin = '';
  return ({ headers: { host = '' }, socket }) => {
    if (host === lastHost && host !== '') return lastOrigin;
    if (!/^[\w.:[\]-]{1,255}$/.test(host)) return `http://127.0.0.1:${socket.localPort}`;
    lastHost = host;
    lastOrigin = `http://${host}`;
    return lastOrigin;
  };
}
