import type { Socket } from 'node:net';
import { isOperationName } from '../contract/operation-types.ts';
import { headerIn, UpstreamFailure, type Forward, type Outgoing, type ProxiedCall, type ProxiedReply } from '../upstream/proxy/messages.ts';
import { failedUpstream, problem } from '../upstream/proxy/replies.ts';
import type { DirectResponse } from './server/direct-response.ts';
import { takeBody } from './forward.ts';
import type { Handler } from './public-app.ts';

/** What stands behind `/public/` where calls are passed on. */
export interface PassThrough {
  /** Where calls are passed on to, as it is named to people. */
  readonly upstream: string;
  readonly forward: Forward;
  /** Takes a call of an operation to its reply; null where the client is gone. */
  readonly pass: (call: ProxiedCall) => Promise<ProxiedReply | null>;
  /** Told of a request that is no call of an operation: it is passed on, and nothing is held against it. */
  readonly passedBy: (method: string, path: string, status: number) => void;
  /** The header by which the proxy knows its own requests when they come back to it: its name in lower case, and its value. */
  readonly mark: readonly [name: string, value: string];
  /** Told of something of ours that went wrong. */
  readonly failed: (error: unknown) => void;
}

const prefix = '/public/';

/** The handler of `/public/…` that passes every request on to the upstream. */
export function proxyApp(front: PassThrough, isStopping: () => boolean): Handler {
  const { mark, failed } = front;
  const serve = async (outgoing: Outgoing, response: DirectResponse): Promise<void> => {
    let reply: ProxiedReply | null;
    try {
      reply = await answer(front, outgoing, response.req.socket);
    } catch (error) {
      failed(error);
      reply = problem(500, 'Internal error', 'The proxy failed at this call; it is a defect of the sandbox.');
    }
    if (reply === null) return;
    try {
      write(reply, response, isStopping());
    } catch (error) {
      failed(error);
      response.destroy();
    }
  };
  return (request, response) => {
    const [name, value] = mark;
    if (request.header(name)?.includes(value) === true) return write(loop, response, isStopping());
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { method = 'GET', url: target = '/', rawHeaders: headers } = request;
    takeBody(request, (body) => void serve({ method, target, headers, body, gone: gone.signal }, response));
  };
}

/** A call of an operation is held against the contract; everything else only passes. */
async function answer(
  { forward, pass, passedBy }: PassThrough,
  outgoing: Outgoing,
  { remoteAddress: address = '', remotePort: port = 0 }: Socket,
): Promise<ProxiedReply | null> {
  const path = pathOf(outgoing.target);
  const operation = path.slice(prefix.length);
  if (outgoing.method === 'POST' && isOperationName(operation)) {
    return pass({ ...outgoing, operation, query: outgoing.target.slice(path.length), address, port });
  }
  const reply = await passBy(forward, outgoing);
  passedBy(outgoing.method, path, reply?.status ?? 0);
  return reply;
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

const loop = problem(508, 'Loop', 'The upstream leads back to this proxy. --upstream must name another server.');

async function passBy(forward: Forward, outgoing: Outgoing): Promise<ProxiedReply | null> {
  try {
    return await forward(outgoing);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return error.kind === 'client-gone' ? null : failedUpstream(error);
  }
}

/** Sends the reply as it came. */
function write({ status, statusText, headers, body }: ProxiedReply, response: DirectResponse, isLast: boolean): void {
  const isBodiless = response.req.method === 'HEAD' || status === 204 || status === 304;
  const hasLength = headerIn(headers, 'content-length') !== undefined;
  const length = hasLength || isBodiless || body.rest !== null ? [] : ['Content-Length', String(body.bytes.length)];
  // Whether there is a Date is the upstream's matter.
  response.sendDate = false;
  const head = [...headers, ...length, ...(isLast ? ['Connection', 'close'] : [])];
  if (statusText === '') response.writeHead(status, head);
  else response.writeHead(status, statusText, head);
  if (body.rest === null) return void response.end(isBodiless ? undefined : body.bytes);
  response.write(body.bytes);
  // What was begun cannot be answered in another way.
  body.rest.on('error', () => response.destroy()).pipe(response);
}
