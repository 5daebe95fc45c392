import type { OperationName } from '../../contract/operation-types.ts';
import { shortened } from '../../sandbox/keys.ts';
import { outputsOf, type Reply } from './reply.ts';

/** The keys that calls may carry. */
export interface Keys {
  readonly own: string;
  /** Another key of the same school. */
  readonly second: string | null;
  /** A key of another school. */
  readonly other: string | null;
}

/** One call, as a probe asks for it. */
export interface Request {
  readonly operation: OperationName;
  /** The parameters of each element; or the body itself. */
  readonly elements?: readonly unknown[];
  readonly body?: string;
  readonly contentType?: string;
  readonly key?: keyof Keys | 'none' | 'wrong';
}

/** The service that is asked: nothing came back where a call rejects with Unreachable. */
export interface Upstream {
  call(request: Request): Promise<Reply>;
  /** Reads what a URL leads to, without a key. */
  read(url: string): Promise<Reply>;
}

/** The service did not answer. */
export class Unreachable extends Error {}

/** How long a reply may take. */
const maxSeconds = 30;

/** The service at a URL, which operations are below. Redirects are not followed, so that a key goes nowhere else. */
export function connect(base: string, keys: Keys, fetched: typeof fetch = fetch): Upstream {
  const known = [keys.own, keys.second, keys.other].filter((key) => key !== null);
  const safe = (text: string): string => known.reduce((rest, key) => rest.replaceAll(key, shortened(key)), text);
  const send = async (url: string, init: RequestInit): Promise<Reply> => {
    try {
      const response = await fetched(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(maxSeconds * 1000) });
      const text = safe(await response.text());
      return { status: response.status, header: (name) => response.headers.get(name), text, outputs: outputsOf(text) };
    } catch (error) {
      throw new Unreachable(safe(`${new URL(url).host} ${reason(error)}`));
    }
  };
  return {
    call: ({ operation, elements, body, contentType = 'application/json', key = 'own' }) => {
      const sent = body ?? JSON.stringify({ data: (elements ?? [{}]).map((data) => ({ data })) });
      const carried = key === 'none' ? null : key === 'wrong' ? wrongKey(keys.own) : keys[key];
      const headers = { 'Content-Type': contentType, ...(carried === null ? {} : { 'SERVICE-API-KEY': carried }) };
      return send(`${base}/public/${operation}`, { method: 'POST', headers, body: sent });
    },
    read: (url) => send(url, {}),
  };
}

/** A key of the same form that is nobody's: the last letter is another one. */
function wrongKey(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
}

function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${maxSeconds} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  return `could not be reached: ${cause instanceof Error ? cause.message || cause.name : String(error)}`;
}
