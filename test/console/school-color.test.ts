import { describe, expect, it } from 'vitest';
import { behindWhite } from '../../src/console/school/school-color.ts';

describe('the color behind the white name of a school', () => {
  it('is that of the school if it is dark enough', () => {
    expect(['#8f1f2b', '#14476B', '#0b6b62'].map(behindWhite)).toEqual(['#8f1f2b', '#14476b', '#0b6b62']);
  });

  it('is a darker shade of a light color, which keeps its hue', () => {
    expect(behindWhite('#ffffff')).toBe('#757575');
    expect(behindWhite('#ffd400')).toBe('#856e00');
  });

  it('is unknown if the school has none, or a text that is no color', () => {
    expect([undefined, '', 'red', '#12345', '#1234567'].map(behindWhite)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
