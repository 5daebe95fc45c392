import { unbracketed } from '../base/unbracketed.ts';
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { headerIn } from '../base/headers.ts';
import {
  UpstreamFailure,
  type Body,
  type Forward,
  type Outgoing,
  type ProxiedReply,
} from '../upstream/proxy/messages.ts';
import { after, stopwatch } from '../sandbox/clock.ts';
import type { UpstreamConnection } from './connection/upstream-connection.ts';
import { endToEnd } from './hop-by-hop.ts';
import { takeBody } from './take-body.ts';
import { failureMessage, proxyFailureMessage } from './upstream-failure.ts';

/** The maximum size of the headers, in bytes. */
const maxHeaders = 64 * 1024;

/** The maximum number of interim responses (1xx) to one request. */
const maxInterim = 100;

/**
 * The maximum time for a response, in timeouts. Each byte adds a millisecond, so only very slow responses are
 * cut off.
 */
const maxTimeouts = 10;

/** The server to which requests are forwarded. */
export interface Upstream {
  readonly url: URL;
  /** The maximum time without data from the upstream, in milliseconds. */
  readonly timeoutMs: number;
  /** Headers that are added to every request: name, value, name, value … */
  readonly more: readonly string[];
  readonly connection: UpstreamConnection;
}

/**
 * Forwards requests unchanged, each exactly once, and returns the replies unchanged, including redirects.
 */
export function forwardTo(upstream: Upstream): Forward {
  const { connection } = upstream;
  return async (outgoing) => {
    await connection.ready();
    return exchange(upstream, outgoing);
  };
}

function exchange(upstream: Upstream, outgoing: Outgoing): Promise<ProxiedReply> {
  return new Promise((done, fail) => {
    const { gone, memory } = outgoing;
    if (gone.aborted) return fail(clientGone());
    const request = open(upstream, outgoing);
    const fate = watch(upstream, (failure) => {
      request.destroy();
      fail(failure);
    });
    const giveUp = (): boolean => fate.fail(clientGone());
    const failWith = (code: string): boolean => fate.fail(failureOf(upstream, code));
    let isTunnelled = false;
    let interim = 0;
    // While a large body is being sent, no response is expected.
    outgoing.body.rest?.on('data', () => fate.heard());
    gone.addEventListener('abort', giveUp, { once: true });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
      const isBetween = isOfProxy(upstream, code, isTunnelled || request.reusedSocket);
      const failure = isBetween ? proxyFailureOf(upstream, code) : failureOf(upstream, code);
      if (fate.fail(failure)) upstream.connection.failed(request);
    });
    // Otherwise, the response of the proxy server would be taken for that of the upstream.
    request.on('proxyConnect', ({ statusCode }: { readonly statusCode: number }) => {
      isTunnelled = statusCode === 200;
      if (!isTunnelled) failWith(`PROXY_${statusCode}`);
    });
    request.on('information', () => void ((interim += 1) > maxInterim && failWith('INTERIM')));
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      failWith('UPGRADE');
    });
    request.on('response', (response) => {
      fate.begin(response);
      // What cannot be sent to the client cannot be passed on.
      if (!isSendable(response)) return void failWith('STATUS_LINE');
      response.on('error', (error: NodeJS.ErrnoException) => failWith(error.code ?? error.message));
      const finish = (body: Body): void => {
        if (body.rest === null) {
          fate.end();
          // If the client disconnects during a large response, stop reading it.
          gone.removeEventListener('abort', giveUp);
        } else {
          response.on('data', ({ length }: Buffer) => fate.heard(length)).once('end', fate.end);
        }
        done(replyFrom(response, body));
      };
      takeBody(response, memory.response, finish, fate.heard);
    });
    sendBody(request, outgoing.body);
  });
}

/**
 * Settles a request exactly once, and limits the time without data from the upstream, and the time of its
 * response.
 */
