import type { Call } from '../answer/call.ts';
import type { UnmatchedRequest } from '../answer/unmatched.ts';
import { splitTarget } from '../base/request-target.ts';
import type { Shortage } from '../base/shortage.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { ClientAddress, DirectRequest } from './server/direct-request.ts';
import type { ReadBody } from './server/read-body.ts';
import type { RequestHead } from './server/unparsed-request.ts';
import type { OriginOf } from './server/origin.ts';

/** Returns a request as plain data. */
export function unmatchedRequest(request: RequestHead): Omit<UnmatchedRequest, 'toPage'> {
  const { path, query } = splitTarget(request.url ?? '/');
  return {
    ...senderOf(request),
    method: request.method ?? '',
    path,
    query,
    bodyBytes: declaredBytes(request.header('content-length') ?? ''),
  };
}

/** A request to an operation, with its body. */
interface Called {
  readonly name: OperationName;
  readonly query: string;
  readonly body: ReadBody;
  /** What its body exceeds if there is no memory for it; else null. */
  readonly shortage: Shortage | null;
}

/** Returns a call as plain data. */
export function callFrom(
  request: DirectRequest,
  { name, query, body, shortage }: Called,
  originOf: OriginOf,
): Call {
  return {
    operation: name,
    body: body.text,
    invalidByte: body.invalidByte,
    bodyBytes: body.bytes,
    bodyCutOff: body.cutOff,
    bodyShortage: shortage,
    query,
    // Not `...senderOf(request)`: spreading costs every call half a microsecond.
    header: (header) => request.header(header),
    headers: request.rawHeaders,
    trailers: request.rawTrailers,
    authority: request.authority,
    ...clientOf(request),
    connection: request.connectionTimes,
    pipelined: request.previous !== null,
    origin: originOf(request),
  };
}

function senderOf(
  request: RequestHead,
): Pick<Call, 'header' | 'headers' | 'authority' | 'address' | 'port' | 'connection'> {
  return {
    header: (name) => request.header(name),
    headers: request.rawHeaders,
    authority: request.authority ?? '',
    ...clientOf(request),
    connection: request.connectionTimes,
  };
}

function clientOf({ socket, forwardedFor = null }: RequestHead): ClientAddress {
  return forwardedFor ?? { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
}

/** Returns the declared length of a body; 0 if it is not a number, which is one of the things that are not valid HTTP. */
function declaredBytes(contentLength: string): number {
  return /^\d{1,15}$/.test(contentLength) ? Number(contentLength) : 0;
}
