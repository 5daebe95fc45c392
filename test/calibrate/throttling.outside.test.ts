import { describe, expect, it } from 'vitest';
import type { AssumptionName, PartialOptions } from '../../src/assumptions.ts';
import type { Calibration } from '../../src/upstream/calibrate/calibrate.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

const ofLimits = [
  'throttleReply',
  'retryAfter',
  'rateLimitWindow',
  'rateLimitScope',
  'rateLimitUnit',
  'processedMp4RateLimit',
] as const;

function optionsIn(done: Calibration, names: readonly AssumptionName[] = ofLimits) {
  return names.map((name) => verdictOn(name, done).option);
}

/** Calibrates a service that sends another reply to some calls of an operation, by their number. */
function withOdd(
  operation: string,
  isOdd: (number: number) => boolean,
  odd: () => Response,
  chosen: Parameters<typeof second.calibrated>[0] = {},
) {
  let count = 0;
  return second.calibrated(chosen, {
    change: (sent, reply) => {
      if (!sent.url.endsWith(`/${operation}`)) return reply;
      count += 1;
      return isOdd(count) ? odd() : reply;
    },
  });
}

function badGateway(): Response {
  return new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } });
}

function unavailable(): Response {
  return Response.json([{ output: { status: 'error', errorMessage: 'x' } }], { status: 503 });
}

const found = ['http-429', 'seconds', 'fixed-from-first', 'key-and-operation', 'request', '60'];

describe('a stray server error', () => {
  // The probe makes the fourth call of get-all-instructors and those after it.
  it.each([5, 17, 18, 19, 20, 23, 24])(
    'among the calls of rate-limit does not change what is found: call %i',
    async (number) => {
      const done = await withOdd('get-all-instructors', (one) => one === number, badGateway);
      expect(optionsIn(done)).toEqual(found);
    },
  );

  it('that looks like a throttled response is recognized because it does not come again', async () => {
    const done = await withOdd('get-all-instructors', (one) => one === 12, unavailable, {
      throttleReply: 'http-503',
    });
    expect(optionsIn(done)).toEqual(['http-503', ...found.slice(1)]);
  });

  it.each([1, 28])('among the calls of mp4-limit is no limit: call %i', async (number) => {
    const operation = 'get-live-event-session-processed-mp4';
    const done = await withOdd(operation, (one) => one === number, badGateway);
    expect(optionsIn(done)).toEqual(found);
  });

  it('in both attempts leaves the limits open, without false evidence', async () => {
    const done = await withOdd('get-all-instructors', (one) => one > 3 && one % 7 === 0, badGateway);
    expect(optionsIn(done)).toEqual([null, null, null, null, 'request', '60']);
    expect(verdictOn('rateLimitWindow', done)).toMatchObject({
      evidence: [],
      why: expect.stringMatching(
        /^rate-limit: the service returned server errors or dropped connections in between/,
      ),
    });
  });
});

/** A service that throttles an operation after some calls within a minute. */
function limitedTo(most: number, isLimited: (operation: string) => boolean, more: object = {}) {
  const made = new Map<string, readonly number[]>();
  return second.calibrated(
    {},
    {
      ...more,
      change: (sent, reply) => {
        const operation = sent.url.split('/').at(-1) ?? '';
        const at = Date.parse(reply.headers.get('date') ?? '');
        const before = (made.get(operation) ?? []).filter((one) => one > at - 60_000);
        if (!isLimited(operation)) return reply;
        if (before.length >= most) {
          const headers = {
            Date: new Date(at).toUTCString(),
            'Retry-After': new Date(at + 60_000).toUTCString(),
          };
          return Response.json({ message: 'Slow down' }, { status: 429, headers });
        }
        made.set(operation, [...before, at]);
        return reply;
      },
    },
  );
}

describe('a service that has one error for all elements of a throttled call', () => {
  it('shows what it counts', async () => {
    const done = await second.calibrated(
      { throttleReply: 'output-error', rateLimitUnit: 'element' },
      {
        change: async (_, reply) => {
          const text = await reply.text();
          const outputs: unknown = text.startsWith('[') ? JSON.parse(text) : null;
          const isOne =
            Array.isArray(outputs) &&
            outputs.length === 2 &&
            !text.includes('"ok"') &&
            reply.headers.has('retry-after');
          return new Response(isOne ? JSON.stringify(outputs.slice(1)) : text || null, reply);
        },
      },
    );
    expect(optionsIn(done, ['throttleReply', 'rateLimitUnit'])).toEqual(['output-error', 'element']);
  });
});

