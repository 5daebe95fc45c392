import type { Problem } from '../base/problem.ts';
import { isOperationName } from '../contract/operation-types.ts';
import { callPrefix, splitTarget } from '../base/request-target.ts';
import { commonMemory, Share } from '../sandbox/in-flight.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { StoppedError } from '../sandbox/slices.ts';
import { maskPath } from '../sandbox/secrets.ts';
import { headerIn, headersByName } from '../base/headers.ts';
import {
  UpstreamFailure,
  type Body,
  type Forward,
  type Outgoing,
  type ProxiedCall,
  type ProxiedReply,
} from '../upstream/proxy/messages.ts';
import type { RefusedRequest } from '../upstream/proxy/keep-refusal.ts';
import { failedUpstream, problem } from '../upstream/proxy/replies.ts';
import { Secrets, type KnownSecrets } from '../upstream/proxy/secrets.ts';
import { expectsContinue, type DirectRequest } from './server/direct-request.ts';
import { unreadMs, type DirectResponse } from './server/direct-response.ts';
import { PipelinedCalls } from './server/pipelined-calls.ts';
import { UnreadReplies } from './server/unread-replies.ts';
import { isGone, whenGone } from './server/when-gone.ts';
import { unmatchedRequest } from './call-from.ts';
import { takeBody, uncountedBytes } from './take-body.ts';
import type { Handler, Serving } from './public-app.ts';

/** What the proxy does with requests to `/public/`. */
export interface PassThrough {
  /** The upstream, as shown to people. */
  readonly upstream: string;
  readonly forward: Forward;
  /** Returns the reply to a call of an operation, or null if the client disconnected. */
  readonly pass: (call: ProxiedCall) => Promise<ProxiedReply | null>;
  /**
   * Called for a request that is not a call of an operation. It is forwarded without validation. The path has
   * no secrets.
   */
  readonly passedBy: (method: string, path: string, status: number) => void;
  /** Journals a request that is not forwarded: the reply to it, or null if its client has gone. */
  readonly keepRefusal: (request: RefusedRequest, reply: Problem | null) => void;
  /**
   * The header by which the proxy recognizes its own requests, to detect loops: its name in lower case, and
   * its value.
   */
  readonly mark: readonly [name: string, value: string];
  readonly secrets: KnownSecrets;
  /** Called with a bug of the sandbox. */
  readonly failed: (error: unknown) => void;
}

/** The handler of `/public/…` that forwards every request to the upstream. */
export function proxyApp(
  front: PassThrough,
  { caps, waitingCalls, slices }: Pick<Sandboxes, 'caps' | 'waitingCalls' | 'slices'>,
  { isStopping, reading }: Serving,
): Handler {
  const { mark, failed } = front;
  // A client that does not wait for replies still relies on the order of its calls.
  const pipelined = new PipelinedCalls(waitingCalls, slices, reading);
  const requests = commonMemory(caps.bodiesInFlightBytes);
  const responses = commonMemory(caps.repliesInFlightBytes);
  const unread = new UnreadReplies(responses);
  const serve = async (outgoing: Outgoing, response: DirectResponse): Promise<void> => {
    let reply: ProxiedReply | null;
    try {
      reply = await answer(front, outgoing, response.req);
    } catch (error) {
      // The server stopped before the call was checked.
      if (error instanceof StoppedError) return void response.destroy();
      failed(error);
      reply = problem(
        500,
        'Internal error',
        'The proxy failed to process this call. This is a bug in the sandbox.',
      );
    }
    if (reply === null) return;
    try {
      write(reply, response, isStopping());
      // A reply that is passed on piece by piece waits for its reader.
      if (outgoing.memory.response.amount === 0 && reply.body.rest === null)
        unread.watch(response.req.socket);
    } catch (error) {
      failed(error);
      response.destroy();
    }
  };
  return (request, response) => {
    const [name, value] = mark;
    if (request.header(name)?.includes(value) === true) return write(loop, response, isStopping());
    const gone = new AbortController();
    const { method = 'GET', url: target = '/', rawHeaders: headers } = request;
    const memory = { request: new Share(requests), response: new Share(responses) };
    let isServing = false;
    let isOver = false;
    whenGone(response, () => {
      isOver = true;
      gone.abort();
      if (!isServing) memory.request.end();
      if (!isServing) memory.response.end();
    });
    let taken: Body | null = null;
    let isItsTurn = false;
    const begin = (): void => {
      if (taken === null || !isItsTurn) return;
      isServing = true;
      const outgoing = { method, target, headers, body: taken, gone: gone.signal, memory };
      void serve(outgoing, response).finally(() => {
        isServing = false;
        // The response is in memory until the client has read it.
        memory.request.end();
        if (isOver) memory.response.end();
      });
    };
    if (expectsContinue(request)) response.writeContinue();
    // Even before its turn: nobody notices that a client has left whose connection is not read.
    takeBody(request, memory.request, (body) => {
      taken = body;
      begin();
    });
    pipelined.take(request, uncounted(request), () => {
      if (isGone(response)) return noteLeft(front, request);
      isItsTurn = true;
      begin();
    });
  };
}

