import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { headerIn, UpstreamFailure, type Body, type Forward, type Outgoing, type ProxiedReply } from '../upstream/proxy/messages.ts';
import { after } from '../sandbox/clock.ts';
import { endToEnd } from './hop-by-hop.ts';
import { failureMessage } from './upstream-failure.ts';

/** The maximum size of a body that is stored and validated, in bytes. Larger ones are forwarded without validation. */
const maxHeld = 16 * 1024 * 1024;

/** The maximum size of the headers, in bytes. */
const maxHeaders = 64 * 1024;

/** The server to which requests are forwarded. */
export interface Upstream {
  readonly url: URL;
  /** The maximum time without data from the upstream, in milliseconds. */
  readonly timeoutMs: number;
  /** Headers that are added to every request: name, value, name, value … */
  readonly more: readonly string[];
}

/** Forwards requests unchanged, each on a separate connection, and returns the replies unchanged, including redirects. */
export function forwardTo(upstream: Upstream): Forward {
  return (outgoing) =>
    new Promise((done, fail) => {
      const { gone } = outgoing;
      if (gone.aborted) return fail(clientGone());
      const fate = watch(upstream, (failure) => {
        request.destroy();
        fail(failure);
      });
      const giveUp = (): void => fate.fail(clientGone());
      const request = open(upstream, outgoing);
      // While a large body is being sent, no response is expected.
      outgoing.body.rest?.on('data', fate.heard);
      gone.addEventListener('abort', giveUp, { once: true });
      request.on('error', (error) => fate.fail(failureOf(upstream, error)));
      request.on('response', (response) => {
        fate.heard();
        response.on('error', (error) => fate.fail(failureOf(upstream, error)));
        const finish = (body: Body): void => {
          fate.end();
          // If the client disconnects during a large response, stop reading it.
          if (body.rest === null) gone.removeEventListener('abort', giveUp);
          done(replyFrom(response, body));
        };
        takeBody(response, finish, fate.heard);
      });
      sendBody(request, outgoing.body);
    });
}

/** Settles a request exactly once, and limits the time without data from the upstream. */
function watch(upstream: Upstream, failed: (failure: UpstreamFailure) => void) {
  const tooLong = (): void =>
    fail(new UpstreamFailure('upstream-timeout', failureMessage(shownUrl(upstream.url), 'SILENT', upstream.timeoutMs)));
  let isOver = false;
  let silence = after(upstream.timeoutMs, tooLong);
  const end = (): void => {
    isOver = true;
    silence.cancel();
  };
  const fail = (failure: UpstreamFailure): void => {
    end();
    failed(failure);
  };
  const heard = (): void => {
    if (isOver) return;
    silence.cancel();
    silence = after(upstream.timeoutMs, tooLong);
  };
  return { fail, heard, end };
}

function open({ url, more }: Upstream, { method, target, headers, body }: Outgoing): ClientRequest {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = endToEnd(headers, ['host', 'expect', 'content-length']);
  const isEmpty = body.bytes.length === 0 && body.rest === null;
  const length = lengthOf(headers, body);
  const framing =
    length === null
      ? ['Transfer-Encoding', 'chunked']
      : isEmpty && length === '0' && headerIn(headers, 'content-length') === undefined
        ? []
        : ['Content-Length', length];
  return send({
    protocol: url.protocol,
    // Brackets are part of the URL, not of the address.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    method,
    path: `${url.pathname.replace(/\/$/, '')}${target}`,
    headers: ['Host', url.host, ...sent, ...framing, ...more, 'Connection', 'close'],
    maxHeaderSize: maxHeaders,
    agent: false,
  });
}

/** Returns the length of a body: known if it is stored as a whole, else as declared by the client. Null if unknown. */
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

/** Stores a body up to the maximum, and calls `heard` for every piece. Does not settle if the stream fails. */
export function takeBody(stream: Readable, done: (body: Body) => void, heard: () => void = () => {}): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    heard();
    chunks.push(chunk);
    length += chunk.length;
    if (length <= maxHeld) return;
    stream.pause();
    stream.off('data', take).off('end', finish);
    done({ bytes: Buffer.concat(chunks, length), rest: stream });
  };
  const finish = (): void => done({ bytes: Buffer.concat(chunks, length), rest: null });
  stream.on('data', take).once('end', finish);
}

function failureOf({ url, timeoutMs }: Upstream, error: NodeJS.ErrnoException): UpstreamFailure {
  return new UpstreamFailure('upstream-failed', failureMessage(shownUrl(url), error.code ?? error.message, timeoutMs));
}

function clientGone(): UpstreamFailure {
  return new UpstreamFailure('client-gone', 'The client did not wait for the reply.');
}

/** Returns the upstream as shown in messages. */
export function shownUrl(url: URL): string {
  return url.href.replace(/\/$/, '');
}
