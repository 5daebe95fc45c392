import { describe, expect, it } from 'vitest';
import { maskFor } from '../../src/upstream/key-mask/key-mask.ts';
import { KeyMasks } from '../../src/upstream/proxy/key-masks.ts';

const longest = letters(15_000);

describe('the masks of keys', () => {
  it(
    'are remembered for the keys that were used last, and forgotten for the others',
    { tags: ['slow'] },
    () => {
      const masks = new KeyMasks();
      const [one, other] = [masks.of('lp_live_7KmzPq3R'), masks.of('lp_live_Xw8cNd5B')];
      masks.of(letters(4070));
      expect(masks.of('lp_live_7KmzPq3R')).toBe(one);
      masks.of(letters(1001));
      expect(masks.of('lp_live_7KmzPq3R')).toBe(one);
      expect(masks.of('lp_live_Xw8cNd5B')).not.toBe(other);
    },
  );

  it(
    'find every part of a very long key as it is, and encodings of its beginning',
    { tags: ['slow'] },
    () => {
      const mask = maskFor([longest]);
      for (const at of [0, 1000, 7000, 14_970])
        expect(mask(`"${longest.slice(at, at + 30)}"`)).toBe('"[key]"');
      for (const encoding of ['hex', 'base64'] as const)
        expect(mask(`"${Buffer.from(longest.slice(300, 360)).toString(encoding)}"`)).toBe('"[key]"');
    },
  );

  it('take time that is proportional to the length of a key', { tags: ['slow'] }, () => {
    // The best of some, because other work on the machine disturbs.
    expect(Math.min(...[1, 2, 3].map(() => cpuOf(() => maskFor([longest]))))).toBeLessThan(400);
  });
});

/** Returns letters and digits of which hardly two parts are the same. */
function letters(length: number): string {
  let state = length;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8).toString(36).at(-1);
  }).join('');
}

/** Returns how many milliseconds of CPU something takes. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
