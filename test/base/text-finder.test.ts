import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextFinder } from '../../src/base/text-finder.ts';

/** Two letters, so that most of a part is found often, and wide characters beside narrow ones. */
const text = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', 'ß', '😀'), minLength: 0, maxLength: length });

describe('a part of a text', () => {
  it('is found and replaced as by the language, in short texts', () => {
    fc.assert(
      fc.property(text(40), text(5), (whole, part) => {
        fc.pre(part !== '');
        const finder = new TextFinder(part);
        expect(finder.isIn(whole)).toBe(whole.includes(part));
        expect(finder.replaceIn(whole, '$&')).toBe(whole.split(part).join('$&'));
      }),
    );
  });

  it(
    'is found and replaced as by the language, in texts so long that the language takes long',
    { tags: ['slow'] },
    () => {
      fc.assert(
        fc.property(text(30), text(30), fc.nat(20), (period, rest, at) => {
          fc.pre(period !== '');
          const part = period.repeat(Math.ceil(6000 / period.length)) + rest;
          const almost = part.slice(0, -1);
          const whole = `${almost.repeat(at % 3)}${part}${rest.repeat(at)}${part}${almost}`;
          const finder = new TextFinder(part);
          expect(finder.isIn(whole)).toBe(true);
          expect(finder.isIn(`${almost}\0${almost}\0`)).toBe(false);
          expect(finder.replaceIn(whole, '…')).toBe(whole.replaceAll(part, '…'));
        }),
        { numRuns: 50 },
      );
    },
  );
});
