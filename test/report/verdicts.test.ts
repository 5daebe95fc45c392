import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { running, type Check } from '../../src/report/check.ts';
import { checks } from '../../src/report/checks/index.ts';
import { makeReport, type Report } from '../../src/report/report.ts';
import { entriesOf, viewsOfSketches, twice, type Sketch } from './entries.ts';

/** The result of a check that finds something in the first calls, on a client with two calls. */
function resultOf(
  strength: Check['strength'],
  {
    breaches = 0,
    occasions = 2,
    notJudged,
    sketches = [{ ms: 0 }, { ms: 1 }],
  }: { breaches?: number; occasions?: number; notJudged?: string; sketches?: readonly Sketch[] },
): Report['conduct'][number] {
  const views = viewsOfSketches(sketches);
  const check: Check = {
    check: 'a-check',
    title: 'Does it',
    rule: 'It does it.',
    basis: 'Good practice: it helps.',
    strength,
    occasion: 'calls',
    exercise: 'lp-sandbox exec -- CMD',
    examine: ({ attempts }) => ({
      occasions,
      breaches: attempts.slice(0, breaches).map((attempt) => ({ message: 'No.', calls: [attempt] as const })),
      ...(notJudged === undefined ? {} : { notJudged }),
    }),
  };
  return withoutPause(running(check, views));
}

describe('the verdict of a check', () => {
  it.each([
    ['must', 'failed', 'Violated 2 times on 2 occasions (calls).'],
    ['should', 'failed', 'The client should do this, but did not: 2 times on 2 occasions (calls).'],
    ['advice', 'advised', 'The client could do better: 2 times on 2 occasions (calls).'],
  ] as const)(
    'of strength %s, where it finds something, is %s, and worded by its strength',
    (strength, verdict, message) => {
      const result = resultOf(strength, { breaches: 2 });
      expect(result).toMatchObject({ verdict, message, strength, basis: 'Good practice: it helps.' });
      expect(result.findings.map((one) => one.strength)).toEqual([strength]);
    },
  );

  it('is never that it passed where the journal does not show it', () => {
    const notJudged = 'A verdict needs 12 series, and there were 2.';
    expect(resultOf('should', { notJudged })).toMatchObject({
      verdict: 'not-judged',
      message: `Not judged: ${notJudged}`,
    });
    expect(resultOf('should', { breaches: 1, notJudged }).verdict).toBe('failed');
    expect(resultOf('should', { occasions: 0 }).verdict).toBe('not-exercised');
    expect(resultOf('should', {}).verdict).toBe('passed');
  });

  it('has a sentence on where the rule comes from, for every check', () => {
    for (const { check, basis } of checks) {
      expect(basis, check).toMatch(
        /^(The specification|RFC \d+, sections?|The assumption|Good practice)\b.*\.$/,
      );
    }
  });
});

const down = { status: 503, faults: ['http-error'] } as const;

function conductOf(check: string, ...sketches: readonly Sketch[]): Report['conduct'][number] | undefined {
  return makeReport('default', { entries: entriesOf(sketches), evicted: 0 }).conduct.find(
    (one) => one.check === check,
  );
}

describe('a scope', () => {
  it('is a client of its own: the calls of one test do not count against another', () => {
    const asked = { ms: 0, status: 429, outcome: 'throttled', retryAfter: 60 };
    expect(
      conductOf('retry-after', ...twice({ ...asked, scope: 'one' }, { ms: 1, scope: 'one' }))?.verdict,
    ).toBe('failed');
    expect(
      conductOf('retry-after', ...twice({ ...asked, scope: 'one' }, { ms: 1, scope: 'two' }))?.verdict,
    ).toBe('not-exercised');
  });

  it('is named by its findings, in their ids too', () => {
    const scopes = ['tests/a.test.ts > works, sometimes', 'b', undefined];
    const sketches = scopes.map((scope, ms) => (scope === undefined ? { ms } : { ms, scope }));
    const { findings } = resultOf('should', { breaches: 3, sketches });
    expect(findings.map(({ id, scope }) => [id, scope])).toEqual([
      [
        expect.stringMatching(/^a-check:get-quiz-details:tests\/a\.test\.ts-works-sometimes-[0-9a-f]{8}$/),
        'tests/a.test.ts > works, sometimes',
      ],
      ['a-check:get-quiz-details:b', 'b'],
      ['a-check:get-quiz-details', null],
    ]);
  });
});

