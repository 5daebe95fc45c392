import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CallError,
  isWorthRetrying,
  requestOf,
  type Client,
  type Context,
  type Outputs,
} from '../kit/api.ts';
import { Day, pooled, serially, workDay } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import type { NewFaultRule } from '../../../src/index.ts';
import type { RetryPolicy } from '../kit/retry.ts';
import type { Bad, Condition } from '../spec.ts';
import { goodSend, isJson, oneTest, quiet, scenario, withPolicy } from './vary.ts';

/** The first calls of an operation fail. */
function failing(first: number): Condition {
  return {
    name: `the first ${first} calls fail`,
    rules: [{ fault: 'http-error', with: { status: 503 }, when: { first } }],
  };
}

/** The first calls of some reads get no reply, and the others HTTP 503. */
const cutOff: Condition = {
  name: 'connections that are cut off, and HTTP 503',
  rules: ids.items.map((courseItemId, index) => ({
    ...(index < 8 ? { fault: 'reset' } : { fault: 'http-error', with: { status: 503 } }),
    match: { parameters: { courseItemId } },
    when: { first: 4 },
  })),
};

/** The first calls for each record fail: of two operations, or so that all elements of a call fail. */
function failingReads(name: string, fault: Pick<NewFaultRule, 'fault' | 'with'>): Condition {
  const records = [
    ...ids.manyItems.map((courseItemId) => ({ courseItemId })),
    ...ids.quizzes.map((quizId) => ({ quizId })),
  ];
  const rules = records.map((parameters) => ({ ...fault, match: { parameters }, when: { first: 5 } }));
  return { ...oneTest, name, rules };
}

const unavailable = failingReads('HTTP 503', { fault: 'http-error', with: { status: 503 } });

/** Backs off before it reads items again, but not before it reads quizzes again. */
function hasOneOperation(pauseMs: number): Client {
  return async (context) => {
    const day = new Day(context);
    const patient = goodSend(context);
    const impatient = goodSend(context, { pause: () => pauseMs });
    const reads = [
      ids.manyItems.map((courseItemId) => () => patient('get-course-item-data', [{ courseItemId }])),
      ids.quizzes.map((quizId) => () => impatient('get-quiz-details', [{ quizId }])),
    ];
    await Promise.all(reads.map((own) => serially(own.map((read) => () => day.attempt(read)))));
  };
}

/** Reads items, and sends each read again at once until the response has what it needs. */
function readsUntil(isRight: (context: Context, element: object) => Promise<boolean>): Client {
  return async (context) => {
    const day = new Day(context);
    for (const courseItemId of ids.items)
      await day.attempt(async () => {
        for (let tries = 0; tries < 20; tries += 1) if (await isRight(context, { courseItemId })) return;
      });
  };
}

/** Does its work but for throttled calls, and other work after the time that Retry-After gave. */
const finalThrottling: Client = async (context) => {
  const policy: Partial<RetryPolicy> = {
    sharesRetryAfter: false,
    retries: (operation, error) =>
      isWorthRetrying(operation, error) && !(error instanceof CallError && error.status === 429),
  };
  await withPolicy(policy)(context);
  await sleep(5000);
  await goodSend(context, policy)('get-course-item-data', [{ courseItemId: ids.items[9] }]);
};

/** Retries at once if the connection was cut off, and backs off if the service is unavailable. */
const impatient: Client = async (context) => {
  const day = new Day(context);
  const patient = goodSend(context);
  const send = goodSend(context, {
    pause: () => 0,
    retries: (_, error) => error instanceof CallError && error.status === 0,
  });
  for (const [index, courseItemId] of ids.items.entries())
    await day.attempt(() => (index < 8 ? send : patient)('get-course-item-data', [{ courseItemId }]));
};

/** Sends a call on a connection of its own up to five times, without a pause, as scripts without a session do. */
const reconnects: Client = async (context) => {
  for (const courseItemId of ids.manyItems)
    for (let tries = 0; tries < 5; tries += 1)
      if ((await postAlone(context, 'get-course-item-data', { courseItemId })) === 200) break;
};

