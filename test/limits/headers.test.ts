import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import type { NewSandbox, PartialOptions } from '../../src/index.ts';
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
