import { callPrefix } from '../../base/request-target.ts';
import { SandboxError } from '../../base/errors.ts';
import { deepest, isTooDeep } from '../../base/json-depth.ts';
import { isObject } from '../../base/is-object.ts';
import { isOperationName, type OperationName } from '../../contract/operation-types.ts';
import { parseJson } from '../../contract/envelope.ts';
import { fromHarEntry } from './har-entry.ts';
import { fromJournalEntry } from './journal-entry.ts';

/** A request under /public/ with its response, as a HAR or a journal has it. */
export interface RecordedCall {
  /** The recorded moment, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly method: string;
  /** The path from `/public/` on, with the query. */
  readonly target: string;
  /** Names are in lower case. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  readonly request: string;
  /** 0 if no response was sent. */
  readonly status: number;
  readonly responseHeaders: ReadonlyMap<string, string>;
  readonly response: string;
  /** Whether the request, or the response, was not stored as a whole. */
  readonly cut: { readonly request: boolean; readonly response: boolean };
  /** What only the journal of a sandbox has. Null for other recordings. */
  readonly sandbox: SandboxFacts | null;
}

/** What the journal of a sandbox notes about a call. */
export interface SandboxFacts {
  readonly requestId: string;
  /** The slug of the school. Null if the key matched none, and for all calls in the journal of a proxy. */
  readonly school: string | null;
  /** The kind of refusal, `ok`, `element-error` or `fault`. Empty if the entry does not say. */
  readonly outcome: string;
  readonly scope: string | null;
  readonly faults: readonly { readonly fault: string; readonly rule: string | null }[];
  readonly clientLeft: boolean;
}

/** Returns the operation of a recorded call; null if it is none. */
export function operationIn({ target }: RecordedCall): OperationName | null {
  const name = (target.split('?')[0] ?? '').slice(callPrefix.length);
  return isOperationName(name) ? name : null;
}

/** Whether a recording is the journal of a proxy: it has results, but no school of the sandbox. */
export function isOfProxy(recording: readonly RecordedCall[]): boolean {
  return recording.some(
    ({ sandbox }) => sandbox?.school === null && ['ok', 'element-error'].includes(sandbox.outcome),
  );
}

/** A recording with more calls is not read. */
const maxCalls = 100_000;

/**
 * Returns the calls in an HTTP Archive, or in a page of a journal (or a list of its entries), in their order.
 * `path` is for messages. Throws SandboxError if the text is neither.
 */
export function readRecording(text: string, path: string): readonly RecordedCall[] {
  if (isTooDeep(text)) throw new SandboxError(`${path} is nested more than ${deepest} levels deep.`);
  const json = parseJson(text);
  const entries = entriesIn(json);
  if (entries === null)
    throw new SandboxError(
      `${path} must be an HTTP Archive (GET /control/sandboxes/{id}/journal.har, or of a browser or proxy) or a journal (GET /control/sandboxes/{id}/journal).`,
    );
  if (entries.length > maxCalls)
    throw new SandboxError(`${path} has ${entries.length} entries; the maximum is ${maxCalls}.`);
  return entries.flatMap((entry, at) => {
    const read = isObject(entry) ? (fromHarEntry(entry) ?? fromJournalEntry(entry)) : null;
    if (read === null) throw new SandboxError(`${path}: entry ${at} has no request, or no response.`);
    if (read.target === '') return [];
    if (Number.isNaN(read.at)) throw new SandboxError(withoutTime(json, entry, at, path));
    return [read];
  });
}

/** Says which member of an entry has no time. */
function withoutTime(json: unknown, entry: unknown, at: number, path: string): string {
  const member = isObject(entry) && typeof entry['request'] === 'string' ? 'at' : 'startedDateTime';
  const value = isObject(entry) ? entry[member] : undefined;
  const list = isObject(json) ? `${isObject(json['log']) ? '/log' : ''}/entries` : '';
  const is = value === undefined ? 'is missing' : `is ${JSON.stringify(value).slice(0, 60)}`;
  return `${path}: ${list}/${at}/${member} ${is}. It must be an ISO 8601 date-time such as "2026-11-20T10:00:00.000Z".`;
}

function entriesIn(json: unknown): readonly unknown[] | null {
  if (Array.isArray(json)) return json;
  if (!isObject(json)) return null;
  const log = json['log'];
  const entries = isObject(log) ? log['entries'] : json['entries'];
  return Array.isArray(entries) ? entries : null;
}