describe('a limit below the documented one', () => {
  it('shows how the service throttles, in the probe that exceeds it', async () => {
    const done = await limitedTo(6, (operation) => operation === 'get-all-instructors');
    expect(optionsIn(done).slice(0, 3)).toEqual(['http-429', 'http-date', null]);
    expect(verdictOn('rateLimitWindow', done).why).toMatch(
      /^rate-limit: the limit is lower than the documented one: call 7 of 15 within a minute returned HTTP 429/,
    );
  });

  it('shows how the service throttles where any call meets it, and the pace adapts', async () => {
    const done = await limitedTo(3, (operation) => operation === 'get-instructor-permission-presets', {
      leftOut: ({ name }: { readonly name: string }) => (name.endsWith('-limit') ? 'left out' : null),
    });
    expect(optionsIn(done).slice(0, 2)).toEqual(['http-429', 'http-date']);
    expect(verdictOn('throttleReply', done).evidence[0]).toBe(
      'a throttled call: HTTP 429, application/json: "Slow down"',
    );
    // Only the form of the body is another than that of other refusals.
    const because = done.verdicts.filter(({ why }) => why?.includes('HTTP 429') === true);
    expect(because.map(({ name }) => name)).toEqual(['refusalBody', 'gatewayRefusalBody']);
  });
});

describe('a service whose clock is not known', () => {
  const ofTime = ['rateLimitWindow', 'processedMp4RateLimit', 'signedUrlLifetime'] as const;
  const needed = new Set(['live-events', 'instructors', 'recording', 'rate-limit', 'mp4-limit']);

  /** Calibrates a service of several servers that respond in turn, with their Date headers. */
  function withDates(dateOf: (turn: number, at: number) => string | null, chosen: PartialOptions = {}) {
    let turn = 0;
    return second.calibrated(chosen, {
      leftOut: ({ name }) => (needed.has(name) ? null : 'left out'),
      change: (_, reply) => {
        turn += 1;
        const date = dateOf(turn, Date.parse(reply.headers.get('date') ?? ''));
        if (date === null) reply.headers.delete('date');
        else reply.headers.set('date', date);
        return reply;
      },
    });
  }

  it.each(['sliding', 'fixed-from-first', 'fixed-aligned'] as const)(
    'because its servers are 90 s apart leaves open what depends on time: %s',
    async (rateLimitWindow) => {
      const done = await withDates(
        (turn, at) => new Date(at + (turn % 3 === 0 ? -45_000 : 45_000)).toUTCString(),
        { rateLimitWindow, signedUrlLifetime: '5m' },
      );
      expect(optionsIn(done, ofTime)).toEqual([null, null, null]);
      expect(optionsIn(done).slice(0, 2)).toEqual(found.slice(0, 2));
      expect(verdictOn('rateLimitWindow', done).why).toBe(
        'rate-limit: the Date headers of the service differ by 89 s from one reply to another, so the time on its clock is not known',
      );
    },
  );

  it('because it sends no Date leaves open what depends on time', async () => {
    const done = await withDates(() => null);
    expect(optionsIn(done, ofTime)).toEqual([null, null, null]);
    expect(verdictOn('rateLimitWindow', done).why).toBe(
      'rate-limit: the service sends no Date header, so the time on its clock is not known',
    );
  });

  it.each([
    ['1h', 5, '1h', 'a signed URL is valid for 3595 to 3600 s'],
    ['5m', 5, '5m', 'a signed URL is valid for 295 to 300 s'],
    ['15s', 5, null, undefined],
    ['5m', 40, null, undefined],
  ] as const)(
    'leaves the lifetime of signed URLs open only if that matters: %s, its servers are %i s apart',
    async (signedUrlLifetime, seconds, option, evidence) => {
      const done = await withDates((turn, at) => new Date(at + (turn % 2) * seconds * 1000).toUTCString(), {
        signedUrlLifetime,
      });
      const verdict = verdictOn('signedUrlLifetime', done);
      expect([verdict.option, verdict.evidence[0]]).toEqual([option, evidence]);
      expect(optionsIn(done, ['rateLimitWindow'])).toEqual([null]);
    },
  );

  it('to two seconds is steady enough', async () => {
    const done = await withDates((turn, at) => new Date(at + (turn % 3) * 1000).toUTCString());
    expect(optionsIn(done)).toEqual(found);
    expect(optionsIn(done, ['signedUrlLifetime'])).toEqual(['1h']);
  });
});
