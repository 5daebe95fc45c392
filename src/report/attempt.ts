import { outputsIn, parametersIn, parseJson, type SeenOutput } from '../contract/envelope.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';

/**
 * How a call ended for the client: `ok`; `element-error`, where an output says so, is unreadable or is not there; `throttled`;
 * `unavailable`, a failure that may pass; `lost`, with no reply or one that breaks off; `refused`, for good; `gone`, where the client did
 * not wait.
 */
type Ending = 'ok' | 'element-error' | 'throttled' | 'unavailable' | 'lost' | 'refused' | 'gone';

/** One call, as far as the client could tell, and when. Moments are in milliseconds. */
export interface Attempt {
  readonly entry: JournalEntry;
  /** Who called: the sandbox and the key. */
  readonly client: string;
  /** What makes two calls the same: who called which operation with which body. */
  readonly request: string;
  /** Running number within the sandbox, in the order of arrival. */
  readonly number: number;
  /** In real time. */
  readonly received: number;
  readonly replied: number;
  /** On the sandbox's clock. */
  readonly at: number;
  readonly ending: Ending;
  /** How long the reply asked to wait, in milliseconds; null where it did not. */
  readonly toWait: number | null;
  /** The parameters of the elements, and the output of each; null if the reply cannot be read. Both are parsed anew if the room for parsed bodies is full. */
  elements(): readonly unknown[];
  outputs(): readonly SeenOutput[] | null;
}

/** The journal tells moments to the millisecond: a reply may have left so much earlier than they make it seem. */
const resolutionMs = 1;

/** The memory in which the attempts of one report store what they parsed, in characters of JSON. */
export class ParsedRoom {
  #left = 1_000_000;

  /** Returns a function that reads a text on first use, and again whenever the result does not fit. */
  reading<T>(text: string, read: (json: unknown) => T): () => T {
    let stored: { readonly value: T } | null = null;
    return () => {
      if (stored !== null) return stored.value;
      const value = read(parseJson(text));
      if (text.length <= this.#left) {
        this.#left -= text.length;
        stored = { value };
      }
      return value;
    };
  }
}

export function attemptOf(entry: JournalEntry, room: ParsedRoom): Attempt {
  const { requestId, key, operation, request, cut } = entry;
  const dash = requestId.lastIndexOf('-');
  const client = `${requestId.slice(0, dash)} ${key ?? ''}`;
  const received = Date.parse(entry.receivedAt);
  const outputs = room.reading(entry.response, outputsIn);
  const elements = room.reading(request, parametersIn);
  return {
    entry,
    client,
    request: `${client} ${operation} ${cut.request} ${request}`,
    number: Number(requestId.slice(dash + 1)),
    received,
    replied: Math.max(received, received + entry.durationMs - resolutionMs),
    at: Date.parse(entry.at),
    ending: endingOf(entry, elements, outputs),
    toWait: toWaitAfter(entry),
    elements,
    outputs,
  };
}

/** Whether another try may go better. */
export function mayPass({ ending }: Attempt): boolean {
  return ending === 'throttled' || ending === 'unavailable' || ending === 'lost' || ending === 'gone';
}

export function met({ entry }: Pick<Attempt, 'entry'>, ...faults: readonly string[]): boolean {
  return entry.faults.some(({ fault }) => faults.includes(fault));
}

/** Whether a call was turned away for its key, by the sandbox or by a fault that says so. */
export function isKeyRefused(attempt: Attempt): boolean {
  const { outcome, status } = attempt.entry;
  return outcome === 'invalid-key' || outcome === 'missing-key' || (met(attempt, 'http-error') && (status === 401 || status === 403));
}

function endingOf(entry: JournalEntry, elements: Attempt['elements'], outputsOf: Attempt['outputs']): Ending {
  const { outcome, status, failures, cut } = entry;
  if (outcome === 'client-gone') return 'gone';
  if (status === 0 || met({ entry }, 'truncated-body', 'malformed-json', 'garbage')) return 'lost';
  if (outcome === 'throttled' || met({ entry }, 'throttled') || status === 429) return 'throttled';
  // An element that fails may bring an HTTP status of its own (the assumption `operationFailureStatus`).
  if (outcome !== 'element-error') {
    if (status >= 500 || status === 408 || status === 425) return status === 501 || status === 505 ? 'refused' : 'unavailable';
    if (status >= 400 || (outcome !== 'ok' && outcome !== 'fault')) return 'refused';
  }
  if (cut.response > 0) return failures.length === 0 ? 'ok' : 'element-error';
  const outputs = outputsOf();
  if (outputs === null) return 'lost';
  const isWhole = outputs.length >= elements().length && outputs.every((output) => output.status === 'ok');
  return isWhole ? 'ok' : 'element-error';
}

function toWaitAfter({ at, responseHeaders }: JournalEntry): number | null {
  const text = responseHeaders['retry-after'];
  if (text === undefined) return null;
  // As a date it is one of the sandbox's clock, as the header Date is.
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(at);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}
