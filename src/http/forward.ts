import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { headerIn, UpstreamFailure, type Body, type Forward, type Outgoing, type ProxiedReply } from '../upstream/proxy/messages.ts';
import { after } from '../sandbox/clock.ts';
import { endToEnd } from './hop-by-hop.ts';
import { failureMessage } from './upstream-failure.ts';

/** The most of a body that is held, and so the most that is checked; more passes through unchecked. In bytes. */
const maxHeld = 16 * 1024 * 1024;

/** The most of headers that is read, in bytes. */
const maxHeaders = 64 * 1024;

/** Where calls go. */
export interface Upstream {
  readonly url: URL;
  /** How long it may be silent, in milliseconds. */
  readonly timeoutMs: number;
  /** Headers that go with every request beside the client's own: name, value, name, value … */
  readonly more: readonly string[];
}

/** Sends requests to the upstream as they came, each on a connection of its own, and takes its replies as they come: redirects are replies like others. */
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
      // While a large body is on its way up, nobody expects a word.
      outgoing.body.rest?.on('data', fate.heard);
      gone.addEventListener('abort', giveUp, { once: true });
      request.on('error', (error) => fate.fail(failureOf(upstream, error)));
      request.on('response', (response) => {
        fate.heard();
        response.on('error', (error) => fate.fail(failureOf(upstream, error)));
        const finish = (body: Body): void => {
          fate.end();
          // Whoever does not wait for the rest of a large body ends it too.
          if (body.rest === null) gone.removeEventListener('abort', giveUp);
          done(replyFrom(response, body));
        };
        takeBody(response, finish, fate.heard);
      });
      sendBody(request, outgoing.body);
    });
}

/** The one end that an exchange comes to, and the clock that runs while the upstream is silent. */
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
    // Brackets belong to the URL, not to the address.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    method,
    path: `${url.pathname.replace(/\/$/, '')}${target}`,
    headers: ['Host', url.host, ...sent, ...framing, ...more, 'Connection', 'close'],
    maxHeaderSize: maxHeaders,
    agent: false,
  });
}

/** Of a body that is held whole it is known; of a larger one the client may have said it. Null for nobody knows. */
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

/** Takes a body as far as it is held; `heard` is told of every piece. Never done where the stream fails before. */
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

/** The upstream as messages name it. */
export function shownUrl(url: URL): string {
  return url.href.replace(/\/$/, '');
}
