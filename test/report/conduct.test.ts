import { describe, expect, it } from 'vitest';
import type { Manners } from './client.ts';
import { readItems, reportOn, type Report } from './report-on.ts';

function checksOf(report: Report, verdict: string): readonly string[] {
  return report.conduct.filter((one) => one.verdict === verdict).map(({ check }) => check);
}

describe('a well-behaved client', () => {
  it(
    'breaks no rule where nothing goes wrong, and is not said to have kept those that it had no occasion for',
    { tags: ['slow'] },
    async () => {
      const report = await reportOn({});
      expect(checksOf(report, 'failed')).toEqual([]);
      expect(checksOf(report, 'passed')).toEqual(
        expect.arrayContaining([
          'batching',
          'busy-polling',
          'key-secrecy',
          'connection-reuse',
          'undocumented-fields',
        ]),
      );
      expect(checksOf(report, 'not-exercised')).toEqual(
        expect.arrayContaining(['backoff', 'hammering', 'jitter', 'retry-after', 'timeouts']),
      );
      for (const { check, verdict, message, exercise } of report.conduct) {
        if (verdict !== 'not-exercised') continue;
        expect(message, check).toMatch(/^Not exercised: there were no .+\.$/);
        expect(exercise, check).toMatch(/^lp-sandbox exec( .+)? -- (sh -c '\S+ CMD'|CMD)$/);
      }
    },
  );
});

/**
 * What a client does wrong, what it is to be found out by, and where it shows: a sample. What each check
 * fails and tolerates is in tolerances.test.ts.
 */
const illBehaved: readonly (readonly [string, string, Partial<Manners>, Parameters<typeof reportOn>[1]])[] = [
  ['tries again at once', 'hammering', { pause: () => 0, pace: 0 }, { scenario: 'silent-outage' }],
  ['waits as long each time', 'backoff', { pause: () => 3 }, { scenario: 'silent-outage' }],
  [
    'passes over Retry-After',
    'retry-after',
    { heedsRetryAfter: false, pace: 0 },
    { scenario: 'rate-limit-storm', work: readItems },
  ],
  [
    'gives up',
    'giving-up',
    { tries: 1, pace: 0, pause: () => 0 },
    { scenario: 'silent-outage', work: readItems },
  ],
  [
    'sends the whole batch again',
    'batches',
    { sendsAgain: 'the whole batch', pace: 0.2 },
    { scenario: 'partial-batches' },
  ],
  [
    'submits again after a lost reply',
    'unsafe-repeats',
    { resubmits: true, pause: (failures) => 0.1 * 2 ** failures, pace: 0.1 },
    { scenario: 'lost-replies', scope: 'a test' },
  ],
  [
    'goes on with a revoked key',
    'hopeless-repeats',
    { stopsWithoutKey: false, repeatsRefusals: true },
    { scenario: 'key-revoked' },
  ],
  [
    'repeats what does not exist',
    'hopeless-repeats',
    { repeatsRefusals: true, pause: () => 0, pace: 0 },
    {
      work: async (client) => {
        for (const quizId of ['gone', 'lost', 'away']) await client.send('get-quiz-details', [{ quizId }]);
      },
    },
  ],
  [
    'repeats what does not fit',
    'hopeless-repeats',
    { repeatsRefusals: true, pause: () => 0, pace: 0 },
    {
      work: async (client) => {
        for (const quizId of [7, 8, 9]) await client.send('get-quiz-details', [{ quizId }]);
      },
      assumptions: { invalidParameters: 'http-400' },
    },
  ],
  ['puts its key into the URL', 'key-secrecy', { query: '?key=sbx_default_riverside' }, {}],
  ['sends fields that nobody knows', 'undocumented-fields', { extras: { quizID: 'x' } }, {}],
];

describe('an ill-behaved client', () => {
  it.each(illBehaved)(
    'that %s is found out by %s, and by nothing else',
    { tags: ['slow'] },
    async (_, check, manners, made) => {
      const report = await reportOn(manners, made);
      expect(checksOf(report, 'failed')).toEqual([check]);
      const found = report.conduct.find((one) => one.check === check);
      expect(found?.findings.length).toBeGreaterThan(0);
      for (const { operation, evidence, message } of found?.findings ?? []) {
        expect(message).not.toBe('');
        expect(evidence.length).toBeGreaterThan(0);
        expect(report.coverage.find((one) => one.operation === operation)?.calls).toBeGreaterThan(0);
      }
    },
  );
});

describe('what a client keeps', () => {
  it.each([
    ['retry-after', { scenario: 'rate-limit-storm' }],
    ['backoff', { scenario: 'silent-outage' }],
    ['hammering', { scenario: 'silent-outage' }],
    ['giving-up', { scenario: 'silent-outage' }],
    ['endless-retries', { scenario: 'long-outage' }],
    ['hopeless-repeats', { scenario: 'key-revoked' }],
    ['unsafe-repeats', { scenario: 'lost-replies' }],
    ['batches', { scenario: 'partial-batches' }],
  ])('is told by %s where the command that it names was run', { tags: ['slow'] }, async (check, made) => {
    const { conduct } = await reportOn({}, made);
    const kept = conduct.find((one) => one.check === check);
    expect(kept).toMatchObject({ verdict: 'passed', findings: [] });
    expect(kept?.occasions).toBeGreaterThan(0);
    expect(kept?.exercise).toContain(made.scenario);
  });
});
