import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { mergeReports, shortened } from '../../src/report/merge.ts';
import { makeReport, type Report } from '../../src/report/report.ts';
import { entriesOf, type Sketch } from './entries.ts';

interface Told extends Sketch {
  /** What it breaks of the contract. */
  readonly wrong?: string;
  readonly wrongReply?: string;
}

function violationsOf(message: string | undefined) {
  return message === undefined ? [] : [{ pointer: '/data/0/data/quizId', message }];
}

/** The report on these calls. */
function reportOn(sandbox: string, calls: readonly Told[]): Report {
  const entries = entriesOf(calls).map((entry, index) => {
    const { wrong, wrongReply } = calls[index] ?? {};
    return {
      ...entry,
      requestId: `${sandbox}-${index + 1}`,
      violations: violationsOf(wrong),
      ...(wrongReply === undefined ? {} : { responseViolations: violationsOf(wrongReply) }),
    };
  });
  return makeReport(sandbox, { entries, evicted: 0 });
}

const call: fc.Arbitrary<Told> = fc.record(
  {
    ms: fc.nat({ max: 100_000 }),
    tookMs: fc.nat({ max: 50 }),
    operation: fc.constantFrom('get-quiz-details', 'list-assignments', 'create-instructor-account'),
    outputs: fc.constantFrom(['ok'] as const, ['error'] as const),
    status: fc.constantFrom(200, 429, 503, 0),
    faults: fc.constantFrom([], ['http-error'], ['reset']),
    retryAfter: fc.constantFrom(1, 5),
    scope: fc.constantFrom('one', 'two'),
    connection: fc.constantFrom('127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3'),
    wrong: fc.constantFrom('is required, but missing.', 'must be a string.'),
    wrongReply: fc.constantFrom('must be a number.'),
  },
  { requiredKeys: ['ms'] },
);

const report: fc.Arbitrary<Report> = fc
  .tuple(fc.constantFrom('a', 'b', 'c, d'), fc.array(call, { maxLength: 25 }))
  .map(([sandbox, calls]) => reportOn(sandbox, calls));

