import { describe, expect, it } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { mergeReports } from '../../src/report/merge.ts';
import { toHtml } from '../../src/report/render/html.ts';
import { toMarkdown } from '../../src/report/render/markdown.ts';
import type { Report } from '../../src/report/report.ts';
import { proxyTo, send, upstreamThat } from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

const quiz = {
  createdAtIso: '2025-09-29 16:05',
  quizTitle: null,
  level: 3,
  questions: [
    { questionId: 'a', type: 'Essay', title: 7, explanation: null, description: 'b', options: [] },
    {
      questionId: 'b',
      type: 'Essay',
      title: 't',
      explanation: null,
      description: 'b',
      options: [],
      tags: [],
    },
  ],
};

/** The report on two calls that return the same data. */
async function reportOn(data: unknown, path = '/public/get-quiz-details'): Promise<Report> {
  const body = JSON.stringify([{ output: { status: 'ok', data } }]);
  const upstream = await upstreamThat((response) => response.writeHead(200, json).end(body));
  const proxy = await proxyTo(upstream.url);
  await send(proxy.url, { path });
  await send(proxy.url, { path });
  return makeReport('default', { entries: proxy.journal(), evicted: 0 });
}

describe('what the service sends beyond the contract', () => {
  it('is in the report, with a count and one place for each kind', async () => {
    const { beyondContract = [] } = await reportOn(quiz);
    expect(
      beyondContract.map(({ kind, place, value, count, example }) => [
        kind,
        place,
        value,
        count,
        example.pointer,
      ]),
    ).toEqual([
      ['value', '/*/output/data/questions/*/type', '"Essay"', 4, '/0/output/data/questions/0/type'],
      ['format', '/*/output/data/createdAtIso', '"9999-99-99 99:99"', 2, '/0/output/data/createdAtIso'],
      ['null', '/*/output/data/quizTitle', null, 2, '/0/output/data/quizTitle'],
      ['field', '/*/output/data/level', null, 2, '/0/output/data/level'],
      ['type', '/*/output/data/questions/*/title', 'integer', 2, '/0/output/data/questions/0/title'],
      ['field', '/*/output/data/questions/*/tags', null, 2, '/0/output/data/questions/1/tags'],
    ]);
    expect(beyondContract[0]).toMatchObject({
      operation: 'get-quiz-details',
      example: { requestId: 'default-1' },
    });
  });

  it('has values of lists that are not closed, too, which are no violations', async () => {
    const video = { createdAt: '2025-09-29T16:05:51Z', status: 'Ready', videoId: 'a', videoTitle: 'b' };
    const data = { totalResults: 1, pageSize: 1, videoData: [video], absoluteFolderPaths: [] };
    const { beyondContract, responseViolations } = await reportOn(data, '/public/get-video-library');
    expect(beyondContract).toMatchObject([{ kind: 'value', value: '"Ready"' }]);
    expect(responseViolations).toEqual([]);
  });

  it('is listed up to a maximum, whatever a service sends', { tags: ['slow'] }, async () => {
    const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f${index}`, 1]));
    expect((await reportOn({ ...fields })).beyondContract).toHaveLength(500);
  });

  it(
    'is in the HTML and the Markdown report, and counts once in a merged one',
    { tags: ['slow'] },
    async () => {
      const report = await reportOn(quiz);
      for (const text of [toHtml(report), toMarkdown(report)]) {
        expect(text).toContain('What the service sends beyond the contract');
        expect(text).toContain('undocumented value');
      }
      const merged = mergeReports([report, report]);
      expect(merged.beyondContract?.[0]?.count).toBe(8);
      expect(merged.latencies).toMatchObject([{ operation: 'get-quiz-details', count: 4 }]);
    },
  );
});

describe('latencies of the service', () => {
  it('are in the report, as median and 99th percentile for each operation', { tags: ['slow'] }, async () => {
    const { latencies = [] } = await reportOn(quiz);
    const [one] = latencies;
    expect(latencies).toMatchObject([{ operation: 'get-quiz-details', count: 2 }]);
    expect(one?.p50Ms).toBeGreaterThan(0);
    expect(one?.p99Ms).toBeGreaterThanOrEqual(one?.p50Ms ?? 0);
  });
});
