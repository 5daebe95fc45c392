import { expect, it, vi } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { entriesOf } from './entries.ts';

it('parses each body once, however many there are', { tags: ['slow'] }, () => {
  // More than the report may hold as objects.
  const entries = entriesOf(
    Array.from({ length: 30 }, (_, call) => ({
      ms: call * 1000,
      elements: Array.from({ length: 1500 }, (__, element) => ({ quizId: `${call}-${element}`, other: 1 })),
    })),
  );
  const parse = vi.spyOn(JSON, 'parse');
  makeReport('default', { entries, evicted: 0 });
  const times = (text: string): number => parse.mock.calls.filter(([one]) => one === text).length;
  const requests = entries.slice(5).map(({ request }) => times(request));
  const responses = new Set(entries.map(({ response }) => response));
  const parsed = [...responses].map(times).reduce((sum, count) => sum + count, 0);
  parse.mockRestore();
  // Excerpts show up to four calls of a finding.
  expect(Math.max(...requests)).toBe(1);
  expect(parsed).toBeLessThanOrEqual(entries.length + 4);
});
