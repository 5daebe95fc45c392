import type { Check } from '../check.ts';

const names = { url: 'URL', body: 'body', header: 'wrong header' } as const;

export const keySecrecy: Check = {
  check: 'key-secrecy',
  title: 'Sends the key only in its header',
  rule: 'The client must send the API key only in the header SERVICE-API-KEY: URLs, bodies and other headers end up in logs. The check also finds keys that are percent-encoded, or in base64 or hexadecimal. In URLs and headers, a key can be encoded up to three times. In bodies, it can be encoded once, or up to three times in base64. In bodies, the check also finds escaped keys.',
  basis: 'The specification: the API key is sent in the header SERVICE-API-KEY.',
  strength: 'must',
  occasion: 'calls',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts, unmatched }) => {
    const requests = [...attempts, ...unmatched];
    const breaches = requests
      .filter(({ entry }) => entry.keyElsewhere.length > 0)
      .map((attempt) => ({
        message: `The client sent a key in the ${attempt.entry.keyElsewhere.map((place) => names[place]).join(' and the ')}.`,
        calls: [attempt] as const,
      }));
    return { occasions: requests.length, breaches };
  },
};
