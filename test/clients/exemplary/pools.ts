import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Agent, Client as SingleConnection, Pool, request, type Dispatcher } from 'undici';
import { asLost, read, requestOf, type Client, type Context, type Send } from '../kit/api.ts';
import { Deadline } from '../kit/deadline.ts';
import { Day, inGroups, pooled, serially, workDay, type Run } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, fullJitter, goodPolicy, retrying } from '../kit/retry.ts';
import type { Exemplary } from '../spec.ts';

const timeoutMs = 20_000;

function undiciSend(context: Context, dispatcher: Dispatcher): Send {
  return async (operation, elements) => {
    const { url, headers, body } = requestOf(context, operation, elements);
    const deadline = new Deadline(timeoutMs, context.signal);
    try {
      const {
        statusCode,
        headers: replied,
        body: stream,
      } = await request(url, {
        dispatcher,
        method: 'POST',
        headers,
        body,
        signal: deadline.signal,
      });
      const retryAfter = replied['retry-after'];
      return read({ status: statusCode, retryAfter: retryAfter?.toString(), text: await stream.text() });
    } catch (error) {
      throw asLost(error);
    } finally {
      deadline.end();
    }
  };
}

/** A client with a dispatcher of its own, which it closes in the end. */
function undici(dispatcherFor: (origin: string) => Dispatcher, run: Run): Client {
  return async (context) => {
    const dispatcher = dispatcherFor(context.url);
    const policy = goodPolicy(equalJitter(context.random));
    try {
      await workDay(context, retrying(undiciSend(context, dispatcher), context, policy), run);
    } finally {
      await dispatcher.destroy();
    }
  };
}

/** Three connections for 14 reads at once. Each waits only as long as its own responses say. */
const waitsForEach: Client = async (context) => {
  const pool = new Pool(context.url, { connections: 3 });
  const policy = { ...goodPolicy(equalJitter(context.random)), tries: 5, sharesRetryAfter: false };
  const send = retrying(undiciSend(context, pool), context, policy);
  const day = new Day(context);
  const reads = ids.manyItems
    .slice(0, 14)
    .map((courseItemId) => () => send('get-course-item-data', [{ courseItemId }]));
  try {
    await Promise.all(reads.map((read) => day.attempt(read)));
  } finally {
    await pool.destroy();
  }
};

function httpSend(context: Context, agent: HttpAgent | undefined, extra: Record<string, string>): Send {
  return async (operation, elements) => {
    const { url, headers, body } = requestOf(context, operation, elements);
    try {
      const reply = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { method: 'POST', headers: { ...headers, ...extra }, agent, timeout: timeoutMs };
        const sent = httpRequest(url, options, resolve);
        sent.on('error', reject);
        sent.on('timeout', () => sent.destroy(new Error('The service did not reply in time.')));
        sent.end(body);
      });
      const retryAfter = reply.headers['retry-after'];
      return read({ status: reply.statusCode ?? 0, retryAfter, text: await text(reply) });
    } catch (error) {
      throw asLost(error);
    }
  };
}

function http(agentFor: () => HttpAgent | undefined, run: Run, extra: Record<string, string> = {}): Client {
  return async (context) => {
    const agent = agentFor();
    const policy = goodPolicy(fullJitter(context.random));
    try {
      await workDay(context, retrying(httpSend(context, agent, extra), context, policy), run);
    } finally {
      agent?.destroy();
    }
  };
}

export const pools: readonly Exemplary[] = [
  {
    name: 'undici-pool-4',
    is: 'An undici Pool with 4 connections and 10 calls at a time.',
    random: 'some pauses',
    run: undici((origin) => new Pool(origin, { connections: 4 }), inGroups(10)),
  },
  {
    name: 'undici-pool-unbounded',
    is: 'An undici Pool that opens as many connections as there are calls.',
    run: undici((origin) => new Pool(origin), inGroups(12)),
  },
  {
    name: 'undici-agent-short-lived',
    is: 'An undici Agent that closes connections after half a second without calls.',
    run: undici(
      () => new Agent({ keepAliveTimeout: 500, keepAliveMaxTimeout: 500, connections: 6 }),
      pooled(6),
    ),
  },
  {
    name: 'undici-single-connection',
    is: 'One undici connection for all calls, one after another.',
    run: undici((origin) => new SingleConnection(origin), serially),
  },
  {
    name: 'undici-pool-lifo-8',
    is: 'An undici Pool with 8 connections and 8 workers, without pipelining.',
    run: undici((origin) => new Pool(origin, { connections: 8, pipelining: 1 }), pooled(8)),
  },
  {
    name: 'undici-pool-3-own-waits',
    is: 'An undici Pool with 3 connections and 14 calls at once; each waits only as long as its own responses say.',
    only: [{ name: 'long-outage', scenario: 'long-outage' }],
    random: 'some pauses',
    run: waitsForEach,
  },
  {
    name: 'http-keep-alive',
    is: 'node:http with an agent that keeps up to 6 connections alive, and 10 calls at a time.',
    random: 'some pauses',
    run: http(() => new HttpAgent({ keepAlive: true, maxSockets: 6 }), inGroups(10)),
  },
  {
    name: 'http-global-agent',
    is: "node:http with Node's global agent, one call after another.",
    run: http(() => undefined, serially),
  },
  {
    name: 'http-no-keep-alive',
    is: 'node:http with an agent that closes each connection, one call after another.',
    run: http(() => new HttpAgent({ keepAlive: false }), serially),
  },
  {
    name: 'http-connection-close',
    is: 'node:http that sends `Connection: close`, as some load balancers require, with 4 workers.',
    run: http(() => new HttpAgent({ keepAlive: false }), pooled(4), { Connection: 'close' }),
  },
];
