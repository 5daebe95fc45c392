import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { readBaseline, toBaseline, withFindings } from '../../src/report/baseline.ts';
import { running } from '../../src/report/check.ts';
import { makeReport, type Report } from '../../src/report/report.ts';
import {
  judge,
  missedThresholds,
  noThresholds,
  readAllow,
  readFailOn,
  toleranceNotes,
  type Thresholds,
} from '../../src/report/thresholds.ts';
import { entriesOf, viewsOfSketches } from './entries.ts';

/**
 * A client whose calls and replies break the contract, as the checks giving-up and limits would have found it
 * wanting: what they find is not the matter here.
 */
function badReport(): Report {
  const wrong = [{ pointer: '/data', message: 'is required, but missing.' }];
  const [first, throttled, misspelt] = entriesOf([
    { ms: 0 },
    { ms: 1, status: 429, outcome: 'throttled' },
    { ms: 2, operation: 'Get-Quiz-Details', status: 404, outcome: 'unmatched' },
  ]);
  if (first === undefined || throttled === undefined || misspelt === undefined)
    throw new Error('Too few calls.');
  const entries = [
    { ...first, violations: wrong, responseViolations: wrong },
    throttled,
    { ...misspelt, violations: [{ pointer: '', message: 'There is no such operation.' }] },
  ];
  const made = makeReport('default', { entries, evicted: 0 });
  const strengths = new Map([
    ['giving-up', 'should'],
    ['limits', 'must'],
  ] as const);
  const conduct = made.conduct.map((one) => {
    // Of a name that is none of these two, there is no strength.
    const strength = strengths.get(one.check as 'limits');
    if (strength === undefined) return { ...one, verdict: 'not-exercised' as const, findings: [] };
    const finding = {
      id: `${one.check}:get-quiz-details`,
      operation: 'get-quiz-details',
      scope: null,
      strength,
    };
    return {
      ...one,
      title: 'Does it',
      strength,
      verdict: 'failed' as const,
      findings: [{ ...finding, message: 'No.', evidence: [] }],
    };
  });
  return { ...made, conduct };
}

const report = badReport();
const [missing, misspelt] = report.violations.map(({ id }) => id);
const [ofUpstream] = report.responseViolations?.map(({ id }) => id) ?? [];
const limits = 'The client violated the rule limits (Does it): limits:get-quiz-details';
const givingUp = 'The client should follow the rule giving-up (Does it): giving-up:get-quiz-details';

function missed(own: Partial<Thresholds>, of: Report = report): readonly string[] {
  return missedThresholds(of, { ...noThresholds, ...own });
}

