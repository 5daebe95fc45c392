import { CallError, type Client, type Context, type Send } from '../kit/api.ts';
import { serially, workDay, type Run } from '../kit/day.ts';
import { Deadline } from '../kit/deadline.ts';
import { equalJitter, goodPolicy, retrying, type RetryPolicy } from '../kit/retry.ts';
import { fetchSend, type FetchOptions, type Request } from '../kit/send-fetch.ts';
import type { Condition } from '../spec.ts';

/** The good client that all bad ones differ from in one thing: fetch, equal jitter, one call after another. */
export function goodSend(
  context: Context,
  policy: Partial<RetryPolicy> = {},
  options: FetchOptions = {},
): Send {
  const good = goodPolicy(equalJitter(context.random));
  return retrying(fetchSend(context, options), context, { ...good, ...policy });
}

/** Retries in another way. */
export function withPolicy(policy: Partial<RetryPolicy>, run: Run = serially): Client {
  return (context) => workDay(context, goodSend(context, policy), run);
}

/** Sends other requests. */
export function withRequests(change: (request: Request, context: Context) => Request): Client {
  return (context) => workDay(context, goodSend(context, {}, { change }));
}

export const quiet: Condition = { name: 'no scenario' };

export function scenario(name: string): Condition {
  return { name, scenario: name };
}

/** One test of a suite: without scopes, a few repeats may be the requests of other tests. */
export const oneTest: Pick<Condition, 'prepare'> = { prepare: (sandbox) => sandbox.scope('a test') };

/** Makes a call, and returns whether the response is declared as JSON. */
export async function isJson(
  { url, key, signal }: Context,
  operation: string,
  element: object,
): Promise<boolean> {
  const deadline = new Deadline(20_000, signal);
  try {
    const reply = await fetch(`${url}/public/${operation}`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: [{ data: element }] }),
      signal: deadline.signal,
    });
    await reply.text();
    return reply.headers.get('content-type')?.includes('json') === true;
  } catch (error) {
    throw new CallError('unknown', String(error));
  } finally {
    deadline.end();
  }
}
