import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { toEntry } from '../../src/sandbox/journal-entry.ts';
import { startProxy } from '../../src/commands/proxy/start-proxy.ts';
import type { UpstreamWish } from '../../src/commands/proxy/wishes.ts';
import { ValidatingProxy } from '../../src/contract/validating-proxy.ts';
import type { PassedExchange } from '../../src/upstream/proxy/pass-call.ts';
import type { JournalEntry } from '../../src/index.ts';
import type { Settings } from '../../src/server/server.ts';

/** A request as an upstream got it. */
export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** A server that does to requests whatever a test wants, and remembers them. It is gone after the test. */
export interface Upstream {
  readonly url: string;
  readonly got: readonly Got[];
}

export async function upstreamThat(answer: (response: ServerResponse, got: Got) => void): Promise<Upstream> {
  const got: Got[] = [];
  const server = createServer((incoming, response) => {
    const take = async (): Promise<void> => {
      const { method = '', url = '', headers, rawHeaders } = incoming;
      // One that breaks off was never got.
      const body = await bodyOf(incoming).catch(() => null);
      if (body === null) return;
      const whole = { method, url, headers, rawHeaders, body };
      got.push(whole);
      answer(response, whole);
    };
    void take();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: urlOf(server.address() as AddressInfo), got };
}

/** An upstream that speaks as it likes: not even HTTP. */
export async function upstreamThatSpeaks(speak: (socket: Socket) => void): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => speak(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: urlOf(server.address() as AddressInfo) };
}

function urlOf({ port }: AddressInfo): string {
  return `http://127.0.0.1:${port}`;
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A reply as it came, byte by byte. */
export interface Came {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly trailers: NodeJS.Dict<string>;
  readonly body: Buffer;
  readonly text: string;
}

/** A key as a real service has them: nothing of this project's form. */
export const realKey = 'live_9fQ2x+Lk/7TzWb31vRm8==';

export const goodBody = '{"data":[{"data":{"quizId":"89a674da2cdf9bc9916fe3ae"}}]}';
export const goodReply = '[{"output":{"status":"error","errorMessage":"There is no such quiz."}}]';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request with nothing added or undone on the way: a good call where nothing else is said. */
export async function send(
  url: string,
  { method = 'POST', path = '/public/get-quiz-details', headers = {}, body = goodBody }: Sent = {},
): Promise<Came> {
  const outgoing = request(url, {
    method,
    path,
    headers: {
      'SERVICE-API-KEY': realKey,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    },
    agent: false,
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, statusMessage: statusText = '', headers: came, rawHeaders } = incoming;
  const bytes = await bodyOf(incoming);
  const { trailers } = incoming;
  return {
    status,
    statusText,
    headers: came,
    rawHeaders,
    trailers,
    body: bytes,
    text: bytes.toString('utf8'),
  };
}

/** One for all proxies of a thread: making it takes long. */
let validating: Promise<ValidatingProxy> | null = null;

/** A proxy in this process. It is gone after the test. */
export interface Proxy {
  readonly url: string;
  /** What it wrote about its calls. */
  said(): string;
  readonly passed: readonly PassedExchange[];
  readonly passedBy: readonly string[];
  journal(): readonly JournalEntry[];
}

export async function proxyTo(
  url: string,
  wish: Partial<Omit<UpstreamWish, 'url'>> = {},
  settings: Settings = {},
): Promise<Proxy> {
  const passed: PassedExchange[] = [];
  const passedBy: string[] = [];
  let said = '';
  const write = (text: string): void => void (said += text);
  const running = await startProxy(
    { port: 0, ...settings },
    { url: new URL(url), timeoutMs: 10_000, errors: false, ...wish },
    { out: write, err: write, owner: 'a test' },
    {
      exchange: (one) => void passed.push(one),
      passedBy: (method, path, status) => passedBy.push(`${method} ${path} ${status}`),
    },
    await (validating ??= ValidatingProxy.create()),
  );
  onTestFinished(() => running.stop());
  return {
    url: running.url,
    said: () => said,
    passed,
    passedBy,
    journal: () => running.sandboxes.default.journal.stored.map(toEntry),
  };
}

/** A connection over which a text has gone out. */
export function opened(url: string, text: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return new Promise((done) => {
    socket.write(text, () => done(socket));
  });
}