describe('the thresholds of a report', () => {
  it.each<[failOn: string, missed: readonly string[]]>([
    ['violations', [`The client violated the contract 2 times: ${missing}, ${misspelt}`]],
    ['unmatched', [`The client violated the contract once: ${misspelt}`]],
    ['response-violations', [`The service violated the contract once: ${ofUpstream}`]],
    ['limits', [limits]],
    ['conduct', [givingUp, limits]],
    ['conduct:should', [givingUp, limits]],
    ['conduct:must', [limits]],
    ['limits,conduct', [givingUp, limits]],
    ['backoff, hammering', []],
  ])('that are missed under --fail-on %s are told in a sentence each, with the ids', (text, sentences) => {
    expect(missed({ failOn: readFailOn(text) })).toEqual(sentences);
  });

  it('are never missed by advice', () => {
    const conduct = report.conduct.map((one) => ({
      ...one,
      strength: 'advice' as const,
      verdict: one.verdict === 'failed' ? ('advised' as const) : one.verdict,
    }));
    expect(missed({ failOn: ['conduct', 'limits'] }, { ...report, conduct })).toEqual([]);
  });

  it('hold exactly up to the coverage that was met', () => {
    const { percent, met, of } = report.situations;
    expect(missed({ minCoverage: { all: percent } })).toEqual([]);
    expect(missed({ minCoverage: { all: percent + 1 } })).toEqual([
      `The client met ${met} of ${of} situations (${percent} %); ${percent + 1} % are required.`,
    ]);
  });

  it('hold for operations and for failures apart', () => {
    const { operations, failures } = report.situations.groups;
    expect(operations.of + failures.of).toBe(report.situations.of);
    expect([operations.met, failures.met]).toEqual([1, 1]);
    expect(missed({ minCoverage: { operations: operations.percent, failures: failures.percent } })).toEqual(
      [],
    );
    expect(missed({ minCoverage: { operations: 50, failures: 60 } })).toEqual([
      `The client met 1 of ${operations.of} situations of operations (${operations.percent} %); 50 % are required.`,
      `The client met 1 of ${failures.of} failures (${failures.percent} %); 60 % are required.`,
    ]);
  });

  it('hold for a client that did nothing wrong, whatever they are', () => {
    const good = makeReport('default', { entries: entriesOf([{ ms: 0 }]), evicted: 0 });
    expect(missed({ failOn: readFailOn('violations,response-violations,conduct') }, good)).toEqual([]);
  });

  it.each<[string, Partial<Thresholds>, readonly string[]]>([
    ['of findings', { failOn: ['conduct'] }, ['The client made no calls, so it meets no threshold.']],
    [
      'of coverage',
      { minCoverage: { failures: 1 } },
      [expect.stringContaining('no calls'), expect.anything()],
    ],
    ['that nobody set', {}, []],
  ])('%s are met by no client that makes no call', (_, own, sentences) => {
    const idle = makeReport('default', { entries: [], evicted: 0 });
    expect(missed(own, idle)).toEqual(sentences);
  });

  it('are refused where there is no such name, with the ones that there are', () => {
    expect(() => readFailOn('violations,limit')).toThrow(
      'Unknown name in --fail-on: "limit". Did you mean "limits"? Known: violations, unmatched, response-violations, response-differences, conduct, ',
    );
    expect(() => readAllow('violation:get-quiz-details')).toThrow(
      'Unknown name in --allow: "violation:get-quiz-details". Did you mean "violations"? Known: violations, ',
    );
  });
});

describe('a finding that is allowed', () => {
  const failOn = ['violations', 'conduct'];

  it.each([
    ['all of a check', 'limits'],
    ['those at an operation', 'limits:get-quiz-details'],
    ['those at other operations', 'giving-up:list-assignments,limits:'],
  ])('fails no run: %s', (_, list) => {
    expect(missed({ failOn: ['conduct'], allow: readAllow(list) })).toEqual([givingUp]);
  });

  it.each(['limits:get-quiz', 'limits:get-quiz-details:some-test', 'violations:get-quiz-detail'])(
    'is none whose id only looks alike: %s',
    (list) => {
      expect(missed({ failOn, allow: readAllow(list) })).toEqual(missed({ failOn }));
    },
  );

  it('may be a violation, at an operation and at a place in it', () => {
    const [, ofConduct] = [missed({ failOn: ['violations'] }), missed({ failOn: ['conduct'] })];
    expect(
      missed({ failOn, allow: readAllow('violations:get-quiz-details:/data,violations:Get-Quiz-Details') }),
    ).toEqual(ofConduct);
  });

  it('is counted, and named as tolerated', () => {
    const judgement = judge(report, { ...noThresholds, failOn, allow: readAllow('limits') });
    expect(judgement.tolerated.map(({ id }) => id)).toEqual(['limits:get-quiz-details']);
    expect(toleranceNotes(judgement)).toEqual(['Tolerated: 1 known or allowed finding.']);
  });
});

