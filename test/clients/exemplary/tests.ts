import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Send } from '../kit/api.ts';
import { Day } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Condition, Exemplary } from '../spec.ts';

/** One test, whose scope has its name. */
function test(name: string, body: (send: Send, random: () => number) => Promise<unknown>): Client {
  return async (context) => {
    const send = fetchSend(context, {
      change: (request) => ({ ...request, headers: { ...request.headers, 'Sandbox-Scope': name } }),
    });
    await new Day(context).attempt(() => body(send, context.random));
  };
}

const submit = 'submit-user-course-item';

/** Tests expect failures, so they run without any that they do not cause. */
const only: readonly Condition[] = [{ name: 'no scenario' }];

/** Searches a quarter of a second after the last keystroke, and cancels the previous search. */
const searchesAfterPauses: Client = async (context) => {
  const day = new Day(context);
  const send = retrying(fetchSend(context), context, goodPolicy(equalJitter(context.random)));
  for (const term of ['photosynthesis', 'algebra', 'history', 'cell division']) {
    let current = new AbortController();
    const open: Promise<void>[] = [];
    for (let length = 2; length <= term.length; length += 1) {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      const search = { filterTerm: term.slice(0, length), pageNumber: 1, folderPath: '/' };
      open.push(
        day.attempt(async () => {
          try {
            await sleep(250, undefined, { signal });
            await send('get-video-library', [search], signal);
          } catch (error) {
            if (!signal.aborted) throw error;
          }
        }),
      );
      await sleep(60 + context.random() * 540);
    }
    await Promise.all(open);
    await sleep(1500 + context.random() * 2500);
  }
};

/** A gateway in front of the service, which refuses calls over the limit like any other failure. */
const gateway: Condition = {
  name: 'a gateway that refuses with HTTP 503',
  limits: 0.2,
  prepare: (sandbox) =>
    sandbox.assumptions.choose({
      gatewayRefusalBody: 'html',
      retryAfter: 'none',
      throttleReply: 'http-503',
    }),
};

export const tests: readonly Exemplary[] = [
  {
    name: 'test-of-idempotency',
    is: 'One test: submitting the same answers three times completes the item once.',
    only,
    run: test('submitting the same answers three times', async (send) => {
      for (let times = 0; times < 3; times += 1) await send(submit, [ids.submission(ids.learners[0])]);
    }),
  },
  {
    name: 'test-of-a-race',
    is: 'One test: two tabs submit the same answers at the same time.',
    only,
    run: test('two tabs submit at the same time', (send) =>
      Promise.all([0, 1].map(() => send(submit, [ids.submission(ids.learners[0])])))),
  },
  {
    name: 'test-of-properties',
    is: 'One test that draws unknown ids at random, some of them several times: each gives an error.',
    only,
    run: test('every unknown id gives an error', async (send, random) => {
      const unknown = ['nope', '0', 'x', 'f'.repeat(24), '../etc', 'é', ' ', 'null'];
      for (let times = 0; times < 50; times += 1)
        await send('get-quiz-details', [{ quizId: unknown[Math.floor(random() * unknown.length)] }]);
    }),
  },
  {
    name: 'test-of-a-hidden-draft',
    is: 'One test that asks every 100 ms whether a draft stays hidden.',
    only,
    run: test('a draft stays hidden for a second', async (send) => {
      for (let times = 0; times < 10; times += 1) {
        await send('get-course-item-data', [{ courseItemId: 'd'.repeat(24) }]);
        await sleep(100);
      }
    }),
  },
  {
    name: 'search-after-a-pause',
    is: 'Searches 250 ms after the last keystroke, and cancels the previous search.',
    random: 'some pauses',
    also: [gateway],
    run: searchesAfterPauses,
  },
];
