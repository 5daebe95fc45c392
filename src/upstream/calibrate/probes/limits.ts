import type { Ask } from '../model/ask.ts';
import { good, predictBatch } from '../model/predict.ts';
import { harmless } from '../pace.ts';
import { because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, messageOf, outcomeOf, resultOf, type Reply } from '../reply.ts';
import { plainReading } from './listings.ts';
import { limit, moments, operation, rateLimit } from './rate-limit.ts';
import { attempts, insist, twice } from './stray.ts';

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
    what: 'get-live-event-session-processed-mp4 until it is throttled, at most 61 times within a minute; if it is not throttled, a batch of 101',
    calls: attempts * 61 + 1,
    tells: ['processedMp4RateLimit', 'maxBatchSize'],
    waits: attempts * (61 + 60),
    run: (scene) => twice(() => mp4Limit(scene)),
  },
];

async function mp4Limit({ pace, school }: Scene): Promise<Finding> {
  const asked = 'get-live-event-session-processed-mp4';
  const id = school.recorded?.id ?? school.sessions[0]?.id ?? 'lp-sandbox-calibrate';
  await pace.settle(asked);
  const minute = await pace.waitForSecond(1);
  const looks: string[] = [];
  let last: Reply | null = null;
  while (looks.length < 61 && (looks.length < 2 || looks.at(-1) === looks[0])) {
    last = await insist(pace, { operation: asked, elements: [{ liveEventSessionId: id }] });
    looks.push(lookOf(last));
  }
  if (pace.serviceNow() > minute + 59_000)
    return because('the service was too slow to make the calls within a minute');
  if (last !== null && last.status >= 500 && resultOf(await pace.call(harmless)) === null)
    return because(`call ${looks.length} within a minute returned ${describeReply(last)}`);
  const allowed = looks.at(-1) === looks[0] ? 'none' : String(looks.length - 1);
  const words =
    allowed === 'none'
      ? `${looks.length} calls within a minute all succeeded`
      : `${allowed} calls within a minute succeeded, and no more`;
  const reading = plainReading('processedMp4RateLimit', allowed, words);
  if (allowed !== 'none' || school.recorded === null) return { readings: [reading] };
  // If elements are counted, a large batch fits into no other operation.
  const elements = Array.from({ length: 101 }, () => ({ liveEventSessionId: id }));
  const batch = await pace.call({ operation: asked, elements });
  const expected = (ask: Ask) =>
    predictBatch(
      ask,
      Array.from(elements, () => good),
      'without limit',
    );
  return {
    readings: [
      reading,
      readingOf('maxBatchSize', 'a batch of 101 to an operation without a limit', batch, expected),
    ],
  };
}

/** Returns what distinguishes a throttled response from earlier ones; failure messages may differ. */
function lookOf(reply: Reply): string {
  return `${outcomeOf(reply)} ${resultOf(reply) === null ? (messageOf(reply) ?? '') : ''}`;
}
