import { setTimeout as sleep } from 'node:timers/promises';
import { got, HTTPError, RequestError } from 'got';
import { asLost, read, requestOf, type Client, type Context, type Send } from '../kit/api.ts';
import { Day, pooled } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Condition, Exemplary } from '../spec.ts';

/** Everything is down for the first calls, which so many workers make at once. */
const firstFail: Condition = {
  name: 'the first 30 calls fail',
  rules: [{ fault: 'http-error', with: { status: 503 }, when: { first: 30 } }],
};

/** The service is slow, and down for half a minute. */
const slowThenDown: Condition = {
  name: 'replies after 0.5 s, and an outage of half a minute',
  limits: 10,
  rules: [
    { fault: 'http-error', with: { status: 503 }, when: { between: ['now+PT12S', 'now+PT40S'] } },
    { fault: 'delay', with: { ms: 500 } },
  ],
};

const items = ids.manyItems.map((courseItemId) => ({ courseItemId }));

/** Ten workers that read an item each. */
function tenWorkers(sendOf: (context: Context) => Send): Client {
  return async (context) => {
    const send = sendOf(context);
    const day = new Day(context);
    const reads = items.map((item) => () => send('get-course-item-data', [item]));
    await pooled(10)(reads.map((read) => () => day.attempt(read)));
  };
}

/** got with its own delays: 1 s, 2 s, 4 s and so on, and up to 100 ms of noise. */
function gotDelays(context: Context): Send {
  return async (operation, elements) => {
    const { url, headers, body } = requestOf(context, operation, elements);
    const retry = { limit: 5, methods: ['POST' as const] };
    try {
      const { signal } = context;
      const reply = await got.post(url, { headers, body, signal, timeout: { request: 20_000 }, retry });
      return read({ status: reply.statusCode, retryAfter: null, text: reply.body });
    } catch (error) {
      if (error instanceof HTTPError) {
        const { statusCode, headers: replied, body: text } = error.response;
        return read({ status: statusCode, retryAfter: replied['retry-after'], text: String(text) });
      }
      if (error instanceof RequestError) throw asLost(error);
      throw error;
    }
  };
}

/** Pauses that vary by 10 percent, as those of Kubernetes clients. */
function tenPercent(context: Context): Send {
  const pause = (failures: number): number => 500 * 2 ** failures * (1 + 0.1 * context.random());
  return retrying(fetchSend(context), context, goodPolicy(pause));
}

/** Three parts of a page, each of which loads its data again 3 s after it has arrived. */
const refreshesAfterLoading: Client = async (context) => {
  const day = new Day(context);
  const send = retrying(fetchSend(context), context, {
    ...goodPolicy(equalJitter(context.random)),
    tries: 1,
  });
  const refresh = async (item: object): Promise<void> => {
    for (let round = 0; round < 16 && !day.isOver; round += 1) {
      await day.attempt(() => send('get-course-item-data', [item]));
      await sleep(3000);
    }
  };
  await Promise.all(items.slice(0, 3).map(refresh));
};

export const outages: readonly Exemplary[] = [
  {
    name: 'got-10',
    is: 'got with its own delays, which vary by 100 ms, in 10 workers.',
    random: 'some pauses',
    also: [firstFail],
    run: tenWorkers(gotDelays),
  },
  {
    name: 'jitter-10-percent',
    is: 'Pauses that vary by 10 percent, in 10 workers.',
    random: 'some pauses',
    also: [firstFail],
    run: tenWorkers(tenPercent),
  },
  {
    name: 'refresh-after-loading',
    is: 'Loads each part of a page again 3 s after its data has arrived.',
    also: [slowThenDown],
    run: refreshesAfterLoading,
  },
];
