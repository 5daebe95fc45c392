import { setTimeout as sleep } from 'node:timers/promises';
import { isWorthRetrying, type Client, type Context, type Send } from '../kit/api.ts';
import { Day } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import type { RetryPolicy } from '../kit/retry.ts';
import type { FetchOptions, Request } from '../kit/send-fetch.ts';
import type { NewFaultRule } from '../../../src/index.ts';
import type { Bad, Condition } from '../spec.ts';
import { goodSend, isJson, oneTest, quiet, scenario } from './vary.ts';

const submit = 'submit-user-course-item';
const submissions = ids.submissions.slice(0, 10);

/** Repeats submissions as if they were reads. */
const asIfSafe = (_: string, error: unknown): boolean => isWorthRetrying('get-quiz-details', error);

/** Submits the answers of all learners, one call for each, with a client that repeats lost ones. */
function submitting(options: FetchOptions = {}): Client {
  return async (context) => {
    const send = goodSend(context, { retries: asIfSafe }, options);
    const day = new Day(context);
    for (const submission of submissions) await day.attempt(() => send(submit, [submission]));
  };
}

/** A fault at every second submission, after it took effect: enough that a person cannot have sent them again. */
function after(
  name: string,
  fault: NewFaultRule['fault'],
  parameters: Record<string, string | number> = {},
): Condition {
  return {
    ...oneTest,
    name,
    rules: [{ operation: submit, fault, with: parameters, phase: 'after', when: { every: 2 } }],
  };
}

/** The first submission is lost. */
const firstLost: Condition = {
  ...oneTest,
  name: 'a lost reply',
  rules: [{ operation: submit, fault: 'reset', phase: 'after', when: { first: 1 } }],
};

/** Submits twenty answers, one call for each, and repeats lost ones. */
function submitsMany(policy: Partial<RetryPolicy> = {}): Client {
  return async (context) => {
    const send = goodSend(context, { retries: asIfSafe, ...policy });
    const day = new Day(context);
    for (const submission of ids.submissions) await day.attempt(() => send(submit, [submission]));
  };
}

/** Writes the members of all objects in the reverse order. */
function reordered({ body, ...request }: Request, count: number): Request {
  const turned = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, own]) => [name, turned(own)]),
    );
  };
  // Our own request.
  const { data } = JSON.parse(body) as { data: unknown[] };
  return { ...request, body: count % 2 === 0 ? body : JSON.stringify({ data: data.map(turned) }) };
}

/** Submits, whatever became of the last time. */
function twice(again: (send: Send, context: Context) => Promise<unknown>): Client {
  return async (context) => {
    const day = new Day(context);
    await day.attempt(() => again(goodSend(context), context));
    await day.attempt(() => goodSend(context)('get-all-instructors', [{}]));
  };
}

/** Sends each submission up to three times, until the reply says that it was taken. */
async function untilTaken(
  context: Context,
  isTaken: (submission: object) => Promise<boolean>,
): Promise<void> {
  const day = new Day(context);
  for (const submission of submissions)
    await day.attempt(async () => {
      for (let tries = 0; tries < 3; tries += 1) {
        if (await isTaken(submission)) return;
        await sleep(1000 * 2 ** tries);
      }
    });
}

/** Takes each delivery of a queue for a scope of its own, and a lost submission for one that was not delivered. */
const redelivers: Client = async (context) => {
  const day = new Day(context);
  let delivery = 0;
  const deliver = async (submission: object): Promise<boolean> => {
    const name = `delivery ${(delivery += 1)}`;
    const change = (request: Request): Request => ({
      ...request,
      headers: { ...request.headers, 'Sandbox-Scope': name },
    });
    const { length } = day.problems;
    await day.attempt(() => goodSend(context, { tries: 1 }, { change })(submit, [submission]));
    return day.problems.length === length;
  };
  for (const submission of ids.submissions)
    for (let tries = 0; tries < 4; tries += 1) if (await deliver(submission)) break;
};

const slow: FetchOptions = { timeoutMs: 10_000 };

