import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { world, type World } from '../support/world.ts';

/** A client that calls two operations, gets some things wrong, and meets a fault. */
async function used(): Promise<World> {
  const own = await world();
  await own.call('get-quiz-details', { quizId: quiz.id });
  await own.call('get-quiz-details', { quizId: 7 });
  await own.batch('get-quiz-details', [{ quizId: quiz.id }, { quizId: 7 }]);
  await own.call('get-quiz-details', { quizId: 'unknown' });
  await own.call('list-assignments', { note: 'fault.throttled' });
  await own
    .post('list-assignments')
    .set('SERVICE-API-KEY', own.sandbox.apiKey('riverside'))
    .send({ dta: [] });
  return own;
}

async function page(
  { url, sandbox }: World,
  suffix: string,
): Promise<{ status: number; type: string | null; text: string }> {
  const reply = await fetch(`${url}/control/sandboxes/${sandbox.id}/report${suffix}`);
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
}

describe('the report', () => {
  it('counts the calls of every operation by their outcomes, those that were never called too', async () => {
    const { sandbox } = await used();
    const { coverage, neverCalled, calls } = await sandbox.report();
    expect(calls).toBe(6);
    expect(coverage.map(({ operation }) => operation)).toEqual(operationNames);
    expect(coverage.filter((one) => one.calls > 0)).toMatchObject([
      { operation: 'get-quiz-details', calls: 4, outcomes: { ok: 1, 'element-error': 3 } },
      { operation: 'list-assignments', calls: 2, outcomes: { fault: 1, malformed: 1 } },
    ]);
    expect(neverCalled).toHaveLength(operationNames.length - 2);
  });

  it('tells which faults the client met', async () => {
    const { sandbox } = await used();
    expect((await sandbox.report()).faultsMet).toEqual({ throttled: 1 });
  });

  it('does not count a fault that a test requests in place of a date, but a date in the wrong form', async () => {
    const { call, sandbox } = await world();
    await call('update-digital-product-coupon', { expireAtIsoString: 'fault.delay.1', description: 7 });
    const pointers = async (): Promise<readonly string[]> =>
      (await sandbox.report()).violations.map(({ pointer }) => pointer);
    expect(await pointers()).not.toContain('/data/*/data/expireAtIsoString');
    expect(await pointers()).toContain('/data/*/data/description');
    await call('update-digital-product-coupon', { expireAtIsoString: 'tomorrow' });
    expect(await pointers()).toContain('/data/*/data/expireAtIsoString');
  });

  it('tells each mistake once, with the requests that made it, the most frequent first', async () => {
    const { sandbox } = await used();
    const { violations } = await sandbox.report();
    expect(violations).toMatchObject([
      {
        operation: 'get-quiz-details',
        pointer: '/data/*/data/quizId',
        count: 2,
        requestIds: [`${sandbox.id}-2`, `${sandbox.id}-3`],
      },
      { operation: 'list-assignments', pointer: '/data', count: 1, requestIds: [`${sandbox.id}-6`] },
    ]);
    expect(violations[0]?.message).toBe('must be a string, but is the number 7.');
  });

  it('says nothing of a client that did nothing', async () => {
    const { sandbox } = await world();
    expect(await sandbox.report()).toMatchObject({
      calls: 0,
      from: null,
      to: null,
      violations: [],
      faultsMet: {},
    });
  });

  it('outlives calls with parameters that are nested deeper than recursive functions can go', async () => {
    const { sandbox, url } = await world();
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    const parameters = [
      ['update-digital-product-coupon', `"couponTypeData":{"type":${deep}}`],
      ['submit-user-course-item', `"details":{"courseItemType":${deep}}`],
      ['list-assignments', `"courseIdentifier":{"type":${deep}}`],
      ['get-quiz-details', `"quizId":${deep}`],
      ['get-all-instructors', `"note":${deep}`],
    ];
    for (const [operation, text] of parameters)
      await supertest(url)
        .post(`/public/${operation}`)
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .set('Content-Type', 'application/json')
        .send(`{"data":[{"data":{${text}}}]}`);
    // The journal stores all of it.
    expect((await sandbox.journal.list()).map(({ cut }) => cut.request)).toEqual(parameters.map(() => 0));
    expect((await sandbox.report()).calls).toBe(parameters.length);
  });

  it('begins anew when the journal is emptied', async () => {
    const { sandbox } = await used();
    await sandbox.journal.clear();
    expect((await sandbox.report()).calls).toBe(0);
  });
});

describe('a rendering of the report', () => {
  it.each([
    ['.md', 'text/markdown; charset=utf-8'],
    ['.html', 'text/html; charset=utf-8'],
    ['.junit.xml', 'application/xml; charset=utf-8'],
  ])('%s names every operation and every mistake', async (suffix, type) => {
    const { text, type: answered } = await page(await used(), suffix);
    expect(answered).toBe(type);
    for (const operation of operationNames) expect(text).toContain(operation);
    expect(text).toContain('must be a string, but is the number 7.');
  });

  it('shows what a client sent as text, never as markup', async () => {
    const own = await world({ assumptions: { unknownFields: 'refuse' } });
    await own.call('get-quiz-details', { quizId: quiz.id, '<script>alert(1)</script>': 1 });
    for (const suffix of ['.html', '.junit.xml']) {
      const { text } = await page(own, suffix);
      expect(text).not.toContain('<script>');
      expect(text).toContain('&lt;script&gt;');
    }
  });

  it(
    '.junit.xml fails only what the query asks for, which has to be something that there is',
    { tags: ['slow'] },
    async () => {
      const own = await used();
      expect((await page(own, '.junit.xml')).text).not.toContain('<failure');
      expect((await page(own, '.junit.xml?failOn=violations')).text).toContain('type="contract-violation"');
      const { status, text } = await page(own, '.junit.xml?failOn=violation');
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({
        violations: [
          { pointer: '/failOn', message: expect.stringContaining('Did you mean "violations"?') as unknown },
        ],
      });
      expect((await page(own, '.junit.xml?failOn=conduct&failOn=violations')).status).toBe(400);
    },
  );

  it('that there is not, is not there', async () => {
    const { status, text } = await page(await world(), '.pdf');
    expect({ status, title: JSON.parse(text).title as unknown }).toEqual({ status: 404, title: 'Not Found' });
  });
});

describe('very many kinds of violations', () => {
  it(
    'are listed up to the 500 most frequent, and the others are counted in every rendering',
    { tags: ['slow'] },
    async () => {
      const own = await world();
      const { sandbox, batch } = own;
      const wrong = (from: number, length: number) =>
        batch(
          'get-quiz-details',
          Array.from({ length }, (_, index) => ({ quizId: from + index })),
        );
      for (let from = 0; from < 600; from += 50) await wrong(from, 50);
      await wrong(590, 10);
      const report = await sandbox.report();
      expect(report.violations).toHaveLength(500);
      expect(report.violations.slice(0, 10).map(({ count }) => count)).toEqual(
        Array.from({ length: 10 }, () => 2),
      );
      expect(report.unlisted).toEqual({
        violations: { kinds: 100, count: 100 },
        responseViolations: { kinds: 0, count: 0 },
      });
      const rest = 'And 100 more kinds (100 violations), none more frequent than the last one listed.';
      for (const suffix of ['.html', '.junit.xml', '.md'])
        expect((await page(own, suffix)).text).toContain(rest);
      expect((await page(own, '.html')).text).toContain('610 violations');
    },
  );
});
