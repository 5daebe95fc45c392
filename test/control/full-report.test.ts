import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import type { Report } from '../../src/report/report.ts';
import { expectFits } from '../support/control.ts';
import { supertest } from '../support/supertest.ts';

/** A server of its own, as others use the one of all tests, and how to call it. */
async function served() {
  const server = await startSandbox({ port: 0 });
  onTestFinished(() => server.close());
  const call = (sandbox: string, quizId: unknown) =>
    supertest(server.url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', `sbx_${sandbox}_riverside`)
      .send({ data: [{ data: { quizId } }] });
  const get = (suffix: string) => supertest(server.url).get(`/control/report${suffix}`);
  const report = async (): Promise<Report> => (await get('')).body as Report;
  return { server, call, get, report };
}

describe('the report over all sandboxes', () => {
  it('merges the reports of all sandboxes with calls', { tags: ['slow'] }, async () => {
    const { server, call, report } = await served();
    await server.createSandbox({ id: 'unused' });
    await call('one', 'unknown');
    await call('one', 7);
    await call('two', 7);
    const all = await report();
    expectFits('Report', all);
    expect(all).toMatchObject({ sandbox: 'one, two', calls: 3 });
    expect(all.violations).toMatchObject([{ count: 2, requestIds: ['one-2', 'two-1'] }]);
    expect(all.situations.met).toBe(1);
  });

  it('is empty without calls, and without those of a sandbox that was deleted', async () => {
    const { server, call, report } = await served();
    expect(await report()).toMatchObject({ sandbox: 'default', calls: 0 });
    await call('one', 'unknown');
    await supertest(server.url).delete('/control/sandboxes/one');
    expect(await report()).toMatchObject({ sandbox: 'default', calls: 0 });
  });

  it('names the first ten sandboxes, and counts the others', { tags: ['slow'] }, async () => {
    const { call, report } = await served();
    for (let number = 1; number <= 12; number += 1) await call(`s${number}`, 'unknown');
    expect(await report()).toMatchObject({
      sandbox: 's1, s2, s3, s4, s5, s6, s7, s8, s9, s10 and 2 more',
      calls: 12,
    });
  });

  it.each([
    ['.json', 'application/json; charset=utf-8', '"sandbox": "one"'],
    ['.html', 'text/html; charset=utf-8', '<title>Report on the client of sandbox one</title>'],
    ['.junit.xml', 'application/xml; charset=utf-8', '<testsuites '],
    ['.md', 'text/markdown; charset=utf-8', '### '],
  ])('has the formats of other reports: %s', async (suffix, type, text) => {
    const { call, get } = await served();
    await call('one', 7);
    const reply = await get(suffix);
    expect(reply.headers['content-type']).toBe(type);
    expect(reply.text).toContain(text);
  });

  it(
    'lists the 500 most frequent of very many kinds of violations, and counts the others',
    { tags: ['slow'] },
    async () => {
      const { server, report } = await served();
      for (const sandbox of ['one', 'two'])
        for (let from = 0; from < 400; from += 50)
          await supertest(server.url)
            .post('/public/get-quiz-details')
            .set('SERVICE-API-KEY', `sbx_${sandbox}_riverside`)
            .send({
              data: Array.from({ length: 50 }, (_, index) => ({
                data: { quizId: from + index + (sandbox === 'one' ? 0 : 300) },
              })),
            });
      const { violations, unlisted } = await report();
      expect(violations).toHaveLength(500);
      expect(violations.slice(0, 101).map(({ count }) => count)).toEqual([...Array<number>(100).fill(2), 1]);
      expect(unlisted?.violations).toEqual({ kinds: 200, count: 200 });
    },
  );

  it.each(['', '.html', '.junit.xml'])(
    '%s refuses an unknown threshold and an unknown parameter',
    async (suffix) => {
      const { get } = await served();
      const wrong = await get(`${suffix}?failOn=violatons`);
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('violations')]);
      const unknown = await get(`${suffix}?failon=violations`);
      expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('failOn')]);
    },
  );

  it('is one text for all clients that wait for it', { tags: ['slow'] }, async () => {
    const { call, get } = await served();
    await call('one', 7);
    const texts = await Promise.all(Array.from({ length: 20 }, () => get('.html')));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(texts[0]?.text).toContain('get-quiz-details');
  });
});
