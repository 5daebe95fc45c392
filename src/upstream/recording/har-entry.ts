import { callPrefix } from '../../base/request-target.ts';
import { isObject } from '../../base/is-object.ts';
import type { RecordedCall, SandboxFacts } from './recording.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an entry of an HTTP Archive. Its target is empty if it is not under /public/. Null if the value is
 * not such an entry.
 */
export function fromHarEntry(entry: Fields): RecordedCall | null {
  const { request, response } = entry;
  if (!isObject(request) || !isObject(response)) return null;
  const url = textIn(request, 'url');
  const sent = textOf(request['postData']);
  const received = textOf(response['content']);
  return {
    at: Date.parse(textIn(entry, 'startedDateTime')),
    durationMs: numberIn(entry, 'time'),
    method: textIn(request, 'method'),
    target: targetOf(url),
    requestHeaders: headersIn(request),
    request: sent.text,
    status: numberIn(response, 'status'),
    responseHeaders: headersIn(response),
    response: received.text,
    cut: { request: sent.isCut, response: received.isCut },
    sandbox: sandboxFacts(entry, {
      requestId: entry['_requestId'],
      school: entry['_school'],
      outcome: entry['_outcome'],
      scope: entry['_scope'],
      faults: entry['_faults'],
      clientLeft: entry['_clientLeft'],
    }),
  };
}

/** Returns the part of a URL from `/public/` on; empty if it has none. */
export function targetOf(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/#.*$/, '');
  const [before = ''] = path.split('?');
  const start = before.indexOf(callPrefix);
  return start < 0 ? '' : path.slice(start);
}

/** Returns what a sandbox notes about a call; null if the entry is not of a sandbox. */
export function sandboxFacts(entry: Fields, noted: Fields): SandboxFacts | null {
  const { requestId, school, scope, faults, clientLeft } = noted;
  if (typeof requestId !== 'string') return null;
  const list: readonly unknown[] = Array.isArray(faults) ? faults : [];
  return {
    requestId,
    school: typeof school === 'string' ? school : null,
    outcome: textIn(noted, 'outcome'),
    scope: typeof scope === 'string' ? scope : null,
    faults: list.filter(isObject).map((fault) => ({
      fault: textIn(fault, 'fault'),
      rule: typeof fault['rule'] === 'string' ? fault['rule'] : null,
    })),
    clientLeft: clientLeft === true || entry['clientLeft'] === true,
  };
}

/** Returns the text of a body; browsers encode one that is not text as base64. */
function textOf(body: unknown): { readonly text: string; readonly isCut: boolean } {
  if (!isObject(body)) return { text: '', isCut: false };
  const text = textIn(body, 'text');
  const isCut = textIn(body, 'comment').startsWith('Cut: ');
  return { text: body['encoding'] === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text, isCut };
}

function headersIn(message: Fields): ReadonlyMap<string, string> {
  const headers: readonly unknown[] = Array.isArray(message['headers']) ? message['headers'] : [];
  // HTTP/2 has pseudo-headers such as `:path`.
  const read = headers
    .filter(isObject)
    .map((one) => [textIn(one, 'name').toLowerCase(), textIn(one, 'value')] as const);
  const merged = new Map<string, string>();
  for (const [name, value] of read.filter(([one]) => one !== '' && !one.startsWith(':'))) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return merged;
}

export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

export function numberIn(fields: Fields, name: string): number {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
