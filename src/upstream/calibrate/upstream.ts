import { deepest, isTooDeep } from '../../base/json-depth.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import { describeConnectionError, hintFor } from './connection-error.ts';
import type { Prediction } from './model/ask.ts';
import { maskFor, type Mask } from '../key-mask/key-mask.ts';
import { UnreadableReply } from '../proxy/messages.ts';
import { outputsOf, type Reply } from './reply.ts';
import { wrongKey } from './wrong-key.ts';

/** The keys for the calls. */
export interface Keys {
  readonly own: string;
  /** Another key of the same school. */
  readonly second: string | null;
  /** A key of another school. */
  readonly other: string | null;
}

/** Returns the function that masks all of the user's keys. */
export function maskOf(keys: Keys): Mask {
  return maskFor(keysIn(keys));
}

export function keysIn({ own, second, other }: Keys): readonly string[] {
  return [own, second, other].filter((key) => key !== null);
}

/** A property of a response that assumptions do not name, and what the sandbox has there. */
export interface Sight {
  readonly what: string;
  readonly seen: string;
  /** Depends on the same things as `what`, and on options. */
  readonly expected: Prediction;
}

/** One call of a probe. */
export interface Request {
  readonly operation: OperationName;
  /** The parameters of each element, or the whole body. */
  readonly elements?: readonly unknown[];
  readonly body?: string;
  readonly contentType?: string;
  readonly key?: keyof Keys | 'none' | 'wrong';
  /** POST, unless the probe tests another one. */
  readonly method?: string;
  /** The path of the operation, unless the probe tests another one. */
  readonly path?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns what the response shows beside what all responses show. */
  readonly sightOf?: (reply: Reply) => Sight;
}

/** The service under test. Calls reject with Unreachable if there is no response. */
export interface Upstream {
  /** The URL before `/public/…`. */
  readonly base: string;
  call(request: Request): Promise<Reply>;
  /** Requests a URL without a key. */
  read(url: string): Promise<Reply>;
}

/** The service did not respond. */
export class Unreachable extends Error {
  /** Whether a connection was dropped, so that another try may succeed. */
  readonly isDropped: boolean;

  constructor(message: string, isDropped = false) {
    super(message);
    this.isDropped = isDropped;
  }
}

/** Maximum size of a response in bytes, after decompression. The rest is not read. */
const maxMiB = 16;
const maxBytes = maxMiB * 1024 * 1024;

/** Maximum time for a response. */
const maxSeconds = 30;

/** Connects to the service at a URL. Does not follow redirects, so that a key goes nowhere else. */
export function connect(base: string, keys: Keys, fetched: typeof fetch = fetch): Upstream {
  const mask = maskOf(keys);
  const carriers = { ...keys, wrong: wrongKey(keys.own) };
  const send = async (url: string, init: RequestInit): Promise<Reply> => {
    try {
      const response = await fetched(url, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(maxSeconds * 1000),
      });
      const { text, hasMark } = await textOf(response);
      // Many functions that read the body are recursive.
      if (/^\s*[[{]/.test(text) && isTooDeep(text))
        throw new UnreadableReply(`its JSON is nested more than ${deepest} levels deep.`);
      return {
        status: response.status,
        header: (name) => response.headers.get(name),
        headerNames: [...response.headers.keys()],
        text,
        hasMark,
        outputs: outputsOf(text),
      };
    } catch (error) {
      const { host } = new URL(url);
      // Another host was named by the service, perhaps with a part of a key.
      const shownHost = host === new URL(base).host ? host : mask(host);
      throw new Unreachable(`${shownHost} ${reason(error, mask)}`, isDrop(error));
    }
  };
  return {
    base,
    call: (request) => {
      const { operation, path = `/public/${operation}`, method = 'POST', key = 'own' } = request;
      const carried = key === 'none' ? null : carriers[key];
      const keyHeader = carried === null ? {} : { 'SERVICE-API-KEY': carried };
      const headers = { ...keyHeader, ...request.headers };
      if (method !== 'POST') return send(`${base}${path}`, { method, headers });
      const { elements = [{}], contentType = 'application/json' } = request;
      const body = request.body ?? JSON.stringify({ data: elements.map((data) => ({ data })) });
      return send(`${base}${path}`, { method, headers: { ...headers, 'Content-Type': contentType }, body });
    },
    read: async (url) => {
      const { protocol, origin, host } = new URL(url);
      // The service chose the URL.
      if (!/^https?:$/.test(protocol)) throw new Unreachable(`is at a URL of the scheme ${mask(protocol)}`);
      if (origin !== new URL(base).origin && mask(url) !== url)
        throw new Unreachable(`${mask(host)} was not called, because the URL contains a part of an API key`);
      return send(url, {});
    },
  };
}

/**
 * Returns the body of a response, and whether a byte order mark precedes it. Rejects with TooLarge beyond the
 * maximum.
 */
async function textOf({ body }: Response): Promise<Pick<Reply, 'text' | 'hasMark'>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks, bytes);
  // As `Response.text` does: without the byte order mark.
  return { text: new TextDecoder().decode(whole), hasMark: whole.subarray(0, 3).equals(byteOrderMark) };
}

const byteOrderMark = Buffer.from('\u{feff}');

class TooLarge extends Error {}

function isDrop(error: unknown): boolean {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const isUnusable = error instanceof TooLarge || error instanceof UnreadableReply;
  return !isTimeout && !isUnusable && hintFor(error) === undefined;
}

function reason(error: unknown, mask: Mask): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not respond within ${maxSeconds} s`;
  if (error instanceof TooLarge)
    return `sent a response of more than ${maxMiB} MiB, which this command does not read`;
  return describeConnectionError(error, mask);
}
