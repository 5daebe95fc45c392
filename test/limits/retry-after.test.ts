import * as fc from 'fast-check';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import type { OptionOf } from '../../src/assumptions.ts';
import { world, type World } from '../support/world.ts';
import { Oracle } from './oracle.ts';

/** An operation with the small limit. */
const operation = 'get-all-instructors';
const limit = 15;

/** The oracle goes through a minute moment by moment, so its moments are quarters of a second here. */
const moment = 250;
const minute = 60_000 / moment;
const tenOClock = Date.parse('2026-11-20T10:00:00.000Z') / moment;

interface Step {
  readonly wait: number;
  readonly elements: number;
}

interface Case {
  readonly refusedCallsCount: OptionOf<'refusedCallsCount'>;
  readonly rateLimitUnit: OptionOf<'rateLimitUnit'>;
  /** Moments since ten o'clock. */
  readonly from: number;
  readonly steps: readonly Step[];
  /** The elements of the call that is then repeated until it is refused. */
  readonly last: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  refusedCallsCount: fc.constantFrom('no', 'yes'),
  rateLimitUnit: fc.constantFrom('request', 'element'),
  from: fc.integer({ min: 0, max: minute }),
  steps: fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: minute / 4 }), elements: fc.integer({ min: 1, max: 6 }) }),
    {
      maxLength: 12,
    },
  ),
  last: fc.integer({ min: 1, max: 4 }),
});

function setClock({ sandbox }: World, milliseconds: number): Promise<void> {
  return sandbox.clock.set({ mode: 'frozen', now: new Date(milliseconds).toISOString() });
}

function send({ batch }: World, elements: number): PromiseLike<Response> {
  return batch(
    operation,
    Array.from({ length: elements }, () => ({})),
  );
}

/**
 * Makes the calls of a case, each held against the oracle; the reply that was refused in the end, and when
 * that was.
 */
async function untilRefused(place: World, { from, steps, last, rateLimitUnit }: Case, oracle: Oracle) {
  const costOf = (elements: number): number => (rateLimitUnit === 'element' ? elements : 1);
  let now = tenOClock + from;
  for (const { wait, elements } of steps) {
    now += wait;
    await setClock(place, now * moment);
    expect((await send(place, elements)).status).toBe(oracle.admit(now, costOf(elements)) ? 200 : 429);
  }
  await setClock(place, now * moment);
  for (;;) {
    const reply = await send(place, last);
    const admitted = oracle.admit(now, costOf(last));
    expect(reply.status).toBe(admitted ? 200 : 429);
    if (!admitted) return { reply, now, retryAt: oracle.retryAt(now, costOf(last)) };
  }
}

/**
 * The moment in milliseconds that a Retry-After names; where there is none, the one that the oracle knows.
 */
function comeBack(form: OptionOf<'retryAfter'>, header: unknown, now: number, retryAt: number): number {
  switch (form) {
    case 'seconds':
      expect(header).toBe(String(Math.ceil((retryAt - now) / 1000)));
      return now + Number(header) * 1000;
    case 'http-date':
      expect(header).toBe(new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString());
      return Date.parse(String(header));
    case 'none':
      expect(header).toBeUndefined();
      return retryAt;
  }
}

const settings = (['fixed-from-first', 'fixed-aligned', 'sliding'] as const).flatMap((rateLimitWindow) =>
  (['seconds', 'http-date', 'none'] as const).map((retryAfter) => ({ rateLimitWindow, retryAfter })),
);

describe.each(settings)(
  'where the window is $rateLimitWindow and Retry-After is told as $retryAfter',
  ({ rateLimitWindow, retryAfter }) => {
    it(
      'a caller who waits as told gets through, and one who comes a millisecond before the limit allows it does not',
      { tags: ['slow'] },
      async () => {
        await fc.assert(
          fc.asyncProperty(cases, async (one) => {
            const { refusedCallsCount, rateLimitUnit } = one;
            const place = await world({
              assumptions: { rateLimitWindow, retryAfter, refusedCallsCount, rateLimitUnit },
            });
            const rules = {
              kind: rateLimitWindow,
              length: minute,
              limit,
              refusedCount: refusedCallsCount === 'yes',
            };

            const { reply, now, retryAt } = await untilRefused(place, one, new Oracle(rules));
            if (retryAt === null)
              throw new Error('A batch that fits into the limit is admitted at some time.');
            await setClock(
              place,
              comeBack(retryAfter, reply.headers['retry-after'], now * moment, retryAt * moment),
            );
            expect((await send(place, one.last)).status).toBe(200);

            await place.sandbox.reset();
            await untilRefused(place, one, new Oracle(rules));
            await setClock(place, retryAt * moment - 1);
            expect((await send(place, one.last)).status).toBe(429);
          }),
          { numRuns: 3 },
        );
      },
    );
  },
);