describe('merged reports', () => {
  it('are the same in any order', { tags: ['slow'] }, () => {
    fc.assert(
      fc.property(report, report, (one, other) => {
        expect(mergeReports([one, other])).toEqual(mergeReports([other, one]));
      }),
      { numRuns: 12 },
    );
  });

  it('are the same however they are grouped', { tags: ['slow'] }, () => {
    fc.assert(
      fc.property(report, report, report, (one, two, three) => {
        const first = mergeReports([mergeReports([one, two]), three]);
        expect(mergeReports([one, mergeReports([two, three])])).toEqual(first);
        expect(mergeReports([one, two, three])).toEqual(first);
      }),
      { numRuns: 12 },
    );
  });

  it('are the same in any order where calls of two servers have the same id and time', () => {
    const [one, other] = ['one', 'two'].map((scope) => reportOn('a', [{ ms: 0, scope, wrong: 'is wrong.' }]));
    if (one === undefined || other === undefined) throw new Error('There are two reports.');
    expect(mergeReports([one, other])).toEqual(mergeReports([other, one]));
  });

  const ok = reportOn('a', [{ ms: 0 }, { ms: 10, operation: 'list-assignments' }]);
  const throttled: Told = { ms: 0, status: 429, faults: ['throttled'], retryAfter: 60, scope: 'of one test' };
  const early = [throttled, { ...throttled, ms: 1000 }, { ms: 2000, scope: 'of one test' }];
  const tooSoon = reportOn('b', early);
  const inTime = reportOn('c', [throttled, { ms: 61_000, scope: 'of one test' }]);

  it('add up calls, coverage and faults', () => {
    const merged = mergeReports([ok, tooSoon, inTime]);
    expect(merged).toMatchObject({ sandbox: 'a, b, c', calls: 7, faultsMet: { throttled: 3 } });
    const quizzes = merged.coverage.find(({ operation }) => operation === 'get-quiz-details');
    expect(quizzes).toMatchObject({ calls: 6, outcomes: { ok: 3, fault: 3 }, faults: { throttled: 3 } });
    const given = quizzes?.parameters.find(
      ({ pointer, option }) => pointer === '/quizId' && option === 'given',
    );
    expect(quizzes?.parameters.length).toBeGreaterThan(0);
    expect(given?.count ?? 6).toBe(6);
    expect(merged.neverCalled).toHaveLength(operationNames.length - 2);
    expect([merged.from, merged.to]).toEqual([ok.from, inTime.to]);
  });

  it('have met each situation that one of them has met', () => {
    const merged = mergeReports([ok, tooSoon]).situations;
    expect([ok.situations.met, tooSoon.situations.met, merged.met]).toEqual([2, 2, 3]);
    expect(merged.missing).toHaveLength(merged.of - 3);
    expect(merged.groups).toMatchObject({ operations: { met: 2 }, failures: { met: 1 } });
    expect(merged.percent).toBe(Math.floor((3 / merged.of) * 100));
  });

  it('unite violations and findings by their ids, with their scopes and requests', () => {
    const wrong = 'must be a string.';
    const one = reportOn('a', [
      { ms: 0, wrong, scope: 'first' },
      { ms: 10, wrong, scope: 'first' },
    ]);
    const other = reportOn('b', [
      { ms: 0, wrong, scope: 'first' },
      { ms: 1, wrong, scope: 'second' },
    ]);
    expect(mergeReports([one, other]).violations).toMatchObject([
      { count: 3, scopes: ['first'], requestIds: ['a-1', 'a-2', 'b-1'] },
      { count: 1, scopes: ['second'], requestIds: ['b-2'] },
    ]);
    const again = reportOn('d', early);
    const [finding, ...others] = verdictOf(mergeReports([tooSoon, again]), 'retry-after').findings;
    expect(finding?.evidence.map(({ requestId }) => requestId)).toEqual(['b-1', 'd-1', 'b-2', 'd-2']);
    expect(others).toEqual([]);
  });

  it('have the worst verdict of each check, and all its occasions', () => {
    expect(verdictOf(mergeReports([inTime, tooSoon]), 'retry-after')).toMatchObject({
      verdict: 'failed',
      occasions: 3,
      message: '1 finding on 3 occasions.',
    });
    expect(verdictOf(mergeReports([inTime, ok]), 'retry-after')).toMatchObject({
      verdict: 'passed',
      occasions: 1,
    });
    expect(verdictOf(mergeReports([ok, ok]), 'retry-after')).toEqual(verdictOf(ok, 'retry-after'));
  });

  it('have the requests and responses of all, and those that the findings refer to once they are shortened', () => {
    const tooLate = reportOn('d', early);
    const merged = mergeReports([tooSoon, inTime, tooLate]);
    expect(idsOf(merged).toSorted()).toEqual(['b-1', 'b-2', 'b-3', 'd-1', 'd-2', 'd-3']);
    const without = { ...merged, conduct: merged.conduct.filter(({ check }) => check !== 'retry-after') };
    expect(idsOf(shortened(without))).toEqual([]);
    expect(idsOf(shortened(merged)).toSorted()).toEqual(['b-1', 'b-2', 'd-1', 'd-2']);
  });

  it('count what they do not list, once they are shortened', () => {
    const kinds = Array.from({ length: 6 }, (_, index) => ({ ms: index, wrong: `is wrong (${index}).` }));
    const merged = mergeReports([reportOn('a', kinds), reportOn('b', kinds.slice(1))]);
    expect(merged.violations).toHaveLength(6);
    const short = shortened(merged, 4);
    expect(short.violations.map(({ count }) => count)).toEqual([2, 2, 2, 2]);
    expect(short.unlisted?.violations).toEqual({ kinds: 2, count: 3 });
    expect(mergeReports([short, short]).unlisted?.violations).toEqual({ kinds: 4, count: 6 });
    expect(shortened(merged, 6)).toMatchObject({ violations: merged.violations, conduct: merged.conduct });
    expect(shortened(merged, 6).unlisted).toBeUndefined();
  });
});

function idsOf({ exchanges }: Report): readonly string[] {
  return exchanges.map(({ requestId }) => requestId);
}

function verdictOf({ conduct }: Report, name: string): Report['conduct'][number] {
  const found = conduct.find(({ check }) => check === name);
  if (found === undefined) throw new Error(`There is no check ${name}.`);
  return found;
}
