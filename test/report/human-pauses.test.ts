import { describe, expect, it } from 'vitest';
import { areOfProgram } from '../../src/report/human-pauses.ts';
import { seeded } from './seeded.ts';

/** Pauses of a person: the middle one, and the standard deviation of their logarithms. */
function person(random: () => number, middleMs: number, variation: number, count: number): readonly number[] {
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(Math.log(middleMs) + variation * normal);
  });
}

describe('pauses', () => {
  it.each([
    [2000, 0.5, 10],
    [2600, 0.35, 15],
    [3000, 0.3, 40],
    [3000, 0.5, 15],
    [8000, 0.8, 10],
  ])(
    'of people of about %i ms are hardly ever taken for those of a program',
    (middleMs, variation, count) => {
      const random = seeded(20_261_125);
      let wrong = 0;
      for (let one = 0; one < 2000; one += 1)
        if (areOfProgram(person(random, middleMs, variation, count))) wrong += 1;
      expect(wrong).toBe(0);
    },
  );

  it.each([
    ['equal, but for the noise of a timer', 5, (random: () => number) => 3000 + 15 * random()],
    ['doubled', 6, (random: () => number, index: number) => 1000 * 2 ** (index % 4) + 5 * random()],
    ['drawn from 0.2 s to 2 s', 60, (random: () => number) => 200 + 1800 * random()],
    ['about 0.7 s', 6, (random: () => number) => 600 + 200 * random()],
  ])('show a program if they are %s', (_, count, draw) => {
    const random = seeded(7);
    expect(areOfProgram(Array.from({ length: count }, (__, index) => draw(random, index)))).toBe(true);
  });

  it('of which a few are equal show nothing', () => {
    expect(areOfProgram([2000, 2001, 2002, 3100, 4700, 1800])).toBe(false);
    expect(areOfProgram([])).toBe(false);
  });
});
