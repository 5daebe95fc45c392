import { expect, it } from 'vitest';
import { didYouMean } from '../../src/base/did-you-mean.ts';

it('a message never suggests a name that has nothing in common with the one received', () => {
  expect(['/x', '/xy', 'a'].map((name) => didYouMean(name, ['/', '/docs', 'b']))).toEqual(['', '', '']);
  expect(didYouMean('/doc', ['/', '/docs'])).toBe(' Did you mean "/docs"?');
});
