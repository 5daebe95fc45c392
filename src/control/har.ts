import type { Entry, Header, Log, Request, Response } from 'har-format';
import { splitTarget } from '../base/request-target.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** An HTTP Archive whose entries may be created while it is sent. */
interface Archive {
  readonly log: Omit<Log, 'entries'> & { readonly entries: Iterable<Entry> };
}

/**
 * Returns entries as an HTTP Archive 1.2, for browsers and other tools. `version` is this package's version.
 */
export function toHar(entries: Iterable<Entry>, version: string): Archive {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Learning Platform Sandbox', version },
      // Optional in the format, but Firefox requires it.
      pages: [],
      entries,
    },
  };
}

/**
 * Converts a journal entry. Custom members start with an underscore, as the format requires. `baseUrl` is the
 * URL of the sandbox.
 */
export function harEntry(entry: JournalEntry, baseUrl: string): Entry {
  const { at, durationMs, requestId, outcome, faults, assumed, school, scope, page, clientLeft } = entry;
  return {
    startedDateTime: at,
    time: durationMs,
    request: harRequest(entry, baseUrl),
    response: harResponse(entry),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    // The type under which Chrome lists the request.
    _resourceType: 'fetch',
    _requestId: requestId,
    _outcome: outcome,
    _faults: faults,
    _assumed: assumed,
    _school: school,
    _scope: scope,
    _page: page,
    _clientLeft: clientLeft,
  };
}

function harRequest(entry: JournalEntry, baseUrl: string): Request {
  const { method, url, requestHeaders, requestTrailers, request, cut } = entry;
  const query = [...new URLSearchParams(splitTarget(url).query)];
  return {
    method,
    url: `${baseUrl}${url}`,
    httpVersion: 'HTTP/1.1',
    headers: headerList(requestHeaders),
    queryString: query.map(([name, value]) => ({ name, value })),
    cookies: [],
    headersSize: -1,
    // The journal counts cut characters, so the number of bytes is unknown.
    bodySize: cut.request > 0 ? -1 : Buffer.byteLength(request),
    postData: {
      mimeType: requestHeaders['content-type'] ?? unknownType,
      text: request,
      ...cutComment(cut.request),
    },
    ...(requestTrailers === undefined ? {} : { _trailers: headerList(requestTrailers) }),
  };
}

function harResponse({ status, outcome, faults, responseHeaders, response, cut }: JournalEntry): Response {
  const size = Buffer.byteLength(response) + cut.response;
  const nothing = status === 0;
  const why = faults.length > 0 ? faults.map(({ fault }) => fault).join(', ') : outcome;
  return {
    status,
    statusText: '',
    httpVersion: nothing ? '' : 'HTTP/1.1',
    headers: nothing ? [] : headerList(responseHeaders),
    cookies: [],
    content: {
      size,
      mimeType: responseHeaders['content-type'] ?? unknownType,
      text: response,
      ...cutComment(cut.response),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(nothing ? { _error: `No HTTP response was sent: ${why}.` } : {}),
  };
}

/** The value that browsers use for a missing Content-Type. */
const unknownType = 'x-unknown';

function headerList(headers: Readonly<Record<string, string>>): Header[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function cutComment(characters: number): { readonly comment?: string } {
  return characters === 0 ? {} : { comment: `Cut: ${characters} more characters were not stored.` };
}
