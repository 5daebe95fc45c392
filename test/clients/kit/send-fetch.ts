import { asLost, read, requestOf, type Context, type Send } from './api.ts';
import { Deadline } from './deadline.ts';

/** A request, before it is sent. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FetchOptions {
  /** Null for none. */
  readonly timeoutMs?: number | null;
  /** Changes each request. */
  readonly change?: (request: Request, context: Context) => Request;
}

/** Sends calls with Node's fetch. */
export function fetchSend(context: Context, { timeoutMs = 20_000, change }: FetchOptions = {}): Send {
  return async (operation, elements, own) => {
    const plain = { method: 'POST', ...requestOf(context, operation, elements) };
    const { url, method, headers, body } = change?.(plain, context) ?? plain;
    const deadline = new Deadline(timeoutMs, context.signal, own);
    const { signal } = deadline;
    try {
      const reply = await fetch(url, { method, headers, signal, ...(method === 'GET' ? {} : { body }) });
      const text = await reply.text();
      return read({ status: reply.status, retryAfter: reply.headers.get('retry-after'), text });
    } catch (error) {
      throw asLost(error);
    } finally {
      deadline.end();
    }
  };
}
