import { describe, expect, it } from 'vitest';
import { makeReport, type Report } from '../../src/report/report.ts';
import { missedThresholds, readFailOn } from '../../src/report/thresholds.ts';
import { entriesOf, type Sketch } from './entries.ts';

const throttled = { status: 429, outcome: 'throttled' } as const;

/** A client that runs into a limit three times, whose calls and replies break the contract. */
function badReport(): Report {
  const sketches = Array.from({ length: 3 }, (_, round): readonly Sketch[] => [
    { ms: round * 60_000 },
    { ms: round * 60_000 + 1, ...throttled },
  ]);
  const wrong = [{ pointer: '/data', message: 'is required, but missing.' }];
  const entries = entriesOf(sketches.flat()).map((entry, index) =>
    index === 0 ? { ...entry, violations: wrong, responseViolations: wrong } : entry,
  );
  return makeReport('default', { entries, evicted: 0 });
}

describe('the thresholds of a report', () => {
  const report = badReport();
  const limits = 'The client failed the check limits (Stays within known rate limits).';
  const givingUp = 'The client failed the check giving-up (Retries temporary failures).';

  it.each<[failOn: string, missed: readonly string[]]>([
    ['violations', ['The client violated the contract (violations: 1; allowed: 0).']],
    ['response-violations', ['The upstream violated the contract (violations: 1; allowed: 0).']],
    ['limits', [limits]],
    ['conduct', [givingUp, limits]],
    ['limits,conduct', [givingUp, limits]],
    ['backoff, hammering', []],
  ])('that are missed under --fail-on %s are told in a sentence each', (text, missed) => {
    expect(missedThresholds(report, { failOn: readFailOn(text), minCoverage: 0 })).toEqual(missed);
  });

  it('hold exactly up to the coverage that was met', () => {
    const { percent, met, of } = report.situations;
    expect(missedThresholds(report, { failOn: [], minCoverage: percent })).toEqual([]);
    expect(missedThresholds(report, { failOn: [], minCoverage: percent + 1 })).toEqual([
      `The client met ${met} of ${of} situations (${percent} %); ${percent + 1} % are required.`,
    ]);
  });

  it('hold for a client that did nothing wrong, whatever they are', () => {
    const good = makeReport('default', { entries: entriesOf([{ ms: 0 }]), evicted: 0 });
    expect(
      missedThresholds(good, {
        failOn: readFailOn('violations,response-violations,conduct'),
        minCoverage: 0,
      }),
    ).toEqual([]);
  });

  it('are refused where there is no such name, with the ones that there are', () => {
    expect(() => readFailOn('violations,limit')).toThrow(
      'Unknown name in --fail-on: "limit". Did you mean "limits"? Known: violations, response-violations, conduct, ',
    );
  });
});
