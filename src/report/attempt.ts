import { outputsIn, parametersIn, parseJson, type SeenOutput } from '../contract/envelope.ts';
import { undocumentedIn, type Undocumented } from './undocumented.ts';
import { unreadableFaults, withholdingFaults } from '../faults/default-reply.ts';
import type { FaultName } from '../faults/index.ts';
import { isTooDeep } from '../base/json-depth.ts';
import { elementKeys, requestKey } from './element-keys.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';

/**
 * How a call ended for the client: `ok`; `element-error`, if an output failed, is missing or unreadable;
 * `throttled`; `unavailable`, a failure that may be temporary; `lost`, without a complete response;
 * `refused`, permanently; `gone`, if the client did not wait. In the view of retried-calls.ts also `faulty-elements`, if
 * faults make all elements fail, and `wrong-type`, if the client takes a complete response for a failure.
 */
type Ending =
  | 'ok'
  | 'element-error'
  | 'throttled'
  | 'unavailable'
  | 'lost'
  | 'refused'
  | 'gone'
  | 'faulty-elements'
  | 'wrong-type';

/** The endings after which a retry may succeed. */
const temporary: ReadonlySet<Ending> = new Set([
  'throttled',
  'unavailable',
  'lost',
  'gone',
  'faulty-elements',
  'wrong-type',
]);

/** One call as the client saw it. Times are in milliseconds. */
export interface Attempt {
  readonly entry: JournalEntry;
  /** The caller: sandbox, key and scope. A check never compares calls of different callers. */
  readonly client: string;
  /** Identifies repeats of a call: caller, operation and elements, in any order. */
  readonly request: string;
  /** Identifies each element: equal parameters have equal keys. A call without elements has one key. */
  readonly keys: Float64Array;
  /** Sequence number in the sandbox, in the order of arrival. */
  readonly number: number;
  /** In real time. */
  readonly received: number;
  readonly replied: number;
  /** On the sandbox's clock. */
  readonly at: number;
  readonly ending: Ending;
  /** The wait that the response asked for, in milliseconds; null if none. */
  readonly toWait: number | null;
  /** How each output ended; null if the response is unreadable. */
  readonly outputs: readonly SeenOutput['status'][] | null;
  /** What the contract does not document in its body; null if nothing. */
  readonly undocumented: Undocumented | null;
  /** The number of elements. */
  readonly size: number;
  /** The parameters of its elements. They are parsed again if there is no room to store them. */
  elements(): readonly unknown[];
}

/** The bodies of a call. They need much more memory than their texts, so they are read once and not stored. */
export interface ParsedBodies {
  /** Undefined if it is not JSON, nested too deep, or was cut off. */
  readonly body: unknown;
  readonly elements: readonly unknown[];
  /** Null if the response is unreadable. */
  readonly outputs: readonly SeenOutput[] | null;
}

/** Parses the bodies of a call. */
export function bodiesOf({ request, response }: JournalEntry): ParsedBodies {
  const body = parsed(request);
  return { body, elements: parametersIn(body), outputs: outputsIn(parsed(response)) };
}

/** A text that is nested too deep for recursive functions counts as no JSON. */
function parsed(text: string): unknown {
  return isTooDeep(text) ? undefined : parseJson(text);
}

/** The journal rounds times to milliseconds: a response may have been sent earlier by this much. */
const resolutionMs = 1;

/** Limits the memory for parsed bodies of one report, in characters of JSON. */
export class ParsedRoom {
  #left = 1_000_000;

  /** Returns a function that parses the elements in a text on first use, and again on each use if they do not fit. */
  reading(text: string): () => readonly unknown[] {
    let stored: readonly unknown[] | null = null;
    return () => {
      if (stored !== null) return stored;
      const elements = parametersIn(parsed(text));
      if (text.length <= this.#left) {
        this.#left -= text.length;
        stored = elements;
      }
      return elements;
    };
  }
}