/**
 * Journals a call whose client has left before its turn. It is not forwarded. If a part of its body has not arrived, it
 * has an entry already.
 */
function noteLeft({ keepRefusal, failed }: PassThrough, request: DirectRequest): void {
  const { path } = splitTarget(request.url ?? '');
  const isCall = request.method === 'POST' && isOperationName(path.slice(callPrefix.length));
  if (!isCall || !request.complete) return;
  try {
    keepRefusal(unmatchedRequest(request), null);
  } catch (error) {
    failed(error);
  }
}

/** Returns the part of the body that no share counts, in bytes. */
function uncounted(request: DirectRequest): number {
  const length = request.header('transfer-encoding') === undefined ? request.header('content-length') : null;
  return length === null ? uncountedBytes : Math.min(Number(length ?? 0), uncountedBytes);
}

/** Validates calls of operations against the contract; forwards everything else unchanged. */
async function answer(
  { forward, pass, passedBy, secrets: known }: PassThrough,
  outgoing: Outgoing,
  request: DirectRequest,
): Promise<ProxiedReply | null> {
  const { path, query } = splitTarget(outgoing.target);
  const operation = path.slice(callPrefix.length);
  const { authority, connectionTimes: connection } = request;
  const { remoteAddress: address = '', remotePort: port = 0 } = request.socket;
  const trailers = (): readonly string[] => request.rawTrailers;
  if (outgoing.method === 'POST' && isOperationName(operation)) {
    return pass({ ...outgoing, operation, query, authority, trailers, address, port, connection });
  }
  const reply = await passBy(forward, outgoing);
  const secrets = new Secrets(headersByName(outgoing.headers), query, known);
  passedBy(outgoing.method, secrets.mask(maskPath(path)), reply?.status ?? 0);
  return reply;
}

const loop = problem(508, 'Loop', 'The service forwards to this proxy. Set --upstream to another server.');

async function passBy(forward: Forward, outgoing: Outgoing): Promise<ProxiedReply | null> {
  try {
    return await forward(outgoing);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return error.kind === 'client-gone' ? null : failedUpstream(error);
  }
}

/** Sends the reply unchanged. */
function write(
  { status, statusText, headers, body }: ProxiedReply,
  response: DirectResponse,
  isLast: boolean,
): void {
  const isBodiless = response.req.method === 'HEAD' || status === 204 || status === 304;
  const hasLength = headerIn(headers, 'content-length') !== undefined;
  const length =
    hasLength || isBodiless || body.rest !== null ? [] : ['Content-Length', String(body.bytes.length)];
  // The upstream decides whether there is a Date header.
  response.sendDate = false;
  const head = [...headers, ...length, ...(isLast ? ['Connection', 'close'] : [])];
  if (statusText === '') response.writeHead(status, head);
  else response.writeHead(status, statusText, head);
  if (body.rest === null) {
    response.setTimeout(unreadMs);
    return void response.end(isBodiless ? undefined : body.bytes);
  }
  if (body.rest.destroyed) return void response.destroy();
  // The upstream may pause for longer than the client.
  response.setTimeout(unreadMs, () => response.writableNeedDrain && response.destroy());
  response.write(body.bytes);
  // The response has already started, so only the connection can be closed.
  body.rest.on('error', () => response.destroy()).pipe(response);
}
