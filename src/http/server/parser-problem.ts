import { METHODS } from 'node:http';
import type { Problem } from '../../base/problem.ts';
import { isCall } from '../../base/request-target.ts';
import type { ParserError, UnparsedRequest } from './unparsed-request.ts';

/**
 * Explains why the parser refused what arrived: what is wrong with it, and what to do. `request` is the one that the
 * error is about, as far as it is readable; null if there is none.
 */
export function parserProblem(error: ParserError, request: UnparsedRequest | null): Problem {
  const { code = '' } = error;
  const limit = limits[code];
  if (limit !== undefined) return limit;
  const detail =
    otherProtocol(error) ?? details[code]?.(error, request) ?? (isInBody(error) ? chunked : notHttp);
  return { status: 400, title: 'Bad Request', detail };
}

/** Whether the parser refused the body of a request that it has passed on. */
function isInBody({ code = '', reason = '' }: ParserError): boolean {
  return /chunk/i.test(`${code} ${reason}`);
}

const limits: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: 'Request Header Fields Too Large',
    detail: 'The request line and the headers are larger than 16 KiB. Send fewer or shorter ones.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    title: 'Content Too Large',
    detail: 'The body has chunk extensions of more than 16 KiB. Leave them out.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request Timeout',
    detail:
      'The request took too long to arrive. If the client sent all of it, its Content-Length is larger than its body.',
  },
};

const notHttp =
  'What arrived is not an HTTP request. Begin with a method, a target and a version, such as "POST /public/get-quiz-details HTTP/1.1". If it is the rest of a body, the Content-Length of its request is too small.';

const chunked =
  'The body is not in the chunked encoding that Transfer-Encoding announces. Send the size of each chunk in hexadecimal, CR LF, that many bytes, and CR LF; end with a chunk of size 0.';

const lengthAndEncoding = 'The request has both Content-Length and Transfer-Encoding. Send only one of them.';

const lineEnd =
  'A line of the request ends without CR LF, or the value of a header contains a line break. End each line with CR LF, and remove line breaks from values, such as one at the end of an API key.';

type Explain = (error: ParserError, request: UnparsedRequest | null) => string | undefined;

/** What each error of the parser means; undefined if that is unknown. */
const details: Readonly<Record<string, Explain>> = {
  HPE_INVALID_METHOD: (_, request) => (request === null ? undefined : wrongMethod(request)),
  HPE_INVALID_URL: (_, request) => (request === null ? undefined : wrongTarget(request)),
  HPE_INVALID_CONSTANT: (_, request) => (request === null ? undefined : wrongVersion(request)),
  HPE_INVALID_VERSION: ({ reason = '' }, request) => {
    if (/crlf/i.test(reason)) return lineEnd;
    return request === null ? undefined : wrongVersion(request);
  },
  HPE_INVALID_HEADER_TOKEN: wrongHeader,
  HPE_CR_EXPECTED: wrongLineEnd,
  HPE_LF_EXPECTED: wrongLineEnd,
  HPE_STRICT: wrongLineEnd,
  HPE_INVALID_CONTENT_LENGTH: ({ reason = '' }, request) =>
    /transfer-encoding/i.test(reason) ? lengthAndEncoding : wrongLength(request),
  HPE_UNEXPECTED_CONTENT_LENGTH: ({ reason = '' }) =>
    /transfer-encoding/i.test(reason)
      ? lengthAndEncoding
      : 'The request has several Content-Length headers. Send one.',
  HPE_INVALID_TRANSFER_ENCODING: ({ reason = '' }) =>
    /content-length/i.test(reason)
      ? lengthAndEncoding
      : 'The request has a Transfer-Encoding other than "chunked". Send the body with "chunked", or with a Content-Length instead.',
  HPE_INVALID_EOF_STATE: () =>
    'The client ended the connection before its request was complete. If it sent all of it, its Content-Length is larger than its body.',
  HPE_CLOSED_CONNECTION: () =>
    'The client sent more data after a request with "Connection: close". Open a new connection for the next request.',
};

function otherProtocol({ code, rawPacket }: ParserError): string | undefined {
  if (code === 'HPE_PAUSED_H2_UPGRADE')
    return 'The client started HTTP/2, but this server speaks HTTP/1.1. Set the client to HTTP/1.1.';
  // The record type of a TLS handshake, and its major version.
  if (rawPacket?.[0] === 0x16 && rawPacket[1] === 3)
    return 'The client started TLS, but this server speaks plain HTTP. Use an address that begins with http://, or put a proxy that terminates TLS in front of the server.';
  return undefined;
}

function wrongLineEnd(error: ParserError): string | undefined {
  return isInBody(error) ? undefined : lineEnd;
}

function wrongMethod({ method, url }: UnparsedRequest): string {
  if (METHODS.includes(method))
    return 'Data that is not an HTTP request followed this one. If it belongs to the body, the Content-Length of the request is missing or too small: send the number of bytes, not of characters.';
  const received = `The method ${JSON.stringify(method)} does not exist in HTTP`;
  const known = METHODS.includes(method.toUpperCase()) ? `${received}: methods are in upper case` : received;
  const allowed = isCall(url)
    ? 'The operations accept only POST: send "POST"'
    : 'Send one in upper case, such as GET or POST';
  return `${known}. ${allowed}.`;
}

function wrongTarget({ url }: UnparsedRequest): string {
  if (url === undefined)
    return 'The request line has no target. Send the path after the method, such as "POST /public/get-quiz-details HTTP/1.1".';
  // The target of a proxy is a whole URL.
  if (!/^(?:\/|\*|https?:)/i.test(url))
    return 'The target of the request does not begin with "/". Send the whole path, such as "/public/get-quiz-details".';
  return 'The target of the request has a control character, or one that is not ASCII. Percent-encode it, such as "%C3%A4" for "ä".';
}

function wrongVersion({ version }: UnparsedRequest): string {
  return /^HTTP\/1\.[01]$/.test(version)
    ? 'The request line has more than a method, a target and a version. Percent-encode spaces in the target as "%20".'
    : `The request line ends with the version ${JSON.stringify(version)}. Send "HTTP/1.1".`;
}

function wrongHeader({ reason = '' }: ParserError, request: UnparsedRequest | null): string {
  const place = request === null ? 'A header' : `The header on line ${request.line} of the request`;
  if (/value char/i.test(reason)) return `${place} has a control character in its value. Remove it.`;
  if (/whitespace/i.test(reason)) return `${place} continues the line before. Send each header on one line.`;
  return `${place} has no valid name. Send letters, digits and hyphens, and a colon right after them.`;
}

function wrongLength(request: UnparsedRequest | null): string {
  const value = request?.header('content-length') ?? '';
  const received = /^[\d+,. -]{1,30}$/.test(value) ? `, but ${JSON.stringify(value)}` : '';
  return `The Content-Length is not a number of bytes${received}. Send digits only.`;
}
