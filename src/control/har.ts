import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** An HTTP Archive 1.2 of entries, for the network panel of a browser and whatever else reads such files. `version` is this package's. */
export function toHar(entries: Iterable<object>, version: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Learning Platform Sandbox', version },
      // Optional in the format, but Firefox reads nothing without it.
      pages: [],
      entries,
    },
  };
}

/** One exchange; members of our own begin with an underscore, as the format has it. `baseUrl` is where the sandbox answers. */
export function harEntry(entry: JournalEntry, baseUrl: string): object {
  const { at, durationMs, requestId, outcome, faults, assumed, school } = entry;
  return {
    startedDateTime: at,
    time: durationMs,
    request: harRequest(entry, baseUrl),
    response: harResponse(entry),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    // What Chrome files the exchange under.
    _resourceType: 'fetch',
    _requestId: requestId,
    _outcome: outcome,
    _faults: faults,
    _assumed: assumed,
    _school: school,
  };
}

function harRequest({ url, requestHeaders, request, cut }: JournalEntry, baseUrl: string): object {
  const mark = url.indexOf('?');
  const query = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark))];
  return {
    method: 'POST',
    url: `${baseUrl}${url}`,
    httpVersion: 'HTTP/1.1',
    headers: headerList(requestHeaders),
    queryString: query.map(([name, value]) => ({ name, value })),
    cookies: [],
    headersSize: -1,
    // What was cut off was counted in characters, whose bytes nobody knows any more.
    bodySize: cut.request > 0 ? -1 : Buffer.byteLength(request),
    postData: { mimeType: requestHeaders['content-type'] ?? unknownType, text: request, ...cutComment(cut.request) },
  };
}

function harResponse({ status, outcome, faults, responseHeaders, response, cut }: JournalEntry): object {
  const size = Buffer.byteLength(response) + cut.response;
  const nothing = status === 0;
  const why = faults.length > 0 ? faults.map(({ fault }) => fault).join(', ') : outcome;
  return {
    status,
    statusText: '',
    httpVersion: nothing ? '' : 'HTTP/1.1',
    headers: nothing ? [] : headerList(responseHeaders),
    cookies: [],
    content: { size, mimeType: responseHeaders['content-type'] ?? unknownType, text: response, ...cutComment(cut.response) },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(nothing ? { _error: `No HTTP answer was sent: ${why}.` } : {}),
  };
}

/** How browsers write that there is no Content-Type. */
const unknownType = 'x-unknown';

function headerList(headers: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function cutComment(characters: number): object {
  return characters === 0 ? {} : { comment: `Cut off: ${characters} more characters were not kept.` };
}
