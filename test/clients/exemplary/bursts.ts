import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { circuitBreaker, ConsecutiveBreaker, ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { asLost, CallError, read, requestOf, type Client, type Context, type Send } from '../kit/api.ts';
import { Day } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Exemplary } from '../spec.ts';

/** Sends calls with node:http on at most this many connections. */
function httpSend(context: Context, maxSockets: number): Send {
  const agent = new Agent({ keepAlive: true, maxSockets });
  return (operation, elements) =>
    new Promise((resolve, reject) => {
      const { url, headers, body } = requestOf(context, operation, elements);
      const options = { method: 'POST', headers, agent, signal: context.signal, timeout: 20_000 };
      const sent = request(url, options, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => (text += part));
        reply.on('error', (error) => reject(asLost(error)));
        reply.on('end', () => {
          try {
            const { statusCode: status = 0, headers: replied } = reply;
            resolve(read({ status, retryAfter: replied['retry-after'], text }));
          } catch (error) {
            reject(asLost(error));
          }
        });
      });
      sent.on('timeout', () => sent.destroy(new Error('The call timed out.')));
      sent.on('error', (error) => reject(asLost(error)));
      sent.end(body);
    });
}

/** Fails fast until the time in Retry-After is up. */
function heedingRetryAfter(send: Send): Send {
  let freeAt = 0;
  return async (operation, elements) => {
    if (Date.now() < freeAt) throw new Error('The circuit is open until the time in Retry-After.');
    try {
      return await send(operation, elements);
    } catch (error) {
      // What else is thrown has none.
      const { retryAfter = null } = error as Partial<CallError>;
      if (retryAfter !== null) freeAt = Math.max(freeAt, Date.now() + retryAfter + 100);
      throw error;
    }
  };
}

/** Pages of 20 reads at once, with a circuit breaker around each try. While it is open, all calls fail fast. */
function showsPages(sendOf: (context: Context) => Send): Client {
  return async (context) => {
    const send = heedingRetryAfter(sendOf(context));
    const day = new Day(context);
    const temporary = handleWhen((error) => error instanceof CallError && error.reason !== 'refused');
    const breaker = circuitBreaker(temporary, {
      halfOpenAfter: 5000,
      breaker: new ConsecutiveBreaker(5),
    });
    const backoff = new ExponentialBackoff({ initialDelay: 300, maxDelay: 8000 });
    const retries = retry(temporary, { maxAttempts: 4, backoff });
    for (let page = 0; page < 3 && !day.isOver; page += 1) {
      const reads = Array.from({ length: 20 }, (_, index) => ({
        filterTerm: `term ${page} ${index}`,
        pageNumber: 1,
        folderPath: '/',
      }));
      await Promise.all(
        reads.map((element) =>
          day.attempt(() =>
            retries.execute(() => breaker.execute(() => send('get-video-library', [element]))),
          ),
        ),
      );
      await sleep(6000 + 4000 * context.random());
    }
  };
}

/** A job of a few workers, each with a connection of its own; each waits only for the Retry-After of its own call. */
function fewWorkers(count: number): Client {
  return async (context) => {
    const own = { ...context, key: `${context.key}_run` };
    const day = new Day(context);
    const policy = { ...goodPolicy(equalJitter(context.random)), sharesRetryAfter: false };
    await Promise.all(
      Array.from({ length: count }, async (_, worker) => {
        const send = retrying(httpSend(own, 1), own, policy);
        await sleep(37 * worker);
        for (let round = 0; round < 24 && !day.isOver; round += 1) {
          const courseItemId = ids.items[(round * (worker + 1)) % 4];
          await day.attempt(() => send('get-course-item-data', [{ courseItemId }]));
          await sleep(200 + 1000 * context.random());
        }
      }),
    );
  };
}

export const bursts: readonly Exemplary[] = [
  {
    name: 'breaker-after-a-burst',
    is: 'Pages of 20 reads at once, with retries around a circuit breaker that opens after 5 failures in a row.',
    random: 'some pauses',
    run: showsPages((context) => fetchSend(context)),
  },
  {
    name: 'breaker-after-a-queue',
    is: 'The same on 6 connections, so that some of the reads wait for a connection.',
    random: 'some pauses',
    run: showsPages((context) => httpSend(context, 6)),
  },
  {
    name: 'two-workers-on-the-same-records',
    is: 'Two workers that read the same four records, as one scope; each waits only for its own Retry-After.',
    random: 'its pauses',
    run: fewWorkers(2),
  },
  {
    name: 'three-workers-on-the-same-records',
    is: 'The same with three workers.',
    random: 'some pauses',
    run: fewWorkers(3),
  },
];
