import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { isCall } from '../../base/request-target.ts';
import { SandboxError } from '../../base/errors.ts';
import type { ServerLimits } from '../../base/server-limits.ts';
import type { Slices } from '../../sandbox/slices.ts';
import { maskUrls } from '../../sandbox/secrets.ts';
import { afterReplies, refuseByHand, InvalidClients, type RequestNotes } from './client-errors.ts';
import { Connections } from './connections.ts';
import type { ReadingTurns } from './reading-turns.ts';
import { DirectRequest } from './direct-request.ts';
import { closeSoon } from './linger.ts';
import { isGone } from './when-gone.ts';
import { DirectResponse } from './direct-response.ts';
import type { Problem } from '../../base/problem.ts';
import type { Fail } from '../not-available.ts';
import { SendingTimes, slowest } from './sending-times.ts';
import { maxHeaders, type ParserError } from './unparsed-request.ts';
import { sendLastProblem } from '../send-problem.ts';
import type { Handler } from '../public-app.ts';

/** A running server. */
export interface Listening {
  readonly port: number;
  /** Refuses new and incomplete requests, and resolves when all others have a response. */
  close(): Promise<void>;
  /** Closes every connection; clients that wait for a response get a last one. */
  cutOff(): void;
}

/** Longer than the idle timeout of clients and proxies, so that they close the connection first. */
const keepAliveTimeout = 75_000;

/** How many connections may be open. Each further one is closed at once, and `refused` is called. */
export interface ConnectionLimit {
  readonly max: number;
  refused(open: number): void;
}

/** Returns a part of the connections that a limit allows. */
export function shareOf(limit: ConnectionLimit | null, share: number): ConnectionLimit | null {
  return limit && { ...limit, max: Math.max(1, Math.floor(limit.max * share)) };
}

/** Where a server listens, and what it does. */
interface Service {
  readonly handle: Handler;
  readonly host: string;
  readonly port: number;
  readonly fail: Fail;
  /** Null if it serves no operations. */
  readonly notes: RequestNotes | null;
  readonly caps: ServerLimits;
  readonly slices: Slices;
  readonly reading: ReadingTurns;
  /** Null for no limit. */
  readonly connectionLimit: ConnectionLimit | null;
}

/** Listens, and passes each valid request to the handler. Throws if the address cannot be used. */
export async function serve(service: Service): Promise<Listening> {
  const { handle, host, port, fail, notes, caps, slices, reading, connectionLimit } = service;
  const connections = new Connections(reading);
  const times = new SendingTimes(reading);
  const invalid = new InvalidClients({ connections, times, slices, notes });
  const receive = (
    request: DirectRequest,
    response: DirectResponse,
    wrongWith: (request: DirectRequest) => Problem | null,
  ): void => {
    if (!connections.begin(response)) return;
    const wrong = wrongWith(request);
    const process = (): void => {
      // While it waited, its connection has ended, or the stopping server has refused it.
      if (isGone(response) || response.writableEnded) return;
      try {
        if (wrong === null) return handle(request, response);
        notes?.refused(request, wrong);
        sendLastProblem(response, wrong);
      } catch (error) {
        fail(error, response);
      }
    };
    // Calls are processed as they arrive: their responses are small, or count as in flight.
    if (wrong === null && isCall(request.url)) process();
    else connections.inTurn(response, caps.pipelinedRequests, () => slices.ownTurns.take(process));
  };
  const server = createServer(
    {
      ...slowest,
      keepAliveTimeout,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      IncomingMessage: DirectRequest,
      ServerResponse: DirectResponse,
    },
    (request, response) => receive(request, response, whatIsWrong),
  );
  for (const name of ['headersTimeout', 'requestTimeout'] as const)
    Object.defineProperty(server, name, { get: () => reading.withPauses(slowest[name]) });
  if (connectionLimit !== null) {
    server.maxConnections = connectionLimit.max;
    server.on('drop', () => connectionLimit.refused(connectionLimit.max));
  }
  // The reader of the body requests it.
  server.on('checkContinue', (request, response) => {
    times.expectContinue(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => receive(request, response, () => unmetExpectation));
  server.on('connect', (request, socket: Socket) => {
    // Node no longer watches this socket: a reset that nobody watches is an uncaught error, and a connection
    // whose end nobody reads stays open after its client has gone.
    socket
      .on('error', () => socket.destroy())
      .on('end', () => socket.end())
      .resume();
    afterReplies(connections, socket, () => {
      const connectionTimes = connections.timesOf(socket);
      if (connectionTimes !== null) request.connectionTimes = connectionTimes;
      notes?.refused(request, notAProxy);
      refuseByHand(notAProxy, socket);
      closeSoon(socket);
    });
  });
  server.on('connection', (socket) => {
    invalid.watch(socket);
    connections.open(socket);
    slices.hurry();
  });
  // Node's own method, which `close` calls first, would cut off replies that are still being sent.
  server.closeIdleConnections = () => connections.close();
  server.on('clientError', (error: ParserError, socket: Socket) => invalid.refuse(error, socket));
  await bound(server, host, port);
  return {
    port: portOf(server),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
      }),
    cutOff: () => connections.giveUp(),
  };
}

type AppServer = Server<typeof DirectRequest, typeof DirectResponse>;

function portOf(server: AppServer): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('The server does not listen on a port.');
  return address.port;
}

/**
 * Normalizes the request target so that it starts with a slash. Returns why the request is invalid, or null. RFC 9112
 * requires such requests to be refused; node:http would do it without a body, or not at all.
 */
function whatIsWrong(request: DirectRequest): Problem | null {
  const { url: target = '/', rawHeaders } = request;
  if (!target.startsWith('/') && target !== '*') {
    // RFC 9112 allows a client to send an absolute URL, as to a proxy.
    if (!URL.canParse(target))
      return badRequest(
        `The request target ${JSON.stringify(maskUrls(target.slice(0, 200)))} is neither a path nor a URL.`,
      );
    const { pathname, search } = new URL(target);
    request.authority = target.slice(0, target.indexOf('/', target.indexOf('//') + 2));
    request.url = `${pathname}${search}`;
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (rawHeaders.length > 2 * maxHeaders)
    return badRequest(`The request has ${rawHeaders.length / 2} headers; send at most ${maxHeaders}.`);
  if (hosts > 1) return badRequest(`The request has ${hosts} Host headers; send one.`);
  return hosts === 0 && request.httpVersionMinor > 0
    ? badRequest('The request has no Host header; send one.')
    : null;
}

function badRequest(detail: string): Problem {
  return { status: 400, title: 'Bad Request', detail };
}

const unmetExpectation: Problem = {
  status: 417,
  title: 'Expectation Failed',
  detail: 'The only expectation that this server meets is 100-continue.',
};

const notAProxy: Problem = {
  status: 405,
  title: 'Method Not Allowed',
  detail: 'This server is not a proxy for other servers: it does not support CONNECT.',
};

function bound(server: AppServer, host: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} of ${host} is already in use. Stop the program that uses it, or choose another port: --port ${port === 4011 ? 4012 : 4011}, or --port 0 for any free port.`;
      fail(
        error.code === 'EADDRINUSE'
          ? new Error(taken)
          : new SandboxError(`The server cannot listen on ${host}:${port}: ${error.message}.`),
      );
    });
    server.listen(port, host, done);
  });
}
