import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import type { Client, Context, Send } from '../kit/api.ts';
import { Day, pooled, serially, type Run } from '../kit/day.ts';
import { retryingElements } from '../kit/elements.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, fullJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Condition, Exemplary } from '../spec.ts';

/** Waits until a call of an operation may be sent. */
type Take = (operation: string) => Promise<void>;

/** The documented limits, per minute. */
const perMinute = (operation: string): number => (operation.startsWith('get-all-') ? 15 : 60);

/** A third of the limit at once, and the other two thirds evenly: never more than the limit in any minute. */
function tokenBucket({ signal }: Context): Take {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return async (operation) => {
    const capacity = perMinute(operation) / 3;
    const perMs = (perMinute(operation) - capacity) / 63_000;
    for (;;) {
      const now = Date.now();
      const { tokens, at } = buckets.get(operation) ?? { tokens: capacity, at: now };
      const filled = Math.min(capacity, tokens + (now - at) * perMs);
      buckets.set(operation, { tokens: filled >= 1 ? filled - 1 : filled, at: now });
      if (filled >= 1) return;
      await sleep((1 - filled) / perMs, undefined, { signal });
    }
  };
}

/** Evenly spread: one call every few seconds. */
function leakyBucket({ signal }: Context): Take {
  const free = new Map<string, number>();
  return async (operation) => {
    const gap = (60_000 / perMinute(operation)) * 1.03;
    const mine = Math.max(Date.now(), free.get(operation) ?? 0);
    free.set(operation, mine + gap);
    await sleep(mine - Date.now(), undefined, { signal });
  };
}

/** Counts the calls of the last minute. */
function slidingWindow({ signal }: Context): Take {
  const sent = new Map<string, number[]>();
  return async (operation) => {
    for (;;) {
      const now = Date.now();
      const recent = (sent.get(operation) ?? []).filter((at) => now - at < 66_000);
      sent.set(operation, recent);
      const [oldest = now] = recent;
      if (recent.length < perMinute(operation)) return void recent.push(now);
      await sleep(oldest + 66_000 - now, undefined, { signal });
    }
  };
}

/** Every try takes its turn, retries too. */
function limited(take: Take, context: Context): Send {
  const send = fetchSend(context);
  return async (operation, elements) => {
    await take(operation);
    return send(operation, elements);
  };
}

/** A limiter of the library for each operation. */
function bottleneck(context: Context, settings: (limit: number) => Bottleneck.ConstructorOptions): Send {
  const send = fetchSend(context);
  const limiters = new Map<string, Bottleneck>();
  return (operation, elements) => {
    const limiter = limiters.get(operation) ?? new Bottleneck(settings(perMinute(operation)));
    limiters.set(operation, limiter);
    return limiter.schedule(() => send(operation, elements));
  };
}

/** Watches a school for a while: more calls than the limits allow at once. */
async function watch(context: Context, send: Send, rounds: number, run: Run): Promise<void> {
  const day = new Day(context);
  const batch = retryingElements(send, context);
  const tasks = Array.from({ length: rounds }, (_, index) => [
    () => batch('get-all-instructors', [{}]),
    () => batch('get-all-live-events', [{}]),
    () => batch('get-quiz-details', [{ quizId: ids.quizzes[index % ids.quizzes.length] }]),
  ]).flat();
  await run(tasks.map((task) => () => day.attempt(task)));
}

function client(sendOf: (context: Context) => Send, rounds: number, run: Run): Client {
  return (context) => {
    const policy = goodPolicy(equalJitter(context.random));
    return watch(context, retrying(sendOf(context), context, policy), rounds, run);
  };
}

/** Reads one record for each event that comes, about 35 in a minute, and retries with full jitter. */
const handlesWebhooks: Client = async (context) => {
  const day = new Day(context);
  const policy = { ...goodPolicy(fullJitter(context.random)), tries: 5 };
  const send = retrying(fetchSend(context), context, policy);
  const handled: Promise<void>[] = [];
  for (let event = 0; event < 30 && !day.isOver; event += 1) {
    const courseItemId = ids.manyItems[event % ids.manyItems.length];
    handled.push(day.attempt(() => send('get-course-item-data', [{ courseItemId }])));
    await sleep(-Math.log(1 - context.random()) * 1700);
  }
  await Promise.all(handled);
};

/** A client that stays within the documented limits cannot know of these, nor when to come back. */
const lowerLimits: Condition = {
  name: 'a fifth of the limits, without Retry-After',
  limits: 0.2,
  prepare: (sandbox) => sandbox.assumptions.choose({ retryAfter: 'none' }),
};

export const limiters: readonly Exemplary[] = [
  {
    name: 'token-bucket',
    is: 'A token bucket per operation within the documented limits, 6 workers.',
    random: 'some pauses',
    run: client((context) => limited(tokenBucket(context), context), 14, pooled(6)),
  },
  {
    name: 'leaky-bucket',
    is: 'A leaky bucket at the documented limits: one call of get-all-instructors every 4 s.',
    run: client((context) => limited(leakyBucket(context), context), 12, pooled(3)),
  },
  {
    name: 'paced-for-15',
    is: 'A client that is paced for the documented 15 calls per minute, one call after another.',
    run: client((context) => limited(leakyBucket(context), context), 10, serially),
    also: [{ name: 'limits × 0.2', limits: 0.2 }],
  },
  {
    name: 'webhooks',
    is: 'Handles 35 events a minute, each with a read of its own, and backs off with full jitter.',
    random: 'some pauses',
    run: handlesWebhooks,
    also: [lowerLimits],
  },
  {
    name: 'sliding-window',
    is: 'A counter of the calls in the last minute per operation, at the documented limits, 4 workers.',
    run: client((context) => limited(slidingWindow(context), context), 17, pooled(4)),
  },
  {
    name: 'bottleneck-reservoir',
    is: 'bottleneck with a reservoir that is refilled every minute, within the documented limits.',
    random: 'some pauses',
    run: client(
      (context) =>
        bottleneck(context, (limit) => ({
          reservoir: Math.floor(limit / 2),
          reservoirRefreshAmount: Math.floor(limit / 2),
          reservoirRefreshInterval: 66_000,
          maxConcurrent: 4,
        })),
      9,
      pooled(4),
    ),
  },
  {
    name: 'bottleneck-min-time',
    is: 'bottleneck as a leaky bucket: the documented limits as a time between calls.',
    run: client(
      (context) => bottleneck(context, (limit) => ({ minTime: 62_000 / limit, maxConcurrent: 1 })),
      10,
      pooled(3),
    ),
  },
];
