import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, type Observer } from '../answer/answer.ts';
import type { Reply } from '../answer/call.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { isOperationName, operationNames, type OperationName } from '../contract/operation-types.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { toWire } from '../sandbox/wire-text.ts';
import type { OriginOf } from './origin.ts';
import { problemBody, problemType, type Problem } from './problem.ts';
import { readBody, type ReadBody } from './read-body.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const prefix = '/public/';

/** The handler of `/public/<operation>`: a request in, a `Reply` out. Nothing here knows what an operation does. */
export function publicApp(sandboxes: Sandboxes, originOf: OriginOf, observe: Observer): Handler {
  return (request, response) => {
    const { url = '' } = request;
    const mark = url.indexOf('?');
    const name = url.slice(prefix.length, mark < 0 ? undefined : mark);
    if (!isOperationName(name)) return refuse(request, response, sandboxes, unknownOperation(name));
    if (request.method !== 'POST') return refuse(request, response, sandboxes, wrongMethod(name, request.method), ['Allow', 'POST']);
    const query = mark < 0 ? '' : url.slice(mark);
    readBody(request, (body) => send(response, answer(callFrom(request, name, query, body, originOf), sandboxes, observe), body.cutOff));
  };
}

function callFrom(request: IncomingMessage, operation: OperationName, query: string, body: ReadBody, originOf: OriginOf) {
  const { headers } = request;
  return {
    operation,
    body: body.text,
    bodyBytes: body.bytes,
    bodyCutOff: body.cutOff,
    query,
    header: (name: string): string | undefined => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    address: request.socket.remoteAddress ?? '',
    origin: originOf(request),
  };
}

/** Writes the reply in one go. `last` closes the connection after it: there is more coming that nobody will read. */
function send(response: ServerResponse, { status, headers, body }: Reply, last: boolean): void {
  const all = [...headers, 'Content-Length', String(body.length)];
  if (last) all.push('Connection', 'close');
  response.writeHead(status, all);
  response.end(body, 'latin1');
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  sandboxes: Sandboxes,
  problem: Problem,
  headers: readonly string[] = [],
): void {
  request.resume();
  const id = ['Sandbox-Request-Id', sandboxes.default.nextRequestId()];
  send(
    response,
    { status: problem.status, headers: ['Content-Type', problemType, ...id, ...headers], body: toWire(problemBody(problem)) },
    false,
  );
}

function unknownOperation(name: string): Problem {
  const hint = didYouMean(name, operationNames);
  const detail = `There is no operation ${JSON.stringify(name)}.${hint} The operations are ${operationNames.join(', ')}.`;
  return { status: 404, title: 'No such operation', detail };
}

function wrongMethod(name: OperationName, method = ''): Problem {
  return { status: 405, title: 'Wrong method', detail: `The operation ${name} is called with POST, not with ${method}.` };
}
