import { describe, expect, it } from 'vitest';
import { areOfProgram, areOfRhythm } from '../../src/report/human-pauses.ts';
import { people, person } from './people.ts';
import { seeded } from './seeded.ts';

describe('pauses', () => {
  it.each(people)(
    'of people of about %i ms are hardly ever taken for those of a program',
    { tags: ['slow'] },
    (middleMs, variation, count) => {
      const random = seeded(20_261_125);
      let wrong = 0;
      for (let one = 0; one < 1000; one += 1) {
        const pauses = person(random, middleMs, variation, count);
        if (areOfProgram(pauses) || areOfRhythm(pauses)) wrong += 1;
      }
      expect(wrong).toBe(0);
    },
  );

  it(
    'of people who wait longer each time are hardly ever taken for those of a program',
    { tags: ['slow'] },
    () => {
      const random = seeded(20_261_126);
      let wrong = 0;
      for (let one = 0; one < 1000; one += 1)
        if (areOfRhythm(person(random, 1500, 0.3, 8).map((pause, index) => pause * 1.5 ** index))) wrong += 1;
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

  it.each([
    [
      'doubled up to a maximum',
      7,
      (random: () => number, index: number) => Math.min(30, 2 ** index) * 1000 + 8 * random(),
    ],
    ['1 s longer each time', 5, (random: () => number, index: number) => 1000 * (index + 1) + 8 * random()],
    ['0.7 s longer each time', 7, (random: () => number, index: number) => 700 * (index + 1) + 8 * random()],
    [
      'half as long again each time',
      6,
      (random: () => number, index: number) => 1000 * 1.5 ** index + 8 * random(),
    ],
  ])('one after another show a program if they are %s', (_, count, draw) => {
    const random = seeded(7);
    const pauses = Array.from({ length: count }, (__, index) => draw(random, index));
    expect(areOfRhythm(pauses)).toBe(true);
    expect(areOfProgram(pauses)).toBe(false);
  });

  it('of which a few are equal show nothing', () => {
    expect(areOfProgram([2000, 2001, 2002, 3100, 4700, 1800])).toBe(false);
    expect(areOfProgram([])).toBe(false);
  });
});