function watch(upstream: Upstream, failed: (failure: UpstreamFailure) => void) {
  const { timeoutMs } = upstream;
  let response: IncomingMessage | null = null;
  let began = 0;
  let bytes = 0;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    silence.cancel();
  };
  const fail = (failure: UpstreamFailure): boolean => {
    if (isOver) return false;
    end();
    failed(failure);
    return true;
  };
  const timeOut = (code: 'SILENT' | 'SLOW'): boolean =>
    fail(new UpstreamFailure('upstream-timeout', messageOf(upstream, code)));
  const tooLong = (): void => {
    // Nothing is read while the client does not read.
    if (response?.readableFlowing === false) silence = after(timeoutMs, tooLong);
    else timeOut('SILENT');
  };
  let silence = after(timeoutMs, tooLong);
  const heard = (length = 0): void => {
    if (isOver) return;
    bytes += length;
    silence.cancel();
    silence = after(timeoutMs, tooLong);
    if (response !== null && stopwatch() - began > maxTimeouts * timeoutMs + bytes) timeOut('SLOW');
  };
  /** The response begins. */
  const begin = (begun: IncomingMessage): void => {
    response = begun;
    began = stopwatch();
    heard();
  };
  return { fail, heard, begin, end };
}

/** Returns whether Node can send the status line of a response. */
function isSendable({ statusCode = 0, statusMessage = '' }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 999 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage);
}

function open(
  { url, more, connection }: Upstream,
  { method, target, headers, body }: Outgoing,
): ClientRequest {
  const path = `${url.pathname.replace(/\/$/, '')}${target}`;
  const { forwarder } = connection;
  const to = forwarder ?? url;
  const send = to.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = endToEnd(headers, ['host', 'expect', 'content-length', ...connection.replaced]);
  return send({
    protocol: to.protocol,
    hostname: unbracketed(to.hostname),
    port: to.port,
    method,
    path: forwarder === null ? path : `${url.origin}${path}`,
    headers: [
      'Host',
      url.host,
      ...sent,
      ...framingOf(headers, body),
      ...connection.headers,
      ...more,
      'Connection',
      'keep-alive',
    ],
    maxHeaderSize: maxHeaders,
    agent: connection.agent,
    ...connection.tls,
  });
}

/** Returns the headers that say where the body ends. */
function framingOf(headers: readonly string[], body: Body): readonly string[] {
  const length = lengthOf(headers, body);
  if (length === null) return ['Transfer-Encoding', 'chunked'];
  const isEmpty = body.bytes.length === 0 && body.rest === null;
  const isUnsaid = isEmpty && length === '0' && headerIn(headers, 'content-length') === undefined;
  return isUnsaid ? [] : ['Content-Length', length];
}

/**
 * Returns the length of a body: known if it is stored as a whole, else as declared by the client. Null if
 * unknown.
 */
function lengthOf(headers: readonly string[], { bytes, rest }: Body): string | null {
  if (rest === null) return String(bytes.length);
  return headerIn(headers, 'content-length') ?? null;
}

function sendBody(request: ClientRequest, { bytes, rest }: Body): void {
  if (rest === null) return void request.end(bytes);
  request.write(bytes);
  rest.on('error', () => request.destroy()).pipe(request);
}

function replyFrom(response: IncomingMessage, body: Body): ProxiedReply {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: endToEnd(response.rawHeaders),
    body,
  };
}

function failureOf(upstream: Upstream, code: string): UpstreamFailure {
  return new UpstreamFailure('upstream-failed', messageOf(upstream, code));
}

/** The errors of a connection that could not be made. */
const unconnected = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/;

/** Whether an error is one of the proxy server, to which this machine connects in place of the service. */
function isOfProxy({ connection }: Upstream, code: string, isTunnelled: boolean): boolean {
  if (connection.proxy === null) return false;
  const hasTunnels = connection.forwarder === null;
  return unconnected.test(code) || (hasTunnels && !isTunnelled);
}

function proxyFailureOf({ url, connection }: Upstream, code: string): UpstreamFailure {
  const message = proxyFailureMessage(shownUrl(url), connection.proxy ?? '', code);
  return new UpstreamFailure('upstream-failed', message);
}

function messageOf({ url, timeoutMs, connection: { proxy } }: Upstream, code: string): string {
  const through = proxy === null ? '' : ` The connection goes through the proxy server ${proxy}.`;
  return `${failureMessage(shownUrl(url), code, timeoutMs)}${through}`;
}

function clientGone(): UpstreamFailure {
  return new UpstreamFailure('client-gone', 'The client did not wait for the reply.');
}

/** Returns the upstream as shown in messages. */
export function shownUrl(url: URL): string {
  return url.href.replace(/\/$/, '');
}
