import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SandboxError } from '../../base/errors.ts';
import { maskUrls } from '../../sandbox/secrets.ts';
import { Connections } from './connections.ts';
import { DirectRequest } from './direct-request.ts';
import { DirectResponse } from './direct-response.ts';
import { problemBody, problemType, type Problem } from '../../base/problem.ts';
import type { Handler } from '../public-app.ts';

/** A server that answers. */
export interface Listening {
  readonly port: number;
  /** Refuses what is new and what has not arrived whole, and resolves when everything else is answered. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  cutOff(): void;
}

/** A client that takes longer than this to send a request, or its headers, is cut off. In milliseconds. */
const slowest = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };

/** Longer than the idle time-out of clients and proxies, so that they are the ones to hang up. */
const keepAliveTimeout = 75_000;

/** Answers a request at which the sandbox itself failed. */
export type Fail = (error: unknown, response: ServerResponse) => void;

/** Listens, and gives each request that is HTTP to the handler. Throws where the address cannot be had. */
export async function serve(handle: Handler, host: string, port: number, fail: Fail): Promise<Listening> {
  const connections = new Connections();
  const server = createServer(
    {
      ...slowest,
      keepAliveTimeout,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      IncomingMessage: DirectRequest,
      ServerResponse: DirectResponse,
    },
    (request, response) => {
      if (!connections.begin(response)) return;
      try {
        const wrong = whatIsWrong(request);
        if (wrong === null) handle(request, response);
        else refuse(response, wrong);
      } catch (error) {
        fail(error, response);
      }
    },
  );
  // Whoever reads the body asks for it.
  server.on('checkContinue', (request, response) => void server.emit('request', request, response));
  server.on('checkExpectation', (_, response) => refuseExpectation(response));
  server.on('connect', (_, socket) => {
    // Node passes on the socket itself.
    refuseByHand(notAProxy, socket as Socket);
  });
  server.on('connection', (socket) => connections.open(socket));
  // Node's own, with which closing begins, cuts off replies that are still on their way.
  server.closeIdleConnections = () => connections.close();
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (refused.has(socket)) return;
    refused.add(socket);
    // Replies to what was sent whole before the garbage come first. They are sent in order.
    const last = connections.lastWhole(socket);
    if (last === null || last.closed) refuseGarbage(error, socket);
    else last.once('close', () => refuseGarbage(error, socket));
  });
  await bound(server, host, port);
  return {
    // A server that listens on a port has an address of this kind.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
      }),
    cutOff: () => server.closeAllConnections(),
  };
}

type AppServer = Server<typeof DirectRequest, typeof DirectResponse>;

/** Brings the target of a request into the form that begins with a slash. Returns why the request cannot be answered at all, or null. */
function whatIsWrong(request: DirectRequest): string | null {
  const { url: target = '/', rawHeaders } = request;
  if (!target.startsWith('/') && target !== '*') {
    // RFC 9112 lets a client send the whole URL, as to a proxy.
    if (!URL.canParse(target)) return `The request target ${JSON.stringify(maskUrls(target.slice(0, 200)))} is neither a path nor a URL.`;
    const { pathname, search } = new URL(target);
    request.url = `${pathname}${search}`;
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return `The request has ${hosts} Host headers; send one.`;
  return hosts === 0 && request.httpVersionMinor > 0 ? 'The request has no Host header.' : null;
}

/** RFC 9112 wants such requests refused; node:http would do it without a body, or not at all. */
function refuse(response: ServerResponse, detail: string): void {
  response.statusCode = 400;
  response.setHeader('Content-Type', problemType).setHeader('Connection', 'close');
  response.end(problemBody({ status: 400, title: 'Bad Request', detail }));
}

function refuseExpectation(response: ServerResponse): void {
  response.statusCode = 417;
  response.setHeader('Content-Type', problemType).setHeader('Connection', 'close');
  const detail = 'The only expectation that this server meets is 100-continue.';
  response.end(problemBody({ status: 417, title: 'Expectation Failed', detail }));
}

const notAProxy: Problem = {
  status: 405,
  title: 'Method Not Allowed',
  detail: 'This server is not a proxy for other servers: it has no CONNECT.',
};

function bound(server: AppServer, host: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} of ${host} is taken. Stop what uses it, or choose another: --port ${port === 4011 ? 4012 : 4011}, or --port 0 for any free one.`;
      fail(error.code === 'EADDRINUSE' ? new Error(taken) : new SandboxError(`${host}:${port} cannot be listened on: ${error.message}.`));
    });
    server.listen(port, host, done);
  });
}

const garbage: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: { status: 431, title: 'Request Header Fields Too Large', detail: 'The headers are larger than 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, title: 'Request Timeout', detail: 'The request took too long to arrive.' },
};

/** What the HTTP parser cannot read never becomes a request, so the reply is written by hand. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  refuseByHand(garbage[error.code ?? ''] ?? { status: 400, title: 'Bad Request', detail: 'What came is not an HTTP request.' }, socket);
}

function refuseByHand(known: Problem, socket: Socket): void {
  const body = problemBody(known);
  const head = [
    `HTTP/1.1 ${known.status} ${known.title}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
