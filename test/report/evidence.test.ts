import { beforeAll, describe, expect, it } from 'vitest';
import { excerptOf } from '../../src/report/evidence/excerpt.ts';
import { makeReport, type Report } from '../../src/report/report.ts';
import { renderings } from '../../src/report/render/renderings.ts';
import { all, readHtml, type Element } from '../support/markup.ts';
import { sloppyClient } from '../support/sloppy-client.ts';
import { world } from '../support/world.ts';
import { entriesOf } from './entries.ts';

let report: Report;
let page: Element;

beforeAll(async () => {
  report = await (await sloppyClient()).sandbox.report();
  page = readHtml(renderings['html']?.render(report) ?? '');
});

/** The requests that findings and violations name first. */
function named(): readonly string[] {
  return [
    ...report.violations.flatMap(({ requestIds }) => requestIds.slice(0, 1)),
    ...report.conduct.flatMap(({ findings }) =>
      findings.flatMap(({ evidence }) => evidence.map(({ requestId }) => requestId)),
    ),
  ];
}

describe('the evidence in a report', () => {
  it('is each call that a finding or a violation refers to, once', () => {
    const ids = report.exchanges.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids)).toEqual(new Set(named()));
  });

  it.each(['html', 'md', 'junit.xml'])(
    'is in the rendering, with the mistakes where they are: %s',
    (suffix) => {
      const text = renderings[suffix]?.render(report) ?? '';
      const violation = report.violations.find(({ pointer }) => pointer.endsWith('/quizId'));
      const exchange = report.exchanges.find(({ requestId }) => requestId === violation?.requestIds[0]);
      expect(exchange?.requestMarks.map(({ message }) => message)).toContain(violation?.message);
      expect(text).toContain(`${exchange?.method} ${exchange?.url}`);
      const lines = text.split('\n');
      const at = lines.findIndex((line) => /^\s*(<mark>)?(&quot;|")quizId(&quot;|"): 7/.test(line));
      expect(at, 'the line with the mistake').toBeGreaterThan(0);
      expect(lines.slice(at, at + 2).join(' ')).toContain(violation?.message);
    },
  );

  it('is shown once on the page, where it is first referred to', () => {
    const shown = all(page, 'details').filter(({ attributes }) => attributes['class'] === 'exchange');
    expect(shown).toHaveLength(report.exchanges.length);
    const marks = all(page, 'mark').map(({ text }) => text.trim());
    expect(marks).toContain('"quizId": 7');
  });

  it('has no key in it', async () => {
    const own = await world();
    await own.call('get-quiz-details', { quizId: own.sandbox.apiKey('riverside'), extra: 1 });
    const text = JSON.stringify((await own.sandbox.report()).exchanges);
    expect(text).toContain('service-api-key');
    expect(text).not.toContain(own.sandbox.apiKey('riverside'));
  });

  it('is bounded, with some of each check and operation, whatever a client does', { tags: ['slow'] }, () => {
    const sketches = Array.from({ length: 300 }, (_, index) => ({
      ms: index,
      status: 503,
      faults: ['http-error'],
      scope: `test ${index}`,
    }));
    const entries = entriesOf(sketches).map((entry, index) => ({
      ...entry,
      violations: [{ pointer: `/data/0/data/field${index}`, message: `is wrong (${index}).` }],
      request: JSON.stringify({ data: [{ data: { long: 'x'.repeat(6000) } }] }),
    }));
    const { exchanges } = makeReport('default', { entries, evicted: 0 });
    expect(exchanges.length).toBeGreaterThan(20);
    expect(exchanges.length).toBeLessThanOrEqual(40);
    expect(JSON.stringify(exchanges).length).toBeLessThan(100_000);
  });
});

const wrong = (pointer: string) => ({ pointer, message: 'must be a string.' });

/** The marked line of an excerpt. */
function marked(body: unknown, pointer: string): string | undefined {
  const { text, marks } = excerptOf(JSON.stringify(body), 0, [wrong(pointer)]);
  return text.split('\n')[(marks[0]?.line ?? 0) - 1]?.trim();
}

/** An object with so many fields of one value. */
function grid(fields: number, value: unknown): object {
  return Object.fromEntries(Array.from({ length: fields }, (_, index) => [`a${index}`, value]));
}

describe('an excerpt of a body', () => {
  it('shows the place of a mistake, however far behind', () => {
    const body = { data: Array.from({ length: 100 }, (_, index) => ({ data: { quizId: index } })) };
    expect(marked(body, '/data/77/data/quizId')).toBe('"quizId": 77');
    const { text } = excerptOf(JSON.stringify(body), 0, [wrong('/data/77/data/quizId')]);
    expect(text.split('\n').length).toBeLessThan(20);
    expect(text).toContain('… 75 more');
    expect(text).toContain('… 22 more');
  });

  it('marks what is around a place that is not there, and the whole where nothing is', () => {
    expect(marked({ data: [{ data: {} }] }, '/data/0/data/quizId')).toBe('"data": {}');
    expect(excerptOf('{"data":[]}', 0, [wrong('')]).marks).toEqual([
      { line: 0, message: 'must be a string.' },
    ]);
    expect(excerptOf('no JSON', 0, [wrong('/data')]).marks[0]?.line).toBe(0);
  });

  it('finds names with slashes and tildes in them', () => {
    expect(marked({ 'a/b~c': { deep: [1, 2, 3, 4] } }, '/a~1b~0c/deep/3')).toBe('4');
  });

  it('says how much it leaves out', () => {
    expect(excerptOf('x'.repeat(2000), 30, []).text).toMatch(/^x{1500}… 530 more characters$/);
    expect(excerptOf(JSON.stringify({ a: 'y'.repeat(1000) }), 0, []).text).toContain(
      'y… 840 more characters"',
    );
    const fields = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, index]));
    expect(excerptOf(JSON.stringify(fields), 0, []).text).toContain('… 28 more');
  });

  it.each([
    ['nested a thousand times', '['.repeat(900) + ']'.repeat(900)],
    ['nested deeper than can be read', '['.repeat(30_000)],
    [
      'with a field after the other',
      JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`a${i}`, { b: [i, i, i] }]))),
    ],
    ['with many long fields in many fields', JSON.stringify(grid(12, grid(12, 'x'.repeat(90))))],
    ['with a name that does not end', JSON.stringify({ ['n'.repeat(50_000)]: 1 })],
  ])('is short, however the body is made: %s', (_, body) => {
    const { text } = excerptOf(body, 0, [wrong('/a1/b/2')]);
    expect(text.split('\n').length).toBeLessThanOrEqual(62);
    expect(text.length).toBeLessThan(15_000);
  });
});
