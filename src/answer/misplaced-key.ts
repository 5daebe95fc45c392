import { withoutEncodedKeys } from '../sandbox/encoded-keys.ts';
import { firstKey } from '../sandbox/keys.ts';
import { percentDecoded } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';

/** Headers that browsers copy from another request, or in which the name of a test may resemble a key. */
const ignored: ReadonlySet<string> = new Set(['referer', 'sandbox-scope', 'host']);

/** The beginning of a header or query in which a key is looked for, in characters. */
const maxSearched = 8192;

/** Returns whether a part of a request has a sandbox's key, plain or encoded. */
export function holdsAnyKey(text: string): boolean {
  const searched = text.slice(0, maxSearched);
  return searched !== '' && withoutEncodedKeys(searched) !== searched;
}

/** Returns the query and headers of a request in which a client may have sent its key instead. */
export function otherPlaces({ query, headers }: Pick<Call, 'query' | 'headers'>): readonly string[] {
  const values = headers.filter(
    (_, at) => at % 2 === 1 && !ignored.has(headers[at - 1]?.toLowerCase() ?? ''),
  );
  return [query, ...values];
}

/** What of a request may have a key, and of one that is no call also its path. */
type Keyed = Pick<Call, 'header' | 'query' | 'headers'> & { readonly path?: string };

/** Returns the key of a request that is no call: that of its header, else the first readable one elsewhere. */
export function namedKey(request: Keyed): string | undefined {
  const sent = request.header('service-api-key');
  if (sent !== undefined) return sent;
  for (const text of [request.path ?? '', ...otherPlaces(request)]) {
    const key = firstKey(percentDecoded(text.slice(0, maxSearched)));
    if (key !== null) return key;
  }
  return undefined;
}