/** Makes a call on a new connection, which it closes, and returns the HTTP status. */
function postAlone(context: Context, operation: string, element: object): Promise<number> {
  const { url, headers, body } = requestOf(context, operation, [element]);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (reply) =>
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0)),
    );
    sent.once('error', reject).end(body);
  });
}

/** Reads the same records in each of its rounds, up to four times, a second apart. */
const roundsWithFixedPauses: Client = async (context) => {
  const send = goodSend(context, { pause: () => 1000, tries: 4 });
  const day = new Day(context);
  for (let round = 0; round < 4; round += 1) {
    for (const courseItemId of ids.items.slice(0, 5))
      await day.attempt(() => send('get-course-item-data', [{ courseItemId }]));
    await sleep(5000);
  }
};

/** Retries for long, with pauses that grow, but soon reach their low maximum. */
const lowMaximum: Client = async (context) => {
  const send = goodSend(context, { pause: (failures) => Math.min(250, 60 * 2 ** failures), tries: 16 });
  const day = new Day(context);
  for (const courseItemId of ids.manyItems)
    await day.attempt(() => send('get-course-item-data', [{ courseItemId }]));
};

/** Reads seven quizzes in turn, whatever becomes of each. */
const readsInTurn: Client = async (context) => {
  const send = goodSend(context, { tries: 1 });
  const day = new Day(context);
  for (let index = 0; index < 40; index += 1)
    await day.attempt(() => send('get-quiz-details', [{ quizId: ids.quizzes[index % 7] }]));
};

/** Two workers that retry after half a second to a second, however often. */
const fixedPausesOfTwo: Client = async (context) => {
  const send = goodSend(context, { pause: () => 500 + 500 * context.random(), tries: 7 });
  const day = new Day(context);
  const reads = ids.manyItems.map((courseItemId) => () => send('get-course-item-data', [{ courseItemId }]));
  await pooled(2)(reads.map((read) => () => day.attempt(read)));
};

/** Asks for a recording that is not ready as fast as it can. */
const asksForMp4: Client = async (context) => {
  const send = goodSend(context);
  for (let round = 0; round < 12; round += 1) {
    await send('get-live-event-session-processed-mp4', [ids.unprocessed]);
    await sleep(30);
  }
};

/** Reads a record that does not exist, again and again. */
const insists: Client = async (context) => {
  const send = goodSend(context);
  const day = new Day(context);
  for (const quizId of ['000000000000000000000000', '111111111111111111111111', '222222222222222222222222'])
    for (let round = 0; round < 8; round += 1)
      await day.attempt(async () => {
        await send('get-quiz-details', [{ quizId }]);
        await sleep(200);
      });
};

/** Sends whole batches again until all of their elements succeeded. */
const wholeBatches: Client = async (context) => {
  const send = goodSend(context);
  const day = new Day(context);
  const instructors = ['ana', 'ben', 'chi', 'dan'].map(ids.instructor);
  const isDone = (outputs: Outputs): boolean =>
    outputs.length === instructors.length && outputs.every((output) => output?.status === 'ok');
  for (let round = 0; round < 6; round += 1)
    await day.attempt(async () => {
      const batch = instructors.map((one, index) => ({
        ...one,
        instructorEmail: `${round}-${index}-${one.instructorEmail}`,
      }));
      for (let tries = 0; tries < 4; tries += 1) {
        if (isDone(await send('create-instructor-account', batch))) return;
        await sleep(100 * 2 ** tries);
      }
    });
};

/** Reads a few batches, and sends each again as a whole until all of its elements succeeded. */
const fewWholeBatches: Client = async (context) => {
  const send = goodSend(context);
  for (let start = 0; start < 20; start += 4) {
    const batch = ids.manyItems.slice(start, start + 4).map((courseItemId) => ({ courseItemId }));
    for (let tries = 0; tries < 4; tries += 1) {
      const outputs = await send('get-course-item-data', batch);
      if (outputs.length === batch.length && outputs.every((output) => output?.status === 'ok')) break;
      await sleep(100);
    }
  }
};

