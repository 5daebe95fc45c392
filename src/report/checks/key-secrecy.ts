import type { Check } from '../check.ts';

const names = { url: 'URL', body: 'body' } as const;

export const keySecrecy: Check = {
  check: 'key-secrecy',
  title: 'Keeps the key out of URLs and bodies',
  rule: 'The client must send the API key only in its header, because URLs and bodies end up in logs.',
  occasion: 'calls',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts }) => {
    const breaches = attempts
      .filter(({ entry }) => entry.keyElsewhere.length > 0)
      .map((attempt) => ({
        message: `The client sent a key in the ${attempt.entry.keyElsewhere.map((place) => names[place]).join(' and the ')}.`,
        calls: [attempt] as const,
      }));
    return { occasions: attempts.length, breaches };
  },
};
