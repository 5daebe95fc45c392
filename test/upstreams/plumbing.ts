import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** What every service of this folder accepts. */
export interface StartOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Multiplies every rate limit, rounded up. */
  readonly limitScale?: number;
}

/** A service that runs. */
export interface Upstream {
  readonly url: string;
  close(): Promise<void>;
  /** The number of HTTP requests received, refused ones included. */
  calls(): number;
  /** Every name, e-mail address, title and text in the data. */
  readonly planted: readonly string[];
  /** A copy of the record with this identifier as the service holds it now, or undefined. */
  stored(id: string): unknown;
}

/** A tenant with its API keys. Only the first school of a service has two. */
export interface School {
  readonly name: string;
  readonly apiKeys: readonly string[];
}

/** Returns the request body, or null if it is longer than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // The rest is read as well, so that the client can read the response.
    if (size <= maxBytes) parts.push(part);
  }
  return size > maxBytes ? null : Buffer.concat(parts).toString('utf8');
}

/** Sends a body as text. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** Sends a body as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  send(response, status, 'application/json', JSON.stringify(body), headers);
}

/** Listens on 127.0.0.1 and returns the port. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Closes the server with all its connections. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Returns the first value of a header, or undefined. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Starts a service if its file is the program that runs. Flags are pairs such as `--port 0`; the first line
 * of the output is the service's URL.
 */
export async function runAsProgram(
  fileUrl: string,
  start: (flags: ReadonlyMap<string, string>) => Promise<Upstream>,
): Promise<void> {
  const program = process.argv[1];
  if (program === undefined || realpathSync(program) !== fileURLToPath(fileUrl)) return;
  const words = process.argv.slice(2);
  const flags = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) flags.set(words[at] ?? '', words[at + 1] ?? '');
  const upstream = await start(flags);
  process.stdout.write(`${upstream.url}\n`);
}

/** Returns the options that every service accepts on the command line: `--port` and `--limit-scale`. */
export function commonOptions(flags: ReadonlyMap<string, string>): StartOptions {
  return { port: Number(flags.get('--port') ?? 0), limitScale: Number(flags.get('--limit-scale') ?? 1) };
}
