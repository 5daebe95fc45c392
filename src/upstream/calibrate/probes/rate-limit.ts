import type { AssumptionName } from '../../../assumptions.ts';
import type { Ask } from '../model/ask.ts';
import type { Reading } from '../model/infer.ts';
import { good, predictBatch, throttled } from '../model/predict.ts';
import { harmless } from '../pace.ts';
import { because, readingOf, type Finding, type Scene } from '../probe.ts';
import { describeReply, resultOf, type Reply } from '../reply.ts';
import type { Keys, Request } from '../upstream.ts';
import { insist, StrayError, twice } from './stray.ts';
import { throttleReadings } from './throttling.ts';

/** The operation with the lowest limit, and its limit per minute. */
export const operation = 'get-all-instructors';
export const limit = 15;

/**
 * Times of the calls, in seconds of the service's minute: each kind of window treats the last three
 * differently. At `later`, none admits a call, but a bucket that refills does.
 */
export const moments = {
  first: 5,
  burst: 20,
  later: 50,
  burstEnds: 58,
  nextMinute: 62,
  afterFirst: 70,
} as const;

/** Exceeds a limit. Starts again once if a server error comes in between, because it may or may not count. */
export function rateLimit(scene: Scene): Promise<Finding> {
  return twice(() => attempt(scene));
}

async function attempt(scene: Scene): Promise<Finding> {
  const { pace, keys } = scene;
  await pace.settle(operation);
  const minute = await pace.clock.waitForSecond(moments.first);
  const at = (second: number): Promise<void> => pace.clock.waitForMoment(minute + second * 1000);
  const send = (elements = 1, key: keyof Keys = 'own'): Promise<Reply> => insist(pace, callOf(elements, key));
  let last = await send();
  await at(moments.burst);
  for (let made = 1; made < limit - 1 && resultOf(last) !== null; made += 1) {
    last = await send();
    if (resultOf(last) === null) return throttledEarly(scene, last, made + 1);
  }
  if (resultOf(last) === null) return throttledEarly(scene, last, 1);
  const [batch, next, over] = [await send(2), await send(), await send()];
  const second = keys.second === null ? null : await send(1, 'second');
  const other = keys.other === null ? null : await send(1, 'other');
  if (resultOf(over) !== null)
    return because(`${limit + 3} elements in ${limit + 2} calls within a minute all succeeded`);
  if (pace.clock.isPast(minute + moments.burstEnds * 1000))
    return because('the service was too slow to make the calls within a minute');
  await at(moments.later);
  const refilled = await send();
  await at(moments.nextMinute);
  const nextMinute = await send();
  await at(moments.afterFirst);
  const later = [await send(), await send()];
  requireSame(over, [batch, next, second, other, refilled, nextMinute, ...later]);
  // The calls may not have been in the minutes of the service that they were meant for.
  const { doubt } = pace.clock;
  if (doubt !== null) return { readings: overReadings(over), missing: doubt };
  return {
    readings: [
      ...burstReadings(batch, next, over),
      ...scopeReadings(second, other),
      ...admission(
        'rateLimitWindow',
        'a call in the same minute, 25 s after the others',
        refilled,
        () => false,
      ),
      ...windowReadings(nextMinute, later),
    ],
    ...withoutKeys(keys),
  };
}

function callOf(elements: number, key: keyof Keys): Request {
  return { operation, key, elements: Array.from({ length: elements }, () => ({})) };
}

/** Rejects with StrayError if a server error is not the response to a throttled call. */
function requireSame({ status }: Reply, replies: readonly (Reply | null)[]): void {
  if (replies.some((reply) => reply !== null && reply.status >= 500 && reply.status !== status))
    throw new StrayError();
}

/** The limit is lower than the documented one, unless the service is down. */
async function throttledEarly(scene: Scene, reply: Reply, number: number): Promise<Finding> {
  const words = `call ${number} of ${limit} within a minute returned ${describeReply(reply)}`;
  const isThrottled =
    reply.status === 429 || (number > 1 && resultOf(await scene.pace.call(harmless)) !== null);
  if (!isThrottled) return because(words);
  return {
    readings: throttleReadings(`call ${number} within a minute`, reply),
    missing: `the limit is lower than the documented one: ${words}`,
  };
}

function answered(ask: Ask, isAdmitted: boolean): string {
  return isAdmitted ? '200 ok' : throttled(ask);
}

function burstReadings(batch: Reply, next: Reply, over: Reply): readonly Reading[] {
  // A service can have one error for the whole call in the outputs.
  const refusedElements = batch.outputs?.length === 1 ? 1 : 2;
  return [
    readingOf('rateLimitUnit', `a batch of two as call ${limit}`, batch, (ask) =>
      ask('rateLimitUnit') === 'element' ? throttled(ask, refusedElements) : predictBatch(ask, [good, good]),
    ),
    readingOf('refusedCallsCount', `one more call`, next, (ask) =>
      answered(ask, ask('rateLimitUnit') === 'element' && ask('refusedCallsCount') === 'no'),
    ),
    ...overReadings(over),
  ];
}

function overReadings(over: Reply): readonly Reading[] {
  return throttleReadings(`call ${limit + 2} within a minute`, over);
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