export const badSubmissions: readonly Bad[] = [
  {
    name: 'resubmits',
    is: 'Sends a submission again after its response was lost.',
    check: 'unsafe-repeats',
    under: { ...scenario('lost-replies'), ...oneTest },
    run: submitsMany(),
  },
  {
    name: 'resubmits-after-two-seconds',
    is: 'Sends a submission again 2 s after its response was lost.',
    check: 'unsafe-repeats',
    under: scenario('lost-replies'),
    run: submitsMany({ pause: () => 2000 }),
  },
  {
    name: 'resubmits-after-timeout',
    is: 'Sends a submission again after its response timed out; it had taken effect.',
    check: 'unsafe-repeats',
    under: after('delayed replies', 'delay', { ms: 15_000 }),
    run: submitting(slow),
  },
  {
    name: 'resubmits-after-slow-body',
    is: 'Sends a submission again because its response arrived too slowly; it had taken effect.',
    check: 'unsafe-repeats',
    under: after('slow replies', 'slow-body', { bytes: 1, ms: 2000 }),
    run: submitting(slow),
  },
  {
    name: 'resubmits-in-another-order',
    is: 'Sends a lost submission again, with its fields in another order.',
    check: 'unsafe-repeats',
    under: after('lost replies', 'reset'),
    run: (context) => {
      let count = 0;
      return submitting({ change: (request) => reordered(request, (count += 1)) })(context);
    },
  },
  {
    name: 'resubmits-one-by-one',
    is: 'Sends the elements of a lost batch of submissions again at once, one by one.',
    check: 'unsafe-repeats',
    under: firstLost,
    run: async (context) => {
      const send = goodSend(context);
      await send(submit, submissions).catch(async () => {
        for (const submission of submissions) {
          await sleep(100);
          await send(submit, [submission]).catch(() => undefined);
        }
      });
    },
  },
  {
    name: 'resubmits-after-408',
    is: 'Sends a submission again after HTTP 408.',
    check: 'unsafe-repeats',
    under: after('HTTP 408', 'http-error', { status: 408 }),
    run: submitting(),
  },
  {
    name: 'resubmits-after-520',
    is: 'Sends a submission again after HTTP 520, a status that proxies send.',
    check: 'unsafe-repeats',
    under: after('HTTP 520', 'http-error', { status: 520 }),
    run: submitting(),
  },
  {
    name: 'resubmits-after-wrong-type',
    is: 'Treats a response that is declared as HTML as lost, and sends the submission again.',
    check: 'unsafe-repeats',
    under: after('JSON declared as HTML', 'wrong-content-type', { type: 'text/html' }),
    run: (context) => untilTaken(context, (submission) => isJson(context, submit, submission)),
  },
  {
    name: 'resubmits-after-missing-output',
    is: 'Sends a submission again because its output was missing.',
    check: 'unsafe-repeats',
    under: after('missing outputs', 'missing-output', { index: 0 }),
    run: async (context) => {
      const send = goodSend(context);
      await untilTaken(context, async (submission) => {
        const [output] = await send(submit, [submission]);
        return output !== undefined;
      });
    },
  },
  {
    name: 'redelivers-in-scopes',
    is: 'Sends a lost submission again at once, as another delivery of its queue with a scope of its own.',
    check: 'unsafe-repeats',
    mayBeNotJudged: true,
    under: scenario('lost-replies'),
    run: redelivers,
  },
  {
    name: 'submits-in-parallel',
    is: 'Sends each submission twice at the same time, as after a double click.',
    check: 'unsafe-repeats',
    under: { ...quiet, ...oneTest },
    run: twice(async (send) => {
      for (const submission of submissions)
        await Promise.all([send(submit, [submission]), send(submit, [submission])]);
    }),
  },
  {
    name: 'submits-after-success',
    is: 'Sends each submission again after it succeeded.',
    check: 'unsafe-repeats',
    under: { ...quiet, ...oneTest },
    run: twice(async (send) => {
      for (const submission of submissions) {
        await send(submit, [submission]);
        await sleep(500);
        await send(submit, [submission]);
      }
    }),
  },
];
