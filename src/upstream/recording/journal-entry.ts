import { isObject } from '../../base/is-object.ts';
import { numberIn, sandboxFacts, targetOf, textIn } from './har-entry.ts';
import type { RecordedCall } from './recording.ts';

/** Reads an entry of a journal, as the control plane returns it. Null if the value is not such an entry. */
export function fromJournalEntry(entry: Readonly<Record<string, unknown>>): RecordedCall | null {
  const { request, response, requestHeaders, responseHeaders, cut } = entry;
  if (typeof request !== 'string' || typeof response !== 'string') return null;
  const isCut = (side: 'request' | 'response'): boolean => isObject(cut) && numberIn(cut, side) > 0;
  return {
    at: Date.parse(textIn(entry, 'at')),
    durationMs: numberIn(entry, 'durationMs'),
    method: textIn(entry, 'method'),
    target: targetOf(textIn(entry, 'url')),
    requestHeaders: headersOf(requestHeaders),
    request,
    status: numberIn(entry, 'status'),
    responseHeaders: headersOf(responseHeaders),
    response,
    cut: { request: isCut('request'), response: isCut('response') },
    sandbox: sandboxFacts(entry, entry),
  };
}

function headersOf(headers: unknown): ReadonlyMap<string, string> {
  if (!isObject(headers)) return new Map();
  return new Map(
    Object.entries(headers).flatMap(
      ([name, value]: [string, unknown]): readonly (readonly [string, string])[] =>
        typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
}
