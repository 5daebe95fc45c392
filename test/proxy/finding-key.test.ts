import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { Secrets } from '../../src/upstream/proxy/secrets.ts';

const key = 'lp_live_7KmzPq3RtYv8XwNc5BdHj2';
const escaped = key
  .split('')
  .map((one) => `\\\\u00${one.charCodeAt(0).toString(16)}`)
  .join('');
const isFound = (text: string): boolean =>
  withoutPause(new Secrets({ 'service-api-key': key }, '').findingKey(text));

describe('the search for a key in a body', () => {
  it(
    'finds it wherever pieces of a long body end, also escaped, and the key of a sandbox',
    { tags: ['slow'] },
    () => {
      for (const form of [key, escaped, 'sbx_default_riverside'])
        for (let before = 16_000; before < 18_000; before += 7)
          expect(isFound(`${'x'.repeat(before)} ${form} ${'y'.repeat(20_000)}`)).toBe(true);
      expect(isFound(`${'x'.repeat(100_000)}${key}`)).toBe(true);
      expect(isFound('x'.repeat(100_000))).toBe(false);
      expect(isFound('')).toBe(false);
    },
  );

  it.each([
    ['sbx_!', 3_000_000],
    ['%2541', 400_000],
    ['\\u0041', 300_000],
  ])('works in slices through %j, %i times', { tags: ['slow'] }, (part, times) => {
    const text = part.repeat(times);
    const work = new Secrets({ 'service-api-key': key }, '').findingKey(text);
    let slices = 1;
    while (work.next().done !== true) slices += 1;
    expect(slices).toBeGreaterThan(text.length / 20_000);
  });

  it(
    'finds no key in the names of the contract, wherever pieces of a long body end, but in values',
    { tags: ['slow'] },
    () => {
      const secrets = new Secrets({ 'service-api-key': 'courseItemId' }, '');
      const names = '{"data":{"courseItemId":"q"}},'.repeat(2000);
      for (let before = 0; before < 32; before += 1) {
        const shifted = `{"data":[${' '.repeat(before)}${names}`;
        expect(withoutPause(secrets.findingKey(`${shifted}7]}`))).toBe(false);
        expect(withoutPause(secrets.findingKey(`${shifted}"courseItemId",${names}7]}`))).toBe(true);
      }
    },
  );
});