describe('a baseline', () => {
  const baseline = readBaseline(toBaseline(report), 'findings.json');
  const failOn = ['violations', 'response-violations', 'conduct'];

  it('has the findings of a run in a stable order, with their messages', () => {
    const ids = [missing, misspelt, ofUpstream, 'giving-up:get-quiz-details', 'limits:get-quiz-details'];
    expect(baseline.map(({ id }) => id)).toEqual(
      ids.toSorted((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1)),
    );
    expect(toBaseline(report)).toContain('"message":"is required, but missing."');
    expect(toBaseline({ ...report, conduct: report.conduct.toReversed() })).toBe(toBaseline(report));
  });

  it('keeps what was there before from failing a run, and nothing else', () => {
    expect(missed({ failOn, baseline })).toEqual([]);
    const others = baseline.filter(({ id }) => !id.startsWith('limits'));
    expect(missed({ failOn, baseline: others })).toEqual([limits]);
  });

  it('names what did not occur any more', () => {
    const stale = { id: 'backoff:list-assignments', message: 'The pauses did not grow.' };
    const judgement = judge(report, { ...noThresholds, failOn, baseline: [...baseline, stale] });
    expect(judgement.stale).toEqual([stale]);
    expect(toleranceNotes(judgement).at(-1)).toBe(
      'Known findings that did not occur: backoff:list-assignments. If they are fixed, update the baseline with --write-baseline.',
    );
  });

  it('that a run writes holds for that run too', () => {
    expect(missedThresholds(report, withFindings({ ...noThresholds, failOn }, report))).toEqual([]);
  });

  it('is empty for a client that did nothing wrong', () => {
    const good = makeReport('default', { entries: entriesOf([{ ms: 0 }]), evicted: 0 });
    expect(readBaseline(toBaseline(good), 'findings.json')).toEqual([]);
  });

  it.each([
    ['{', 'is not JSON.'],
    ['[]', 'is not a baseline of lp-sandbox.'],
    ['{"format":"other","version":1,"findings":[]}', 'is not a baseline of lp-sandbox.'],
    [
      toBaseline(report).replace('"version": 1', '"version": 2'),
      'has version 2, but this program reads version 1.',
    ],
    [
      toBaseline(report).replace('"id"', '"name"'),
      'must have a list "findings", each with "id" and "message".',
    ],
  ])('is refused where it is none: %#', (text, why) => {
    expect(() => readBaseline(text, 'findings.json')).toThrow(
      `--baseline "findings.json" ${why} Create a baseline with --write-baseline.`,
    );
  });
});

describe('findings that a report does not list', () => {
  it('fail a run all the same, unless their check is allowed as a whole', () => {
    const sketches = Array.from({ length: 250 }, (_, ms) => ({ ms, scope: `test ${ms}` }));
    const check = withoutPause(
      running(
        {
          check: 'giving-up',
          title: 'Does it',
          rule: 'It does it.',
          basis: 'Good practice: it helps.',
          strength: 'should',
          occasion: 'calls',
          exercise: 'lp-sandbox exec -- CMD',
          examine: ({ attempts }) => ({
            occasions: attempts.length,
            breaches: attempts.map((attempt) => ({ message: 'No.', calls: [attempt] as const })),
          }),
        },
        viewsOfSketches(sketches),
      ),
    );
    const many = { ...report, conduct: [check] };
    expect([check.findings.length, check.unlisted]).toEqual([200, 50]);
    const known = check.findings.map(({ id, message }) => ({ id, message }));
    expect(missed({ failOn: ['giving-up'], baseline: known }, many)).toEqual([
      expect.stringMatching(/: giving-up:unlisted$/),
    ]);
    expect(missed({ failOn: ['giving-up'], allow: ['giving-up'] }, many)).toEqual([]);
  });
});

describe('a client of which every call was refused because of its key', () => {
  it.each(['invalid-key', 'missing-key'])('meets no threshold: %s', (outcome) => {
    const refused = { ms: 0, status: 401, outcome };
    const thresholds = { ...noThresholds, failOn: ['violations'] };
    const missed = (sketches: Parameters<typeof entriesOf>[0]): readonly string[] =>
      judge(makeReport('default', { entries: entriesOf(sketches), evicted: 0 }), thresholds).missed;
    expect(missed([refused, { ...refused, ms: 10 }])).toEqual([
      'Every call was refused because of its key, so the client meets no threshold. The environment of the command has a valid key: SANDBOX_API_KEY.',
    ]);
    expect(missed([refused, { ms: 10 }])).toEqual([]);
  });
});
