import { describe, expect, it } from 'vitest';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import type { ComparePlan } from '../../src/upstream/compare/compare.ts';
import type { Change } from '../calibrate/second-sandbox.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();

const reading: Partial<ComparePlan> = {
  calls: exampleCalls(),
  allowsWrites: false,
  probes: null,
  exceedsLimits: false,
};

const replies = {
  'http-503': () => Response.json({ message: 'Slow down' }, { status: 503 }),
  'http-403': () => Response.json({ message: 'Slow down' }, { status: 403 }),
  'output-error': () => Response.json([{ output: { status: 'error', errorMessage: 'Slow down' } }]),
} as const;

const beginning = Date.parse('2026-11-20T10:00:00.000Z');

/** Counts the calls of a service that throttles some of them until a second of the run. */
function throttling(form: keyof typeof replies, until: number, isLimited: (operation: string) => boolean) {
  let count = 0;
  const change: Change = (sent, reply) => {
    const second = (Date.parse(reply.headers.get('date') ?? '') - beginning) / 1000;
    const isKnown = !/wrong|unknown/.test(sent.url) && reply.status !== 401;
    if (second >= until || !isKnown || !isLimited(sent.url.split('/').at(-1) ?? '')) return reply;
    count += 1;
    return replies[form]();
  };
  return { change, count: () => count };
}

describe.each(Object.keys(replies) as (keyof typeof replies)[])(
  'lp-sandbox compare after calibrate, with a service that throttles with %s and no Retry-After,',
  (throttleReply) => {
    const options = { throttleReply, retryAfter: 'none' } as const;

    it.each([
      ['every call', () => true],
      ['one operation', (operation: string) => operation === 'get-all-instructors'],
    ])('waits once until no earlier call counts: %s', async (_, isLimited) => {
      const { change, count } = throttling(throttleReply, 60, isLimited);
      const { differences } = await two.compared(options, options, reading, change);
      expect(differences).toEqual([]);
      expect(count()).toBeLessThanOrEqual(1);
    });

    it('gives up after that wait, and says what it received and what to do', async () => {
      const { change } = throttling(throttleReply, Infinity, () => true);
      const report = two.compared(options, options, reading, change);
      const received = { 'http-503': 'is down', 'http-403': 'throttles', 'output-error': 'throttles' };
      await expect(report).rejects.toThrow(
        new RegExp(
          `${received[throttleReply]}.*"Slow down"\\. The service throttles calls in this way \\(throttleReply: ${throttleReply}\\), but .* set a larger --pace\\. Run this command again later\\.$`,
        ),
      );
    });
  },
);
