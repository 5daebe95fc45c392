import type { Response } from 'supertest';
import { expect } from 'vitest';
import { schools, sessions } from '../support/demo.ts';
import { failureOf, outputsOf, type World } from '../support/world.ts';
import { frozenAt, seedFolder, testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

/** An operation with the small limit: 15 calls per minute. */
const operation = 'get-all-instructors';
const still = frozenAt('2026-11-20T10:00:00.000Z');

/** Makes calls one after another; the status of each. */
async function statuses(count: number, call: () => PromiseLike<Response>): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let made = 0; made < count; made += 1) seen.push((await call()).status);
  return seen;
}

function times<T>(count: number, value: T): readonly T[] {
  return Array.from({ length: count }, () => value);
}

/** The reply to the first call over the limit. */
async function overLimit({ call }: World): Promise<Response> {
  expect(await statuses(15, () => call(operation))).toEqual(times(15, 200));
  return call(operation);
}

function throttleReply(status: number): OptionTest {
  return async ({ open, noted }) => {
    const refused = await overLimit(await open(still));
    expect(refused.status).toBe(status);
    expect(failureOf(refused)).toBe(
      'The rate limit of get-all-instructors is exceeded: 15 calls per 60 s, by key and operation, window fixed-from-first. Try again in 60 s.',
    );
    expect(refused.headers['retry-after']).toBe('60');
    noted(refused);
  };
}

function retryAfter(header: string | undefined): OptionTest {
  return async ({ open, noted }) => {
    const place = await open(still);
    await place.call(operation);
    await place.sandbox.clock.advance({ seconds: 12.25 });
    expect(await statuses(14, () => place.call(operation))).toEqual(times(14, 200));
    const refused = await place.call(operation);
    expect(refused.headers['retry-after']).toBe(header);
    noted(refused);
  };
}

const rateHeaders = [
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/** Those of the headers about the limit that a reply has. */
function shownLimits({ headers }: Response): object {
  return Object.fromEntries(
    rateHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name] as unknown]])),
  );
}

/**
 * One call at 10:00:30 and fourteen at 10:00:50: when a throttled call may come back, and how many pass then.
 */
function rateLimitWindow(seconds: number, admitted: number): OptionTest {
  return async ({ open, noted }) => {
    const { call, sandbox } = await open(frozenAt('2026-11-20T10:00:30.000Z'));
    await call(operation);
    await sandbox.clock.advance({ seconds: 20 });
    expect(await statuses(14, () => call(operation))).toEqual(times(14, 200));
    const refused = await call(operation);
    expect({ status: refused.status, after: refused.headers['retry-after'] }).toEqual({
      status: 429,
      after: String(seconds),
    });
    noted(refused);
    await sandbox.clock.advance({ seconds });
    expect(await statuses(16, () => call(operation))).toEqual([
      ...times(admitted, 200),
      ...times(16 - admitted, 429),
    ]);
  };
}

/** Whether a further key of the school and another school are kept out by the first key's calls. */
function rateLimitScope(kept: { readonly sameSchool: boolean; readonly otherSchool: boolean }): OptionTest {
  return async ({ open, noted }) => {
    const seed = seedFolder({
      schools: [
        { id: schools.riverside, slug: 'riverside', name: 'Riverside Academy', keyLabels: ['mobile'] },
        { id: schools.hillcrest, slug: 'hillcrest', name: 'Hillcrest College' },
      ],
    });
    const place = await open({ ...still, seed });
    const refused = await overLimit(place);
    expect(refused.status).toBe(429);
    noted(refused);
    const mobile = await place
      .post(operation)
      .set('SERVICE-API-KEY', `${place.sandbox.apiKey('riverside')}_mobile`)
      .send({ data: [{ data: {} }] });
    expect(mobile.status).toBe(kept.sameSchool ? 429 : 200);
    expect((await place.call(operation, {}, 'hillcrest')).status).toBe(kept.otherSchool ? 429 : 200);
    expect((await place.call('get-all-live-events')).status).toBe(200);
  };
}

/**
 * A client that keeps trying for a whole window's worth of calls, and once more when the first ones are a
 * minute old.
 */
function refusedCallsCount(after: number): OptionTest {
  return async ({ open, noted }) => {
    const place = await open({ ...still, assumptions: { rateLimitWindow: 'sliding' } });
    await overLimit(place);
    await place.sandbox.clock.advance({ seconds: 30 });
    expect(await statuses(15, () => place.call(operation))).toEqual(times(15, 429));
    noted(await place.call(operation));
    await place.sandbox.clock.advance({ seconds: 30 });
    expect((await place.call(operation)).status).toBe(after);
    await place.sandbox.clock.advance({ seconds: 60 });
    expect((await place.call(operation)).status).toBe(200);
  };
}

