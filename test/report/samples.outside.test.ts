import { describe, expect, it } from 'vitest';
import { withoutPause, type SlicedWork } from '../../src/base/sliced-work.ts';
import { findCalls } from '../../src/report/find-calls.ts';
import type { Examination } from '../../src/report/check.ts';
import { jitter } from '../../src/report/checks/jitter.ts';
import { makeReport } from '../../src/report/report.ts';
import { entriesOf, type Sketch } from './entries.ts';
import { outage, together, verdictOf } from './outages.ts';
import { areOfProgram, areOfRhythm } from '../../src/report/human-pauses.ts';
import { people, person } from './people.ts';
import { seeded } from './seeded.ts';

/** What the check says of some calls, without the other checks: quick enough for thousands of runs. */
function* jitterOf(sketches: readonly Sketch[]): SlicedWork<Examination> {
  const examined = jitter.examine(yield* findCalls(entriesOf(sketches)));
  return 'occasions' in examined ? examined : yield* examined;
}

/** Three pauses from 0 to 200, 400 and 800 ms. */
function fullJitter(random: () => number): readonly number[] {
  return [200, 400, 800].map((most) => Math.round(random() * most));
}

/** Three pauses, each from 100 ms to three times the one before. */
function decorrelatedJitter(random: () => number): readonly number[] {
  let pause = 100;
  return [1, 2, 3].map(() => (pause = Math.round(100 + random() * (3 * pause - 100))));
}

describe('backoff', () => {
  it('accuses no client of thousands of requests of which some happen to wait less before their last retry', () => {
    const requests = Array.from({ length: 2000 }, (_, index) => {
      const pauses = index % 4 === 0 ? [400, 300, 200] : [150, 500, 900];
      const elements = [{ quizId: String(index) }];
      return outage('get-quiz-details', index * 10_000, pauses).map((sketch) => ({ ...sketch, elements }));
    });
    expect(verdictOf('backoff', ...requests.flat())).toBe('passed');
  });

  it.each([
    ['full jitter', (random: () => number) => fullJitter(random)],
    ['decorrelated jitter', (random: () => number) => decorrelatedJitter(random)],
  ])('accuses %s in no run of a sample', (_, pausesOf) => {
    const random = seeded(20_261_122);
    const checks = new Set(['backoff', 'hammering']);
    let accused = 0;
    for (let run = 0; run < 240; run += 1) {
      const sketches = Array.from({ length: 1 + (run % 8) }, (__, index) =>
        outage('get-quiz-details', index * 100_000, pausesOf(random)).map((sketch) => ({
          ...sketch,
          elements: [{ quizId: String(index) }],
        })),
      ).flat();
      const { conduct } = makeReport('default', { entries: entriesOf(sketches), evicted: 0 });
      if (conduct.some(({ check, verdict }) => checks.has(check) && verdict === 'failed')) accused += 1;
    }
    expect(accused).toBe(0);
  });
});

describe('jitter', () => {
  it.each([
    ['100 ms of noise', (random: () => number) => 1000 + random() * 100],
    ['10 percent of noise', (random: () => number) => 500 * (1 + random() * 0.1)],
  ])('takes pauses with %s for equal in so few rounds that it accuses fewer than 1 in 10,000', (_, draw) => {
    const random = seeded(20_261_125);
    const samples = 1500;
    let wrong = 0;
    for (let count = 0; count < samples; count += 1) {
      // Of 10 requests, 9 have to be together, which is the most probable.
      const pauses = Array.from({ length: 10 }, () => Math.round(draw(random)));
      const calls = together(0, pauses, 1);
      const { notJudged } = withoutPause(jitterOf(calls));
      if (notJudged?.includes('only once') === true) wrong += 1;
    }
    // Two of two rounds are wrong in 1 of 90,000 runs then, and two of four in 1 of 15,000.
    expect(wrong).toBeLessThanOrEqual(samples / 300);
  });
});

describe('pauses of people', () => {
  it.each(people)(
    'of about %i ms are taken for those of a program in fewer than 1 in 10,000',
    (middleMs, variation, count) => {
      const random = seeded(20_261_127);
      let wrong = 0;
      for (let one = 0; one < 20_000; one += 1) {
        const pauses = person(random, middleMs, variation, count);
        if (areOfProgram(pauses) || areOfRhythm(pauses)) wrong += 1;
      }
      expect(wrong).toBeLessThan(2);
    },
  );
});