export function attemptOf(entry: JournalEntry, bodies: ParsedBodies, room: ParsedRoom): Attempt {
  const { requestId, key, scope, operation, request, cut } = entry;
  const dash = requestId.lastIndexOf('-');
  const client = `${requestId.slice(0, dash)} ${key ?? ''} ${scope ?? ''}`;
  const received = Date.parse(entry.receivedAt);
  const { elements } = bodies;
  const outputs = bodies.outputs?.map(({ status }) => status) ?? null;
  const keys = elementKeys(request, elements);
  return {
    entry,
    client,
    request: `${client} ${operation} ${cut.request} ${requestKey(keys)}`,
    keys,
    number: Number(requestId.slice(dash + 1)),
    received,
    replied: Math.max(received, received + entry.durationMs - resolutionMs),
    at: Date.parse(entry.at),
    ending: endingOf(entry, elements.length, outputs),
    toWait: toWaitAfter(entry),
    outputs,
    undocumented: undocumentedIn(entry, bodies.body),
    size: elements.length,
    elements: room.reading(request),
  };
}

/** Identifies the connection of a call. Another one can have the same address later. */
export function connectionOf({ entry: { connection, connectionOpenedAt } }: Attempt): string {
  return `${connection} ${connectionOpenedAt}`;
}

/** Returns the sandbox and the key of a call, whatever its scope. */
export function senderOf({ client, entry: { scope } }: Attempt): string {
  return client.slice(0, client.length - (scope?.length ?? 0));
}

/** Whether a retry may succeed. */
export function mayPass({ ending }: Attempt): boolean {
  return temporary.has(ending);
}

export function met({ entry }: Pick<Attempt, 'entry'>, ...faults: readonly FaultName[]): boolean {
  return entry.faults.some(({ fault }) => faults.some((name) => name === fault));
}

/** Whether a fault withheld the response. */
export function isWithheld({ entry }: Pick<Attempt, 'entry'>): boolean {
  return entry.faults.some(({ fault }) => withholdingFaults.has(fault));
}

/**
 * Whether the client is still waiting for the response: a fault withholds it, and neither side has closed the
 * connection.
 */
export function isOpen({ entry }: Pick<Attempt, 'entry'>): boolean {
  return isWithheld({ entry }) && !entry.clientLeft && entry.connectionClosedAt === null;
}

/** Whether a write may have taken effect, although the client cannot know: its response was lost. */
export function isEffectUnknown({ ending, entry }: Attempt): boolean {
  if (ending === 'lost' || ending === 'gone') return true;
  if (met({ entry }, 'html-error-page', 'wrong-content-type')) return true;
  // With these, the service says that it did not process the request.
  return (entry.status >= 500 && ![501, 503, 505].includes(entry.status)) || entry.status === 408;
}

/** Whether a call was refused because of its key, by the sandbox or by a fault. */
export function isKeyRefused(attempt: Attempt): boolean {
  const { outcome, status } = attempt.entry;
  return (
    outcome === 'invalid-key' ||
    outcome === 'missing-key' ||
    (met(attempt, 'http-error') && (status === 401 || status === 403))
  );
}

function endingOf(entry: JournalEntry, size: number, outputs: Attempt['outputs']): Ending {
  const { outcome, status, failures, cut } = entry;
  if (entry.clientLeft) return 'gone';
  if (status === 0 || entry.faults.some(({ fault }) => unreadableFaults.has(fault))) return 'lost';
  if (outcome === 'throttled' || met({ entry }, 'throttled') || status === 429) return 'throttled';
  // A failed element may set the HTTP status (assumption `operationFailureStatus`).
  if (outcome !== 'element-error') {
    if (status >= 500 || status === 408 || status === 425)
      return status === 501 || status === 505 ? 'refused' : 'unavailable';
    if (status >= 400 || (outcome !== 'ok' && outcome !== 'fault')) return 'refused';
  }
  if (cut.response > 0) return failures.length === 0 ? 'ok' : 'element-error';
  if (outputs === null) return 'lost';
  const isWhole = outputs.length >= size && outputs.every((status) => status === 'ok');
  return isWhole ? 'ok' : 'element-error';
}

function toWaitAfter({ at, responseHeaders }: JournalEntry): number | null {
  const text = responseHeaders['retry-after'];
  if (text === undefined) return null;
  // A date is on the sandbox's clock, like the Date header.
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(at);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}