function processedMp4RateLimit(limit: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open(still);
    const ask = () =>
      call('get-live-event-session-processed-mp4', { liveEventSessionId: sessions.oneSource });
    expect(await statuses(limit, ask)).toEqual(times(limit, 200));
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(failureOf(refused)).toContain(`is exceeded: ${limit} calls per 60 s`);
    noted(refused);
  };
}

export const limits = {
  throttleReply: {
    'http-429': throttleReply(429),
    'http-503': throttleReply(503),
    'http-403': throttleReply(403),
    'output-error': async (reading) => {
      await throttleReply(200)(reading);
      const place = await reading.open(still);
      await overLimit(place);
      const outputs = outputsOf(await place.batch(operation, [{}, {}, {}]));
      expect(outputs.map(({ status }) => status)).toEqual(['error', 'error', 'error']);
    },
  },
  retryAfter: {
    seconds: retryAfter('48'),
    'http-date': retryAfter('Fri, 20 Nov 2026 10:01:00 GMT'),
    none: retryAfter(undefined),
  },
  rateLimitHeaders: {
    none: async ({ open }) => {
      const place = await open(still);
      expect([
        shownLimits(await place.call(operation)),
        shownLimits(await overLimit(await open(still))),
      ]).toEqual([{}, {}]);
    },
    ietf: async ({ open, noted }) => {
      const place = await open(still);
      const reply = await place.call(operation);
      expect(shownLimits(reply)).toEqual({
        'ratelimit-policy': '"get-all-instructors";q=15;w=60',
        ratelimit: '"get-all-instructors";r=14;t=60',
      });
      noted(reply);
    },
    ratelimit: async ({ open, noted }) => {
      const place = await open(still);
      const reply = await place.call(operation);
      expect(shownLimits(reply)).toEqual({
        'ratelimit-limit': '15',
        'ratelimit-remaining': '14',
        'ratelimit-reset': '60',
      });
      noted(reply);
      const refused = await overLimit(await open(still));
      expect(shownLimits(refused)).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': '60' });
      expect(refused.headers['retry-after']).toBe('60');
    },
    'x-ratelimit': async ({ open, noted }) => {
      const place = await open(still);
      const reply = await place.call(operation);
      expect(shownLimits(reply)).toEqual({
        'x-ratelimit-limit': '15',
        'x-ratelimit-remaining': '14',
        'x-ratelimit-reset': '60',
      });
      noted(reply);
    },
  },
  rateLimitWindow: {
    'fixed-from-first': rateLimitWindow(40, 15),
    'fixed-aligned': rateLimitWindow(10, 15),
    sliding: rateLimitWindow(40, 1),
  },
  rateLimitScope: {
    'key-and-operation': rateLimitScope({ sameSchool: false, otherSchool: false }),
    'school-and-operation': rateLimitScope({ sameSchool: true, otherSchool: false }),
    'address-and-operation': rateLimitScope({ sameSchool: true, otherSchool: true }),
  },
  rateLimitUnit: {
    request: async ({ open, noted }) => {
      const { batch } = await open(still);
      expect(await statuses(15, () => batch(operation, times(10, {})))).toEqual(times(15, 200));
      const refused = await batch(operation, times(10, {}));
      expect(refused.status).toBe(429);
      noted(refused);
    },
    element: async ({ open, noted }) => {
      const { batch } = await open(still);
      expect((await batch(operation, times(10, {}))).status).toBe(200);
      const refused = await batch(operation, times(6, {}));
      expect(refused.status).toBe(429);
      noted(refused);
      expect((await batch(operation, times(5, {}))).status).toBe(200);
      const hopeless = await batch(operation, times(16, {}));
      expect({ status: hopeless.status, after: hopeless.headers['retry-after'] }).toEqual({
        status: 429,
        after: undefined,
      });
      expect(failureOf(hopeless)).toContain(
        'A batch of 16 elements always exceeds it; send at most 15 per call.',
      );
    },
  },
  refusedCallsCount: { no: refusedCallsCount(200), yes: refusedCallsCount(429) },
  processedMp4RateLimit: {
    '60': processedMp4RateLimit(60),
    '15': processedMp4RateLimit(15),
    none: async ({ open, noted }) => {
      const { call } = await open(still);
      const ask = () =>
        call('get-live-event-session-processed-mp4', { liveEventSessionId: sessions.oneSource });
      expect(await statuses(61, ask)).toEqual(times(61, 200));
      noted(await ask());
    },
  },
} satisfies Partial<OptionTests>;

testOptions(limits);