describe('a finding', () => {
  it('names the operation that the client went on to call with a refused key, not the one refused first', () => {
    const refused = { status: 401, outcome: 'invalid-key', scope: 'refusals' };
    const later = [0, 1, 2, 3, 4].map((index) => ({
      ms: 3000 + index * 400,
      operation: 'list-assignments',
      elements: [{ index }],
      ...refused,
    }));
    expect(conductOf('hopeless-repeats', { ms: 0, ...refused }, ...later)?.findings).toMatchObject([
      { id: 'hopeless-repeats:list-assignments:refusals', operation: 'list-assignments' },
    ]);
  });

  it('counts the breaches that it stands for, so that findings add up to the number of their check', () => {
    const sketches = [0, 1, 2, 3, 4, 5, 6].map((index) => ({
      // The last three come equally early.
      ms: [0, 700, 1500, 2400, 3400, 3800, 4200][index] ?? 0,
      status: 429,
      outcome: 'throttled',
      retryAfter: 60,
      scope: 'a test',
    }));
    const check = conductOf('retry-after', ...sketches);
    expect(check?.message).toContain('6 times');
    expect(check?.findings.map(({ message }) => /\((?:and )?\d.*/.exec(message)?.[0] ?? 'once')).toEqual([
      'once',
      'once',
      '(and 3 more like it)',
    ]);
  });
});

/** The violations of a client whose calls have these messages. */
function violationsOf(...messages: readonly (readonly [pointer: string, message: string])[]) {
  const entries = entriesOf(messages.map((_, ms) => ({ ms, scope: 'a test' }))).map((entry, index) => {
    const [pointer = '', message = ''] = messages[index] ?? [];
    return { ...entry, violations: [{ pointer, message }] };
  });
  return makeReport('default', { entries, evicted: 0 }).violations;
}

/** The id of the violation of a call. */
function idOf(sketch: Partial<Sketch>, message: string): string | undefined {
  const entries = entriesOf([{ ms: 0, ...sketch }]).map((entry) => ({
    ...entry,
    violations: [{ pointer: '', message }],
  }));
  return makeReport('default', { entries, evicted: 0 }).violations[0]?.id;
}

describe('the id of a violation', () => {
  it('is readable, and the same whatever numbers and values the client sent', () => {
    const [one, other, third] = violationsOf(
      ['/data/0/data/quizId', 'must be a string, but is the number 7.'],
      ['/data/3/data/quizId', 'must be a string, but is the number 12.'],
      ['/data/0/data/quizId', 'must be a string, but is null.'],
    );
    expect(one?.id).toMatch(
      /^violations:get-quiz-details:\/data\/\*\/data\/quizId:[0-9a-f]{8}:a-test-[0-9a-f]{8}$/,
    );
    expect(other?.id).toBe(one?.id);
    expect(third?.id).not.toBe(one?.id);
    const [quoted, again] = violationsOf(['/data', 'Unknown "a1".'], ['/data', 'Unknown "b".']);
    expect(quoted?.id).toBe(again?.id);
  });

  it('ends with the scope, so that each test has its own', () => {
    const wrong = [{ pointer: '/data', message: 'is wrong.' }];
    const entries = entriesOf([
      { ms: 0, scope: 'one' },
      { ms: 1, scope: 'one' },
      { ms: 2, scope: 'o,ther' },
    ]);
    const { violations } = makeReport('default', {
      entries: entries.map((entry) => ({ ...entry, violations: wrong })),
      evicted: 0,
    });
    expect(violations).toMatchObject([
      { count: 2, scopes: ['one'], id: expect.stringMatching(/:one$/) as string },
      { count: 1, scopes: ['o,ther'], id: expect.stringMatching(/:o-ther-[0-9a-f]{8}$/) as string },
    ]);
  });

  it('differs if only the white space of the scopes differs', () => {
    const ids = ['a b', 'a-b'].map((scope) => {
      const { conduct } = makeReport('default', {
        entries: entriesOf(
          twice({ ms: 0, scope, status: 429, outcome: 'throttled', retryAfter: 10 }, { ms: 1, scope }),
        ),
        evicted: 0,
      });
      return conduct.find(({ check }) => check === 'retry-after')?.findings[0]?.id;
    });
    expect(ids[0]).toMatch(/:a-b-[0-9a-f]{8}$/);
    expect(ids[1]).toMatch(/:a-b$/);
  });

  it('has no character that ends an entry of a list, or needs quotes', () => {
    const [first] = violationsOf(['/data/0/data/a, "b" $(c)', 'is not documented.']);
    expect(first?.id).toMatch(
      /^violations:get-quiz-details:\/data\/\*\/data\/a-b-c--[0-9a-f]{8}:[0-9a-f]{8}:a-test-[0-9a-f]{8}$/,
    );
  });

  it('is the same whichever identifiers an unmatched path has', () => {
    const identifiers = ['5bb6bf98e3b6a0f3c19b07c3', '123', '0b7e2d3c-41f0-4c3a-9d52-6f1a2b3c4d5e'];
    const [title, ...ids] = ['titles', ...identifiers].map((operation) =>
      idOf({ operation, status: 404, outcome: 'unmatched' }, `There is nothing at /courses/${operation}.`),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids).not.toContain(title);
  });

  it('is the same whichever value the message quotes', () => {
    const values = ['x', 'a "b 1f3', `it's "7d2"`, 'back\\slash\\'];
    const ids = values.map((value) =>
      idOf({}, `must be an e-mail address, but is the string ${JSON.stringify(value)}.`),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

describe("calls from the sandbox's own pages", () => {
  it('are not the client, and are counted apart', () => {
    const entries = entriesOf([{ ms: 0, ...down, page: 'console' }, { ms: 1 }]);
    const report = makeReport('default', { entries, evicted: 0 });
    expect(report).toMatchObject({ calls: 1, fromPages: 1 });
    expect(report.conduct.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(report.faultsMet).toEqual({});
  });
});

describe('a path or method that matches no operation', () => {
  it('is a violation that the report marks', () => {
    const entries = entriesOf([
      { ms: 0, operation: 'Get-All-Instructors', status: 404, outcome: 'unmatched' },
    ]);
    const violations = [{ pointer: '', message: 'There is no such operation.' }];
    const report = makeReport('default', {
      entries: entries.map((one) => ({ ...one, violations })),
      evicted: 0,
    });
    expect(report.violations).toMatchObject([
      { operation: 'Get-All-Instructors', unmatched: true, pointer: '' },
    ]);
    expect(report.violations[0]?.id).toMatch(/^violations:Get-All-Instructors::[0-9a-f]{8}$/);
  });
});

describe('a check that is not judged', () => {
  it('names the scenario in which each request of several workers fails more than once', () => {
    const calls = ['a', 'b', 'c', 'd'].flatMap((quizId, at) =>
      [0, 1].map((ms) => ({
        ms: at * 5000 + ms,
        elements: [{ quizId }],
        status: 503,
        faults: ['http-error'],
      })),
    );
    const { conduct } = makeReport('default', { entries: entriesOf(calls), evicted: 0 });
    expect(conduct.find(({ check }) => check === 'hammering')).toMatchObject({
      verdict: 'not-judged',
      message: expect.stringMatching(/^Not judged: Only 0 requests .* use the scenario long-outage, /),
    });
  });
});