export const badRetries: readonly Bad[] = [
  {
    name: 'ignores-retry-after',
    is: 'Backs off by its own rules, and ignores Retry-After.',
    check: 'retry-after',
    under: scenario('rate-limit-storm'),
    run: withPolicy({ heedsRetryAfter: false }),
  },
  {
    name: 'ignores-retry-after-in-parallel',
    is: 'Four workers that back off as they like, whatever Retry-After says.',
    check: 'retry-after',
    under: { ...scenario('rate-limit-storm'), ...oneTest },
    run: withPolicy({ heedsRetryAfter: false }, pooled(4)),
  },
  {
    name: 'retry-after-in-milliseconds',
    is: 'Treats the seconds in Retry-After as milliseconds.',
    check: 'retry-after',
    under: scenario('outage-then-recovery'),
    run: withPolicy({ heedsRetryAfter: false, pause: (failures) => 2 + 100 * failures }),
  },
  {
    name: 'retries-on-new-connections',
    is: 'Retries throttled calls at once, each on a new connection, as scripts without a session do.',
    check: 'retry-after',
    under: scenario('rate-limit-storm'),
    run: reconnects,
  },
  {
    name: 'fixed-second',
    is: 'Retries every second, without growing pauses.',
    check: 'backoff',
    under: scenario('silent-outage'),
    run: withPolicy({ pause: () => 1000 }),
  },
  {
    name: 'shrinking-pauses',
    is: 'Waits less before each retry.',
    check: 'backoff',
    under: scenario('silent-outage'),
    run: withPolicy({ pause: (failures) => 3000 / 2 ** failures }),
  },
  {
    name: 'fixed-pause-with-noise',
    is: 'Retries every 700 ms, with a little noise.',
    check: 'backoff',
    under: scenario('silent-outage'),
    run: (context) => workDay(context, goodSend(context, { pause: () => 670 + 60 * context.random() })),
  },
  {
    name: 'fixed-second-in-rounds',
    is: 'Reads the same five records in each round, and retries every second.',
    check: 'backoff',
    under: scenario('long-outage'),
    run: roundsWithFixedPauses,
  },
  {
    name: 'low-maximum',
    is: 'Retries up to 16 times, with pauses that grow to 250 ms and no further.',
    check: 'backoff',
    under: scenario('long-outage'),
    run: lowMaximum,
  },
  {
    name: 'fixed-pauses-of-two-workers',
    is: 'Two workers that retry six times after 0.5 to 1 s, without growing pauses.',
    check: 'backoff',
    mayBeNotJudged: true,
    under: scenario('long-outage'),
    run: fixedPausesOfTwo,
  },
  {
    name: 'retries-at-once',
    is: 'Retries at once, several times.',
    check: 'hammering',
    under: scenario('silent-outage'),
    run: withPolicy({ pause: () => 0 }),
  },
  {
    name: 'retries-at-once-in-parallel',
    is: 'Six workers that retry at once, several times.',
    check: 'hammering',
    under: failing(60),
    run: withPolicy({ pause: () => 5 }, pooled(6)),
  },
  {
    name: 'retries-cut-connections-at-once',
    is: 'Backs off after HTTP 503, but retries at once, several times, if a connection is cut off.',
    check: 'hammering',
    under: { ...cutOff, ...oneTest },
    run: impatient,
  },
  {
    name: 'retries-one-operation-at-once',
    is: 'Backs off before all retries but those of one operation, which it retries at once, several times.',
    check: 'hammering',
    under: unavailable,
    run: hasOneOperation(0),
  },
  {
    name: 'never-backs-off-in-one-operation',
    is: 'The same client: it backs off in one operation, but never in another.',
    check: 'backoff',
    under: unavailable,
    run: hasOneOperation(0),
  },
  {
    name: 'fixed-pauses-in-one-operation',
    is: 'Backs off before all retries but those of one operation, before which it always waits for 0.6 s.',
    check: 'backoff',
    under: unavailable,
    run: hasOneOperation(600),
  },
  {
    name: 'retries-failed-elements-at-once',
    is: 'If the elements of a call fail, sends the call again at once, several times.',
    check: 'hammering',
    under: failingReads('all elements fail', { fault: 'element-error', with: { every: 1 } }),
    run: readsUntil(async (context, element) => {
      const [output] = await goodSend(context)('get-course-item-data', [element]);
      return output?.status === 'ok';
    }),
  },
  {
    name: 'retries-wrong-type-at-once',
    is: 'Treats responses that are declared as HTML as failures, and retries at once, several times.',
    check: 'hammering',
    under: failingReads('JSON declared as HTML', {
      fault: 'wrong-content-type',
      with: { type: 'text/html' },
    }),
    run: readsUntil((context, element) => isJson(context, 'get-course-item-data', element)),
  },
  {
    name: 'polls-without-pauses',
    is: 'Requests a recording every 30 ms while it is not ready.',
    check: 'hopeless-repeats',
    under: quiet,
    run: asksForMp4,
  },
  {
    name: 'never-retries',
    is: 'Treats every failure as final.',
    check: 'giving-up',
    under: scenario('silent-outage'),
    run: withPolicy({ tries: 1 }),
  },
  {
    name: 'never-retries-in-parallel',
    is: 'Four workers that treat every failure as final.',
    check: 'giving-up',
    under: scenario('silent-outage'),
    run: withPolicy({ tries: 1 }, pooled(4)),
  },
  {
    name: 'never-retries-in-turn',
    is: 'Reads the same records in turn, and treats every failure as final.',
    check: 'giving-up',
    mayBeNotJudged: true,
    under: scenario('silent-outage'),
    run: readsInTurn,
  },
  {
    name: 'never-retries-throttled-calls',
    is: 'Retries after failures, but treats a throttled call as final.',
    check: 'giving-up',
    under: scenario('rate-limit-storm'),
    run: finalThrottling,
  },
  {
    name: 'endless-retries',
    is: 'Retries a call for as long as it fails, with growing pauses.',
    check: 'endless-retries',
    under: { ...scenario('long-outage'), ...oneTest },
    run: async (context) => {
      const pause = (failures: number): number =>
        Math.min(1500, 200 * 1.2 ** failures) * (0.5 + context.random() / 2);
      const send = goodSend(context, { tries: 60, pause });
      await send('list-assignments', [ids.assignmentsOf(ids.products[0])]).catch(() => undefined);
      await send('get-all-instructors', [{}]);
    },
  },
  {
    name: 'insists',
    is: 'Repeatedly reads three records that do not exist.',
    check: 'hopeless-repeats',
    under: quiet,
    run: insists,
  },
  {
    name: 'retries-invalid-key',
    is: 'Retries after HTTP 401, and keeps using a refused key.',
    check: 'hopeless-repeats',
    under: scenario('key-revoked'),
    run: async (context) => {
      const send = goodSend(context, { retries: () => true, tries: 4 });
      for (const courseItemId of ids.manyItems)
        await send('get-course-item-data', [{ courseItemId }]).catch(() => undefined);
    },
  },
  {
    name: 'retries-invalid-parameters',
    is: 'Retries calls whose parameters are invalid.',
    check: 'hopeless-repeats',
    under: quiet,
    run: async (context) => {
      const send = goodSend(context);
      for (let quizId = 10; quizId < 20; quizId += 1)
        for (let tries = 0; tries < 3; tries += 1) {
          await send('get-quiz-details', [{ quizId }]).catch(() => undefined);
          await sleep(300 * 2 ** tries);
        }
    },
  },
  {
    name: 'whole-batch-again',
    is: 'Sends a whole batch again if one of its elements failed.',
    check: 'batches',
    under: scenario('partial-batches'),
    run: wholeBatches,
  },
  {
    name: 'few-whole-batches-again',
    is: 'Makes only a few calls, and sends each batch again as a whole, as in the command that exercises the check.',
    check: 'batches',
    under: { ...scenario('partial-batches'), ...oneTest },
    run: fewWholeBatches,
  },
];
