import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import type { NewSandbox, PartialOptions } from '../../src/index.ts';
import { completed, learner } from '../support/demo.ts';
import { world } from '../support/world.ts';

const operation = 'get-all-live-events';

function under(assumptions: PartialOptions): NewSandbox {
  return { clock: { mode: 'frozen', now: '2026-11-20T10:00:10.000Z' }, assumptions };
}

/** Remaining, and seconds to the reset, as each form tells them. */
function told({ headers }: Response): readonly [remaining: string, reset: string] {
  const [, remaining, reset] =
    /^"get-all-live-events";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? [];
  return [
    String(remaining ?? headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining']),
    String(reset ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset']),
  ];
}

describe.each(['ietf', 'ratelimit', 'x-ratelimit'] as const)(
  'the headers about the limit, as %s',
  (rateLimitHeaders) => {
    it('name the limit on every reply', async () => {
      const { call, batch } = await world(under({ rateLimitHeaders }));
      for (const { headers } of [await call(operation), await batch(operation, [])]) {
        const policy: unknown = headers['ratelimit-policy'];
        const limit: unknown = headers[`${rateLimitHeaders}-limit`];
        expect({ policy, limit }).toEqual(
          rateLimitHeaders === 'ietf'
            ? { policy: '"get-all-live-events";q=15;w=60', limit: undefined }
            : { policy: undefined, limit: '15' },
        );
      }
    });

    it('count down call by call and second by second, part seconds rounded up', async () => {
      const { call, sandbox } = await world(under({ rateLimitHeaders }));
      expect(told(await call(operation))).toEqual(['14', '60']);
      await sandbox.clock.set({ mode: 'frozen', now: '2026-11-20T10:00:30.250Z' });
      expect(told(await call(operation))).toEqual(['13', '40']);
      for (let left = 12; left >= 0; left -= 1)
        expect(told(await call(operation))).toEqual([String(left), '40']);
      const refused = await call(operation);
      expect({ status: refused.status, after: refused.headers['retry-after'] }).toEqual({
        status: 429,
        after: '40',
      });
      expect(told(refused)).toEqual(['0', '40']);
      await sandbox.clock.set({ mode: 'frozen', now: '2026-11-20T10:01:10.000Z' });
      expect(told(await call(operation))).toEqual(['14', '60']);
    });

    it('follow the minute of the clock where that is the window', async () => {
      const { call } = await world(under({ rateLimitHeaders, rateLimitWindow: 'fixed-aligned' }));
      expect(told(await call(operation))).toEqual(['14', '50']);
    });

    it('tell, where the window slides, when the oldest call no longer counts', async () => {
      const { call, sandbox } = await world(under({ rateLimitHeaders, rateLimitWindow: 'sliding' }));
      await call(operation);
      await sandbox.clock.advance({ seconds: 45 });
      expect(told(await call(operation))).toEqual(['13', '15']);
      await sandbox.clock.advance({ seconds: 15 });
      expect(told(await call(operation))).toEqual(['13', '45']);
    });

    it('count elements where elements are what is limited', async () => {
      const { batch } = await world(under({ rateLimitHeaders, rateLimitUnit: 'element' }));
      expect(told(await batch(operation, [{}, {}, {}, {}]))).toEqual(['11', '60']);
    });

    it('are on no call whose key names no school, and on none without a limit', async () => {
      const { call, post, sandbox } = await world(under({ rateLimitHeaders, processedMp4RateLimit: 'none' }));
      const stranger = await post(operation)
        .set('SERVICE-API-KEY', `sbx_${sandbox.id}_nowhere`)
        .send({ data: [] });
      for (const { headers } of [stranger, await call('get-live-event-session-processed-mp4')]) {
        expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
      }
    });
  },
);

const forms = ['ietf', 'ratelimit', 'x-ratelimit'] as const;
const quizzes = 'get-quiz-details';

/** The requests that are refused after they were counted, by the status of the refusal. */
const refusedRequests: readonly (readonly [status: number, PartialOptions, body: object])[] = [
  [400, {}, {}],
  [400, { invalidParameters: 'http-400' }, { data: [{ data: {} }] }],
  [404, { unknownId: 'http-404' }, { data: [{ data: { quizId: 'x' } }] }],
  [413, { maxPayload: '100kb' }, { data: [{ data: { quizId: 'x'.repeat(102_400) } }] }],
  [422, { invalidParameters: 'http-422' }, { data: [{ data: {} }] }],
];

// The contract's test of every reply compares its headers (test/support/contract.ts).
describe.each(forms)('the contract describes the headers about the limit, as %s', (rateLimitHeaders) => {
  it.each(['http-429', 'http-503', 'http-403', 'output-error'] as const)(
    'of throttled calls under %s',
    async (throttleReply) => {
      const { call, sandbox } = await world(under({ rateLimitHeaders, throttleReply }));
      await sandbox.limits.set({ operations: { [operation]: 1 } });
      await call(operation);
      const { headers } = await call(operation);
      expect(headers).toHaveProperty('retry-after');
      expect(Object.keys(headers).join()).toMatch(/ratelimit/);
    },
  );

  it.each(refusedRequests)('of calls that are refused with %i under %j', async (status, options, body) => {
    const { post, sandbox } = await world(under({ rateLimitHeaders, ...options }));
    const reply = await post(quizzes).set('SERVICE-API-KEY', sandbox.apiKey('riverside')).send(body);
    expect(reply.status).toBe(status);
    expect(Object.keys(reply.headers).join()).toMatch(/ratelimit/);
  });

  it('of calls that are refused with 415', async () => {
    const { post, sandbox } = await world(under({ rateLimitHeaders }));
    const request = post(quizzes).set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
    const reply = await request.set('Content-Type', 'text/plain').send('x');
    expect(reply.status).toBe(415);
    expect(Object.keys(reply.headers).join()).toMatch(/ratelimit/);
  });

  it('of calls that conflict', async () => {
    const options = { resubmission: 'refuse-after-completion', operationFailureStatus: 'by-kind' } as const;
    const { call } = await world(under({ rateLimitHeaders, ...options }));
    const parameters = { courseItemId: completed.itemId, userId: learner.id, shouldMarkAsCompleted: true };
    await call('submit-user-course-item', parameters);
    const reply = await call('submit-user-course-item', parameters);
    expect(reply.status).toBe(409);
    expect(Object.keys(reply.headers).join()).toMatch(/ratelimit/);
  });
});
