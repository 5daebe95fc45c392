import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Context } from '../kit/api.ts';
import { requestOf } from '../kit/api.ts';
import { Day, inGroups, pooled, workDay } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import type { Bad, Condition } from '../spec.ts';
import { goodSend, oneTest, quiet, scenario } from './vary.ts';

const untold: Condition = {
  name: 'refusals without Retry-After',
  prepare: (sandbox) => sandbox.assumptions.choose({ retryAfter: 'none' }),
};

/** Reads as fast as it can, and never learns. */
const fullSpeed: Client = async (context) => {
  const send = goodSend(context, { tries: 1 });
  const day = new Day(context);
  const reads = Array.from(
    { length: 120 },
    (_, index) => () => send('get-quiz-details', [{ quizId: ids.quizzes[index % 7] }]),
  );
  await pooled(4)(reads.map((read) => () => day.attempt(read)));
};

/** Reads a few records in turn, one every 80 ms, also while it is throttled. */
const readsOn: Client = async (context) => {
  const send = goodSend(context, { tries: 1 });
  const day = new Day(context);
  for (let count = 0; count < 120; count += 1) {
    await day.attempt(() => send('get-quiz-details', [{ quizId: ids.quizzes[count % 7] }]));
    await sleep(80);
  }
};

/** Sends all that it has at once. */
const bursts: Client = async (context) => {
  const send = goodSend(context, { tries: 1 });
  const day = new Day(context);
  const calls = Array.from({ length: 40 }, () => () => send('get-all-instructors', [{}]));
  await pooled(40)(calls.map((call) => () => day.attempt(call)));
};

/** Reads the same list every two seconds for a good minute, whatever it is told. */
const pollsOn: Client = async (context) => {
  const send = goodSend(context, { tries: 1, heedsRetryAfter: false });
  const day = new Day(context);
  for (let count = 0; count < 34; count += 1) {
    await day.attempt(() => send('get-all-instructors', [{}]));
    await sleep(2000);
  }
};

/** Sends each call three times in a row, whatever it is told. */
const presses: Client = async (context) => {
  const send = goodSend(context, {
    tries: 3,
    heedsRetryAfter: false,
    sharesRetryAfter: false,
    pause: () => 100,
  });
  const day = new Day(context);
  const calls = ids.manyItems.map((courseItemId) => () => send('get-course-item-data', [{ courseItemId }]));
  await pooled(10)(calls.map((call) => () => day.attempt(call)));
};

const reads = [
  ...ids.manyItems.map((courseItemId) => ['get-course-item-data', { courseItemId }] as const),
  ...ids.quizzes.map((quizId) => ['get-quiz-details', { quizId }] as const),
];

/** Opens a connection for each call, and leaves it open. */
const leaks: Client = async (context) => {
  const agents: Agent[] = [];
  for (let count = 0; count < 80; count += 1) {
    const agent = new Agent({ keepAlive: true });
    agents.push(agent);
    const [operation, element] = reads[count % reads.length] ?? ['get-all-instructors', {}];
    await post(context, agent, operation, element);
    await sleep(100);
  }
  for (const agent of agents) agent.destroy();
};

function post(context: Context, agent: Agent, operation: string, element: object): Promise<void> {
  const { url, headers, body } = requestOf(context, operation, [element]);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (reply) =>
      reply.resume().on('end', resolve),
    );
    sent.on('error', reject).end(body);
  });
}

export const badPace: readonly Bad[] = [
  {
    name: 'full-speed-after-throttling',
    is: 'Makes 120 calls without a pause against a limit of 60; the refusals have no Retry-After.',
    check: 'limits',
    under: untold,
    run: fullSpeed,
  },
  {
    name: 'reads-on-while-throttled',
    is: 'Reads seven records in turn every 80 ms, 120 times against a limit of 60; the refusals have no Retry-After.',
    check: 'limits',
    // A busy machine makes single pauses longer.
    mayBeNotJudged: true,
    under: untold,
    run: readsOn,
  },
  {
    name: 'bursts-beyond-the-limit',
    is: 'Makes 40 calls at once against a limit of 15.',
    check: 'limits',
    under: quiet,
    run: bursts,
  },
  {
    name: 'presses-on',
    is: 'Ten workers that send each call three times, 100 ms apart, and ignore Retry-After.',
    check: 'limits',
    // They may be copies of slow reads; retry-after finds it.
    mayBeNotJudged: true,
    under: { name: 'a tenth of the limits', limits: 0.1 },
    run: presses,
  },
  {
    name: 'polls-on',
    is: 'Reads the same list every 2 s, twice as often as the limit allows, even while it is throttled.',
    check: 'limits',
    under: quiet,
    run: pollsOn,
  },
  {
    name: 'no-timeout',
    is: 'Waits for a response until the server closes the connection.',
    check: 'timeouts',
    under: scenario('flaky-network'),
    run: (context) => workDay(context, goodSend(context, {}, { timeoutMs: null })),
  },
  {
    name: 'long-timeout',
    is: 'Waits 75 s for a response.',
    check: 'timeouts',
    under: {
      name: 'a timeout of 90 s',
      rules: [{ fault: 'timeout', with: { seconds: 90 }, when: { first: 1 } }],
    },
    run: async (context) => {
      const send = goodSend(context, { tries: 1 }, { timeoutMs: 75_000 });
      for (const quizId of ids.quizzes.slice(0, 4))
        await send('get-quiz-details', [{ quizId }]).catch(() => undefined);
    },
  },
  {
    name: 'short-timeouts',
    is: 'Waits 150 ms for responses that usually take 400 ms.',
    check: 'short-timeouts',
    under: scenario('slow-day'),
    run: (context) => workDay(context, goodSend(context, { tries: 4 }, { timeoutMs: 150 })),
  },
  {
    name: 'single-calls',
    is: 'Makes 20 calls with one element each instead of one call with 20.',
    check: 'batching',
    under: quiet,
    run: async (context) => {
      const send = goodSend(context);
      for (const courseItemId of ids.manyItems) await send('get-course-item-data', [{ courseItemId }]);
    },
  },
  {
    name: 'single-calls-at-once',
    is: 'Makes 10 simultaneous calls with one element each instead of one call with 10.',
    check: 'batching',
    under: quiet,
    run: async (context) => {
      const send = goodSend(context);
      await inGroups(10)(
        ids.manyItems.map((courseItemId) => () => send('get-course-item-data', [{ courseItemId }])),
      );
    },
  },
  {
    name: 'reads-in-a-loop',
    is: 'Reads the same item every 50 ms, although every read succeeds.',
    check: 'busy-polling',
    under: { ...quiet, ...oneTest },
    run: async (context) => {
      const send = goodSend(context);
      for (let round = 0; round < 40; round += 1) {
        await send('get-course-item-data', [{ courseItemId: ids.items[0] }]);
        await sleep(50);
      }
    },
  },
  {
    name: 'leaks-connections',
    is: 'Opens a connection for each call, and leaves it open.',
    check: 'connection-reuse',
    under: { ...quiet, ...oneTest },
    run: leaks,
  },
];
