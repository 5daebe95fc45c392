import type { Attempt } from '../attempt.ts';
import type { Check } from '../check.ts';

const names = { url: 'URL', body: 'body', header: 'wrong header', trailer: 'trailers' } as const;

/** Whether a request has a body that nothing searched: its request was refused before, or it is compressed. */
function hasUnreadBody({ entry }: Attempt): boolean {
  const { outcome, request, cut, requestHeaders } = entry;
  const isCompressed = outcome === 'not-json' && requestHeaders['content-encoding'] !== undefined;
  const isInChunks = outcome === 'unmatched' && requestHeaders['transfer-encoding'] !== undefined;
  return isCompressed || isInChunks || (request === '' && cut.request > 0);
}

const notJudged =
  'The server did not read the bodies of some requests, because their path, method, encoding or size is wrong.';

export const keySecrecy: Check = {
  check: 'key-secrecy',
  title: 'Sends the key only in its header',
  rule: 'The client must send the API key only in the header SERVICE-API-KEY: URLs, bodies, trailers and other headers end up in logs. The check also finds keys that are percent-encoded, or in base64 or hexadecimal. In URLs, headers and trailers, the check finds keys that are encoded up to three times. In bodies, it finds keys that are encoded once, or up to three times in base64. In bodies, the check also finds escaped keys.',
  details: [
    'The check also searches the fragment of a URL, and the part before its path, which can contain a user name. The names of headers, cookies, parameters and JSON members, and the file names of a multipart body, are searched like their values.',
    'A trailer with the name SERVICE-API-KEY is not the header of the key.',
    'If a request has a body that the server does not read, and no key is found, the check is not judged. The server does not read compressed bodies, bodies that are too large, or the bodies of unmatched requests, such as a GET.',
  ],
  exceptions: [
    'The extensions of chunks, because the HTTP parser discards them.',
    'The body of a request that is not UTF-8, and lines of a request that are not valid HTTP, such as one with a key in its method or version. Such a request is a violation. If even its first line is unreadable, the request is not in the journal.',
    'The header `Sandbox-Scope`, because the name of a test may resemble a key. Behind the proxy, also `Host` and `User-Agent`.',
  ],
  basis: 'The specification: the API key is sent in the header SERVICE-API-KEY.',
  strength: 'must',
  occasion: 'calls',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts, unmatched, busy }) => {
    const requests = [...attempts, ...unmatched, ...busy];
    const breaches = requests
      .filter(({ entry }) => entry.keyElsewhere.length > 0)
      .map((attempt) => ({
        message: `The client sent a key in the ${attempt.entry.keyElsewhere.map((place) => names[place]).join(' and the ')}.`,
        calls: [attempt] as const,
      }));
    const isUnread = requests.some(hasUnreadBody);
    return { occasions: requests.length, breaches, ...(isUnread ? { notJudged } : {}) };
  },
};
