import { headersByName } from '../../base/headers.ts';
import type { ClientAddress, DirectRequest } from './direct-request.ts';

/** A request without its body. */
export interface RequestHead extends Pick<DirectRequest, 'header' | 'connectionTimes'> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** What preceded the path in the target. */
  readonly authority?: string | undefined;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly forwardedFor?: ClientAddress | null;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
}

/** A request that the parser refused, as far as it is readable. */
export interface UnparsedRequest {
  readonly method: string;
  /** The request target; undefined if there is none. */
  readonly url: string | undefined;
  /** How the request line ends, such as `HTTP/1.1`. */
  readonly version: string;
  /** The line on which the parser failed: 1 is the request line. */
  readonly line: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** Returns a header by its lower-case name; several headers of a name are joined. */
  header(name: string): string | undefined;
}

/** An error of the parser. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
  /** What the parser says, in words that differ between versions of Node. */
  readonly reason?: string;
}

/** The maximum part of what arrived that is searched, in bytes: twice the maximum size of headers. */
const maxSearchedBytes = 32_768;

/** A method and a target may be parsed before the error. */
const maxLineBytes = 16_384;

/**
 * The first line of a request, with a target or without. `\b` because the body of the request before it may end in any
 * character. No quotation marks: its words would be taken for the method and the target.
 */
const requestLine =
  /(?:\b([a-z]{1,32}) ([^\s"]{1,8192}) (?:[^\r\n"]{1,100} )?|(?<![^\r\n}\]])([a-z]{1,32}) )(https?\/[\d.]{1,5})\r?\n/gi;

const headerLine = /^([\w!#$%&'*+.^`|~-]{1,200}) ?: *(.*)$/;

/** Each header takes up more memory than its text. */
export const maxHeaders = 200;

/**
 * Returns the request that a parser error is about. Null if there is none: what arrived is not HTTP, such as the
 * probe of a port scanner or TLS, or its beginning arrived earlier, or the parser has already passed it on.
 */
export function unparsedRequest({
  code = '',
  rawPacket,
  bytesParsed = 0,
}: ParserError): UnparsedRequest | null {
  if (rawPacket === undefined || !beforeRequest.has(code)) return null;
  // The parser reports the end of what arrived, wherever the headers became too large.
  const failedAt = code === overflow ? Math.min(bytesParsed, maxLineBytes) : bytesParsed;
  const start = Math.max(0, failedAt - maxLineBytes);
  const text = rawPacket.toString('latin1', start, start + maxSearchedBytes);
  const line = [...text.matchAll(requestLine)].findLast(({ index }) => index <= failedAt - start);
  if (line === undefined) return null;
  const [whole, withTarget = '', url, withoutTarget = '', version = ''] = line;
  const rawHeaders = headersIn(text.slice(line.index + whole.length));
  const byName = headersByName(rawHeaders);
  return {
    method: withTarget + withoutTarget,
    url,
    version,
    line: text.slice(line.index, failedAt - start).split('\n').length,
    rawHeaders,
    header: (name) => byName[name],
  };
}

const overflow = 'HPE_HEADER_OVERFLOW';

/** The errors for which the parser has passed on no request. */
const beforeRequest: ReadonlySet<string> = new Set([
  overflow,
  'HPE_INVALID_METHOD',
  'HPE_INVALID_URL',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_VERSION',
  'HPE_INVALID_HEADER_TOKEN',
  'HPE_INVALID_CONTENT_LENGTH',
  'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HPE_INVALID_TRANSFER_ENCODING',
  'HPE_CR_EXPECTED',
  'HPE_LF_EXPECTED',
]);

/** Returns the complete headers: a part of one could be a part of a key, which nothing would mask. */
function headersIn(text: string): readonly string[] {
  const headers: string[] = [];
  for (const line of text.split(/\r?\n/).slice(0, -1)) {
    if (line === '' || headers.length >= 2 * maxHeaders) break;
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.push(name, value.trimEnd());
  }
  return headers;
}
