import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import type { NewSandbox } from '../../src/index.ts';
import { quiz } from '../support/demo.ts';
import { send } from '../support/send.ts';
import { failureOf, world } from '../support/world.ts';

const still: NewSandbox = { clock: { mode: 'frozen', now: '2026-11-20T10:00:00.000Z' } };

/** The table of the specification's section Limits, read anew: operations, and how many calls a minute. */
function specifiedLimits(): readonly (readonly [operation: string, limit: string])[] {
  const text = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');
  const rows = text.slice(text.indexOf('## Limits')).matchAll(/^\| ([a-z0-9, -]+) \| (\d+|not shown) \|$/gm);
  return [...rows].flatMap(([, names = '', limit = '']) =>
    names.split(', ').map((name) => [name, limit] as const),
  );
}

const limits = specifiedLimits();
const given = limits.flatMap(([operation, limit]) =>
  limit === 'not shown' ? [] : [[operation, Number(limit)] as const],
);

async function statuses(
  count: number,
  call: () => PromiseLike<{ readonly status: number }>,
): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let made = 0; made < count; made += 1) seen.push((await call()).status);
  return seen;
}

function times(count: number, status: number): readonly number[] {
  return Array.from({ length: count }, () => status);
}

describe("the specification's limits", () => {
  // That every operation has one is a test of the contract (test/contract/served-document.test.ts).
  it('are those of operations, and some are given', () => {
    expect(operationNames).toEqual(expect.arrayContaining(limits.map(([operation]) => operation)));
    expect(given).not.toEqual([]);
  });

  it.each(given)(
    'let %s through %i times a minute, and not once more, until the minute is over',
    { tags: ['slow'] },
    async (operation, limit) => {
      const { url, call, sandbox } = await world(still);
      const key = { 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
      const many = () => send(`${url}/public/${operation}`, key, { data: [{ data: {} }] });
      expect(await statuses(limit, many)).toEqual(times(limit, 200));
      const refused = await call(operation);
      expect({ status: refused.status, after: refused.headers['retry-after'] }).toEqual({
        status: 429,
        after: '60',
      });
      expect(failureOf(refused)).toBe(
        `The rate limit of ${operation} is exceeded: ${limit} calls per 60 s, by key and operation, window fixed-from-first. Try again in 60 s.`,
      );
      await sandbox.clock.set({ mode: 'frozen', now: '2026-11-20T10:00:59.999Z' });
      expect((await call(operation)).status).toBe(429);
      await sandbox.clock.set({ mode: 'frozen', now: '2026-11-20T10:01:00.000Z' });
      expect(await statuses(limit + 1, many)).toEqual([...times(limit, 200), 429]);
    },
  );

  it.each([
    ['get-all-live-events', 15],
    ['get-quiz-details', 60],
  ])('admit of calls to %s that come all at once exactly %i', async (operation, limit) => {
    const { call, sandbox } = await world(still);
    const replies = await Promise.all(
      Array.from({ length: limit + 12 }, () => call(operation, { quizId: quiz.id })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(12);
    expect(await sandbox.journal.list({ outcome: 'throttled' })).toHaveLength(12);
  });
});

describe('a limit that is used up', () => {
  it('keeps out one key at one operation, and nobody else', async () => {
    const { call } = await world(still);
    const elsewhere = await world(still);
    await statuses(15, () => call('get-all-instructors'));
    expect((await call('get-all-instructors')).status).toBe(429);
    expect((await call('get-all-live-events')).status).toBe(200);
    expect((await call('get-all-instructors', {}, 'hillcrest')).status).toBe(200);
    expect((await elsewhere.call('get-all-instructors')).status).toBe(200);
  });

  it('is used up by calls of every kind that carry the key: failed, malformed and empty ones too', async () => {
    const { call, batch, post, sandbox } = await world(still);
    await statuses(13, () => call('get-all-instructors'));
    const malformed = await post('get-all-instructors')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: 'none' });
    expect([malformed.status, (await batch('get-all-instructors', [])).status]).toEqual([400, 200]);
    expect((await call('get-all-instructors')).status).toBe(429);
  });

  it('lets nothing take effect', { tags: ['slow'] }, async () => {
    const { call, sandbox } = await world(still);
    await statuses(60, () => call('create-instructor-account'));
    const before = await sandbox.state.list('instructors');
    expect(
      (await call('create-instructor-account', { instructorEmail: 'new.teacher@riverside-academy.example' }))
        .status,
    ).toBe(429);
    expect(await sandbox.state.list('instructors')).toEqual(before);
  });

  it('starts anew with the sandbox', { tags: ['slow'] }, async () => {
    const { call, sandbox } = await world(still);
    await statuses(16, () => call('get-all-instructors'));
    await sandbox.reset();
    expect(await statuses(16, () => call('get-all-instructors'))).toEqual([...times(15, 200), 429]);
  });

  it.each(['fixed-from-first', 'fixed-aligned', 'sliding'] as const)(
    'does not outlast a clock that is set back, where the window is %s and refused calls count',
    async (rateLimitWindow) => {
      const { call, sandbox } = await world({
        ...still,
        assumptions: { rateLimitWindow, refusedCallsCount: 'yes' },
      });
      await statuses(20, () => call('get-all-instructors'));
      await sandbox.clock.set({ mode: 'frozen', now: '2026-11-19T10:00:00.000Z' });
      expect((await call('get-all-instructors')).status).toBe(200);
    },
  );

  it.each(['fixed-from-first', 'fixed-aligned', 'sliding'] as const)(
    'still counts all calls after the clock was set back by a millisecond, where the window is %s',
    async (rateLimitWindow) => {
      const { call, sandbox } = await world({ ...still, assumptions: { rateLimitWindow } });
      await sandbox.limits.set({ operations: { 'get-quiz-details': 3 } });
      const send = () => call('get-quiz-details', { quizId: quiz.id });
      expect(await statuses(4, send)).toEqual([...times(3, 200), 429]);
      await sandbox.clock.set({ mode: 'frozen', now: '2026-11-20T09:59:59.999Z' });
      const { operations } = await sandbox.limits.read();
      expect(operations['get-quiz-details']?.counters).toMatchObject([{ used: 3 }]);
      expect((await send()).status).toBe(429);
    },
  );

  it('is used up by what is refused too, in a fixed window of elements, where refused calls count', async () => {
    const { batch } = await world({
      ...still,
      assumptions: { rateLimitUnit: 'element', refusedCallsCount: 'yes' },
    });
    const send = async (elements: number) =>
      (
        await batch(
          'get-all-instructors',
          Array.from({ length: elements }, () => ({})),
        )
      ).status;
    expect([await send(10), await send(6), await send(5)]).toEqual([200, 429, 429]);
  });
});
