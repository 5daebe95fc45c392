import type { Reading } from '../model/infer.ts';
import { good, predictBatch } from '../model/predict.ts';
import { harmless } from '../pace.ts';
import { because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, resultOf, type Reply } from '../reply.ts';
import { isTaken } from './bodies.ts';
import { plainReading } from './listings.ts';
import { limit, moments, operation, rateLimit } from './rate-limit.ts';
import { attempts, insist, twice } from './stray.ts';

/** One call more than the highest limit that an option has. */
const most = 61;

const mp4 = 'get-live-event-session-processed-mp4';

/** Probes that exceed the limits; the only ones that are throttled on purpose. */
export const limits: readonly Probe[] = [
  {
    name: 'rate-limit',
    what: `${operation} until it is throttled, within a minute and beyond`,
    calls: attempts * (limit + 8),
    tells: [
      'throttleReply',
      'retryAfter',
      'rateLimitWindow',
      'rateLimitScope',
      'rateLimitUnit',
      'refusedCallsCount',
      'refusalBody',
      'gatewayRefusalBody',
    ],
    waits: attempts * (61 + 60 + moments.afterFirst),
    run: rateLimit,
  },
  {
    name: 'mp4-limit',
    what: `${mp4} until it is throttled, at most ${most} times within a minute; if it is not throttled, a batch of 101, then (if it is refused) one of 100`,
    calls: attempts * most + 2,
    tells: ['processedMp4RateLimit', 'maxBatchSize'],
    waits: attempts * (61 + 60),
    run: (scene) => twice(() => mp4Limit(scene)),
  },
];

async function mp4Limit({ pace, school }: Scene): Promise<Finding> {
  const id = school.recorded?.id;
  // Without one, each call is refused for a reason other than the limit.
  if (id === undefined) return because('found no recorded session: add liveEventSessionId to --known');
  await pace.settle(mp4);
  const minute = await pace.clock.waitForSecond(1);
  const call = (): Promise<Reply> => insist(pace, { operation: mp4, elements: [{ liveEventSessionId: id }] });
  let last = await call();
  let made = 1;
  for (; made < most && resultOf(last) !== null; made += 1) last = await call();
  const succeeded = resultOf(last) === null ? made - 1 : made;
  if (pace.clock.isPast(minute + 59_000))
    return because('the service was too slow to make the calls within a minute');
  const isRefused = succeeded < made;
  if (succeeded === 0) return because(`${mp4} returned ${describeReply(last)}`);
  if (isRefused && resultOf(await pace.call(harmless)) === null)
    return because(`call ${made} within a minute returned ${describeReply(last)}`);
  // The calls may have been in two minutes of the service, and each minute may have a limit of its own.
  if (pace.clock.doubt !== null) return because(pace.clock.doubt);
  const allowed = isRefused ? String(succeeded) : 'none';
  const words = isRefused
    ? `${succeeded} calls within a minute succeeded, and no more`
    : `${succeeded} calls within a minute all succeeded`;
  const reading = plainReading('processedMp4RateLimit', allowed, words);
  if (isRefused) return { readings: [reading] };
  // If elements are counted, a large batch fits into no other operation.
  const over = await batchWithoutLimit(pace, id, 101);
  // The maximum may also be any number below.
  const below = isTaken(over) ? [] : [await batchWithoutLimit(pace, id, 100)];
  return { readings: [reading, over, ...below] };
}

async function batchWithoutLimit(pace: Scene['pace'], id: string, count: number): Promise<Reading> {
  const elements = Array.from({ length: count }, () => ({ liveEventSessionId: id }));
  const reply = await pace.call({ operation: mp4, elements });
  const fares = elements.map(() => good);
  return readingOf('maxBatchSize', `a batch of ${count} to an operation without a limit`, reply, (ask) =>
    predictBatch(ask, fares, 'without limit'),
  );
}
