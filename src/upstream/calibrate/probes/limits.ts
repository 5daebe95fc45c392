import type { AssumptionName } from '../../../assumptions.ts';
import type { Ask } from '../model/ask.ts';
import type { Reading } from '../model/infer.ts';
import { good, predictBatch, throttled } from '../model/predict.ts';
import { because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { messageOf, outcomeOf, resultOf, type Reply } from '../reply.ts';
import { theirs } from '../shown-text.ts';
import type { Keys } from '../upstream.ts';
import { plainReading } from './listings.ts';

/** The operation with the lowest limit, and its limit per minute. */
const operation = 'get-all-instructors';
const limit = 15;

/**
 * Times of the calls, in seconds of the service's minute: each kind of window treats the last three
 * differently.
 */
const moments = { first: 5, burst: 20, burstEnds: 58, nextMinute: 62, afterFirst: 70 } as const;

/** Probes that exceed the limits; the only ones that are throttled on purpose. */
export const limits: readonly Probe[] = [
  {
    name: 'rate-limit',
    what: `${operation} until it is throttled, within a minute and beyond`,
    calls: limit + 7,
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
    waits: 61 + 60 + moments.afterFirst,
    run: rateLimit,
  },
  {
    name: 'mp4-limit',
    what: 'get-live-event-session-processed-mp4 until it is throttled, at most 61 times within a minute; if it is not throttled, a batch of 101',
    calls: 62,
    tells: ['processedMp4RateLimit', 'maxBatchSize'],
    waits: 61 + 60,
    run: mp4Limit,
  },
];

async function rateLimit(scene: Scene): Promise<Finding> {
  const { pace, keys } = scene;
  await pace.settle(operation);
  const minute = await pace.waitForSecond(moments.first);
  const at = (second: number): Promise<void> => pace.waitForMoment(minute + second * 1000);
  const send = (elements = 1, key: keyof Keys = 'own'): Promise<Reply> =>
    pace.callAtOnce({ operation, key, elements: Array.from({ length: elements }, () => ({})) });
  const within = [await send()];
  await at(moments.burst);
  while (within.length < limit - 1) within.push(await send());
  const early = within.findIndex((reply) => resultOf(reply) === null);
  if (early >= 0)
    return because(
      `call ${early + 1} of ${limit} within a minute returned ${outcomeOf(within[early] ?? within[0] ?? (await send()))}`,
    );
  const [batch, next, over] = [await send(2), await send(), await send()];
  const second = keys.second === null ? null : await send(1, 'second');
  const other = keys.other === null ? null : await send(1, 'other');
  if (resultOf(over) !== null)
    return because(`${limit + 3} elements in ${limit + 2} calls within a minute all succeeded`);
  if (pace.serviceNow() > minute + moments.burstEnds * 1000)
    return because('the service was too slow to make the calls within a minute');
  await at(moments.nextMinute);
  const nextMinute = await send();
  await at(moments.afterFirst);
  const later = [await send(), await send()];
  return {
    readings: [
      ...burstReadings(batch, next, over),
      ...scopeReadings(second, other),
      ...windowReadings(nextMinute, later),
    ],
    ...withoutKeys(keys),
  };
}

function answered(ask: Ask, isAdmitted: boolean): string {
  return isAdmitted ? '200 ok' : throttled(ask);
}

function burstReadings(batch: Reply, next: Reply, over: Reply): readonly Reading[] {
  return [
    readingOf('rateLimitUnit', `a batch of two as call ${limit}`, batch, (ask) =>
      ask('rateLimitUnit') === 'element' ? throttled(ask, 2) : predictBatch(ask, [good, good]),
    ),
    readingOf('refusedCallsCount', `one more call`, next, (ask) =>
      answered(ask, ask('rateLimitUnit') === 'element' && ask('refusedCallsCount') === 'no'),
    ),
    readingOf('throttleReply', `call ${limit + 2} within a minute`, over, (ask) => throttled(ask)),
    plainReading(
      'retryAfter',
      retryForm(over),
      `Retry-After of a throttled response: ${theirs(over.header('retry-after') ?? 'none')}`,
    ),
  ];
}

function retryForm({ header }: Reply): string {
  const text = header('retry-after');
  if (text === null) return 'none';
  if (/^\d+$/.test(text)) return 'seconds';
  return Number.isNaN(Date.parse(text)) ? 'another form' : 'http-date';
}

/** Returns the reading of a call that is admitted or throttled; none if the call was not made. */
function admission(
  about: AssumptionName,
  what: string,
  reply: Reply | null | undefined,
  isAdmitted: (ask: Ask) => boolean,
): readonly Reading[] {
  return reply === null || reply === undefined
    ? []
    : [readingOf(about, what, reply, (ask) => answered(ask, isAdmitted(ask)))];
}

function scopeReadings(second: Reply | null, other: Reply | null): readonly Reading[] {
  return [
    ...admission(
      'rateLimitScope',
      'a call then with another key of the school',
      second,
      (ask) => ask('rateLimitScope') === 'key-and-operation',
    ),
    ...admission(
      'rateLimitScope',
      "a call then with another school's key",
      other,
      (ask) => ask('rateLimitScope') !== 'address-and-operation',
    ),
  ];
}

function withoutKeys({ second, other }: Keys): Pick<Finding, 'lacking'> {
  const wanted = [
    ...(second === null ? ['--second-key (another key of the school)'] : []),
    ...(other === null ? ["--other-key (another school's key)"] : []),
  ];
  return wanted.length === 0 ? {} : { lacking: { rateLimitScope: `give ${wanted.join(' and ')}` } };
}

function isFixed(ask: Ask): boolean {
  return ask('rateLimitWindow') !== 'sliding';
}

function windowReadings(nextMinute: Reply, [first, second]: readonly Reply[]): readonly Reading[] {
  return [
    ...admission(
      'rateLimitWindow',
      'a call in the next minute of the clock, 57 s after the first',
      nextMinute,
      (ask) => ask('rateLimitWindow') === 'fixed-aligned',
    ),
    ...admission(
      'refusedCallsCount',
      'a call 65 s after the first, 50 s after the others',
      first,
      (ask) => isFixed(ask) || ask('refusedCallsCount') === 'no',
    ),
    ...admission('rateLimitWindow', 'another call then', second, isFixed),
  ];
}

async function mp4Limit({ pace, school }: Scene): Promise<Finding> {
  const asked = 'get-live-event-session-processed-mp4';
  const id = school.recorded?.id ?? school.sessions[0]?.id ?? 'lp-sandbox-calibrate';
  await pace.settle(asked);
  const minute = await pace.waitForSecond(1);
  const looks: string[] = [];
  while (looks.length < 61 && (looks.length < 2 || looks.at(-1) === looks[0])) {
    looks.push(lookOf(await pace.callAtOnce({ operation: asked, elements: [{ liveEventSessionId: id }] })));
  }
  if (pace.serviceNow() > minute + 59_000)
    return because('the service was too slow to make the calls within a minute');
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
