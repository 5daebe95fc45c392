import { describe, expect, it } from 'vitest';
import { secondSandbox, verdictOn, type Change } from './second-sandbox.ts';

const second = secondSandbox();

/** Returns what calibrate finds for a service that sends headers with every response. */
async function calibratedWith(names: readonly string[]) {
  const change: Change = (_, reply) => {
    const headers = new Headers(reply.headers);
    for (const name of names) headers.set(name, '60');
    return new Response(reply.body, { status: reply.status, headers });
  };
  const done = await second.calibrated({}, { change });
  return { ...done, verdict: verdictOn('rateLimitHeaders', done) };
}

describe('calibrate does not take headers of rate limits for none:', () => {
  it.each([
    ['of a minute', ['X-RateLimit-Limit-Minute', 'X-RateLimit-Remaining-Minute']],
    ['of 60 seconds', ['X-RateLimit-Limit-60']],
    ['with a dash', ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset']],
    ['of a vendor', ['X-Acme-RateLimit-Used']],
    ['of the draft, for a minute', ['RateLimit-Limit-Minute']],
  ])('those %s are of no option, and the reason names them', async (_, names) => {
    const { verdict, departures } = await calibratedWith(names);
    const listed = names.map((name) => name.toLowerCase());
    expect(verdict).toMatchObject({
      option: null,
      why: `the service matches none of the options: headers of get-all-instructors: ${listed.toSorted().join(', ')}`,
    });
    for (const name of listed)
      expect(departures).toContainEqual(
        expect.objectContaining({
          what: `the header ${name} of an operation`,
          service: 'present',
          sandbox: 'absent',
        }),
      );
  });

  it.each([
    ['X-RateLimit-Reset alone', ['X-RateLimit-Reset'], 'x-ratelimit'],
    [
      'those of a minute beside those of an option',
      ['RateLimit-Limit', 'X-RateLimit-Limit-Minute'],
      'ratelimit',
    ],
  ])('%s', async (_, names, option) => {
    expect((await calibratedWith(names)).verdict.option).toBe(option);
  });
});
