import { describe, expect, it } from 'vitest';
import type { Options } from '../../src/assumptions.ts';
import { EarlierCalls } from '../../src/upstream/calibrate/earlier-calls.ts';
import { Pace } from '../../src/upstream/calibrate/pace.ts';
import type { Reply } from '../../src/upstream/calibrate/reply.ts';
import { Unreachable, type Request } from '../../src/upstream/calibrate/upstream.ts';

const beginning = Date.parse('2026-11-20T10:00:30.000Z');

/** A pace on a clock that moves by waiting alone; the service's clock is three seconds ahead. */
function pace(
  pauseSeconds: number,
  statuses: readonly (readonly [status: number | 'dropped' | 'output-error', retryAfter?: string])[] = [],
  throttleReply: Options['throttleReply'] | null = null,
) {
  let now = beginning;
  const calls: { readonly second: number; readonly request: Request }[] = [];
  const reply = (): Reply => {
    const [status, retryAfter = null] = statuses[calls.length - 1] ?? [200];
    if (status === 'dropped') throw new Unreachable('was not reachable: socket hang up', true);
    const headers: Readonly<Record<string, string | null>> = {
      date: new Date(now + 3000).toUTCString(),
      'retry-after': retryAfter,
    };
    const outputs = [{ status: 'error', data: undefined, errorMessage: 'Slow down' }] as const;
    const isError = status === 'output-error';
    return {
      status: isError ? 200 : status,
      header: (name) => headers[name] ?? null,
      text: '',
      headerNames: [],
      hasMark: false,
      outputs: isError ? outputs : null,
    };
  };
  const upstream = {
    base: 'https://api.school.example',
    call: (request: Request) => {
      calls.push({ second: (now - beginning) / 1000, request });
      return Promise.resolve().then(reply);
    },
    read: () => Promise.resolve(reply()),
  };
  const reasons: string[] = [];
  const wait = (seconds: number, why = ''): Promise<void> => {
    reasons.push(`${seconds} s: ${why}`);
    return Promise.resolve(void (now += seconds * 1000));
  };
  const time = { now: () => now, wait };
  const earlierCalls = throttleReply === null ? null : new EarlierCalls({ throttleReply }, time.now);
  return {
    pace: new Pace(upstream, time, pauseSeconds, (text) => text, { earlierCalls }),
    reasons,
    seconds: () => calls.map(({ second }) => second),
    operations: () => calls.map(({ request }) => request.operation),
  };
}

describe('the calls of calibrate', () => {
  it('come one after another, with a pause between them', async () => {
    const { pace: one, seconds } = pace(2);
    for (const operation of ['get-all-instructors', 'get-all-live-events', 'get-quiz-details'] as const)
      await one.call({ operation });
    expect(seconds()).toEqual([0, 2, 4]);
  });

  it('are never more in a minute than the documented limit, elements counted', async () => {
    const { pace: one, seconds } = pace(0);
    for (let made = 0; made < 16; made += 1) await one.call({ operation: 'get-all-instructors' });
    expect(seconds()).toEqual([...Array.from({ length: 15 }, () => 0), 61]);
    const { pace: other, seconds: others } = pace(0);
    const elements = Array.from({ length: 40 }, () => ({}));
    for (let made = 0; made < 2; made += 1) await other.call({ operation: 'get-quiz-details', elements });
    await other.call({ operation: 'get-quiz-details' });
    expect(others()).toEqual([0, 61, 61]);
  });

  it('say why they wait, for which operation', async () => {
    const { pace: one, reasons } = pace(0, [[200], [429, '7']]);
    await one.call({ operation: 'get-quiz-details' });
    await one.call({ operation: 'get-quiz-details' });
    for (let made = 0; made < 16; made += 1) await one.call({ operation: 'get-all-instructors' });
    expect(reasons).toEqual([
      '7 s: get-quiz-details: the service returned HTTP 429',
      '61 s: get-all-instructors: its limit of 15 calls per minute is used up',
    ]);
  });

  it('that never fit are made when nothing else counts', async () => {
    const { pace: one, seconds } = pace(0);
    await one.call({ operation: 'get-quiz-details' });
    await one.call({ operation: 'get-quiz-details', elements: Array.from({ length: 101 }, () => ({})) });
    await one.call({ operation: 'get-quiz-details' });
    expect(seconds()).toEqual([0, 61, 122]);
  });

  it.each<readonly [string, readonly [number, string?], number]>([
    ['after as many seconds as it says', [429, '7'], 7],
    ['after a minute where it does not say', [429], 61],
    ['at the moment that it names, on its own clock', [503, 'Fri, 20 Nov 2026 10:01:00 GMT'], 27],
    ['at a moment hours ago, as if it named none', [429, 'Fri, 20 Nov 2026 08:00:00 GMT'], 61],
    ['after a quarter of an hour at most', [429, '900'], 900],
  ])('that are throttled all the same are made once more %s', async (_, throttled, seconds) => {
    const { pace: one, seconds: made } = pace(0, [throttled]);
    expect((await one.call({ operation: 'get-quiz-details' })).status).toBe(200);
    expect(made()).toEqual([0, seconds]);
  });

  describe('that are throttled in the first minute', () => {
    const read = { operation: 'get-quiz-details' } as const;

    it('teach nothing about the limit, which other commands may have used up', async () => {
      const { pace: one, reasons, seconds } = pace(0, [[429, '7']]);
      for (let made = 0; made < 12; made += 1) await one.call(read);
      expect(seconds()).toEqual([0, ...Array.from({ length: 12 }, () => 7)]);
      expect(reasons).toEqual(['7 s: get-quiz-details: the service returned HTTP 429']);
    });

    it('wait as long as the service says each time', async () => {
      const { pace: one, seconds } = pace(0, [[429, '7'], [200], [429, '9']]);
      for (let made = 0; made < 3; made += 1) await one.call(read);
      expect(seconds()).toEqual([0, 7, 7, 16, 16]);
    });

    it('and later teach the limit, because no earlier call counts then', async () => {
      const { pace: one, reasons, seconds } = pace(0, [[200], [200], [200], [429, '7']]);
      await one.rest(61);
      for (let made = 0; made < 5; made += 1) await one.call(read);
      expect(seconds()).toEqual([61, 61, 61, 61, 68, 122]);
      expect(reasons.at(-1)).toBe('54 s: get-quiz-details: its limit of 3 calls per minute is used up');
    });
  });

  it.each([
    ['http-403', 403, 'the service returned HTTP 403'],
    ['output-error', 'output-error', 'the output reports an error'],
  ] as const)('say why they wait for earlier calls: %s', async (throttleReply, status, what) => {
    const { pace: one, reasons } = pace(0, [[status]], throttleReply);
    await one.call({ operation: 'get-quiz-details' });
    expect(reasons).toEqual([
      `61 s: get-quiz-details: ${what}, perhaps because calls before this run have used up its limit`,
    ]);
  });

  it('of a probe that needs a whole limit wait until no call before the run counts, either', async () => {
    const { pace: one, seconds } = pace(0);
    await one.settle('get-quiz-details');
    await one.call({ operation: 'get-quiz-details' });
    await one.rest(100);
    await one.settle('get-quiz-details');
    await one.call({ operation: 'get-quiz-details' });
    expect(seconds()).toEqual([61, 161]);
  });

  it.each([403, 503])('that are refused for an unknown reason wait for no limit: HTTP %i', async (status) => {
    const { pace: one, reasons } = pace(0, [[status], [status]]);
    expect((await one.call({ operation: 'get-quiz-details' })).status).toBe(status);
    expect(reasons).not.toContainEqual(expect.stringContaining('61 s'));
  });

  it.each([
    ['901', 'asks to wait 901 s'],
    ['Sat, 21 Nov 2026 10:00:33 GMT', 'asks to wait 86400 s'],
  ])('end where the service asks to wait longer: %s', async (retryAfter, words) => {
    const { pace: one, seconds } = pace(0, [[429, retryAfter]]);
    await expect(one.call({ operation: 'get-quiz-details' })).rejects.toThrow(
      `https://api.school.example ${words} (Retry-After), but this command waits at most 900 s.`,
    );
    expect(seconds()).toEqual([0]);
  });

  it('end where all waits together would be longer than an hour', async () => {
    const throttled = Array.from({ length: 5 }, () => [[429, '800'], [200]] as const).flat();
    const { pace: one } = pace(0, throttled);
    for (let made = 0; made < 4; made += 1) await one.call({ operation: 'get-quiz-details' });
    await expect(one.call({ operation: 'get-quiz-details' })).rejects.toThrow(
      'https://api.school.example throttles too many calls: this command has waited 4 times, 3200 s in total, and would now wait 800 s more. It waits at most 3600 s in a run. Set a larger --pace. Run this command again later.',
    );
  });

  it('that fail with a server error are made once more, a second later', async () => {
    const { pace: one, seconds } = pace(0, [[502]]);
    expect((await one.call({ operation: 'get-quiz-details' })).status).toBe(200);
    expect(seconds()).toEqual([0, 1]);
  });

  it.each([
    ['that read are made once more, a second later', 'get-quiz-details', [0, 1]],
    ['that write are not, because they may have taken effect', 'update-interactive-coding-lab', [0]],
  ] as const)('on a dropped connection %s', async (_, operation, made) => {
    const { pace: one, seconds } = pace(0, [['dropped']]);
    const status = await one.call({ operation }).then(
      (reply) => reply.status,
      () => null,
    );
    expect([status, seconds()]).toEqual([made.length === 1 ? null : 200, made]);
  });

  it('on connections that are dropped twice are given up', async () => {
    const { pace: one, seconds } = pace(0, [['dropped'], ['dropped']]);
    await expect(one.call({ operation: 'get-quiz-details' })).rejects.toThrow('socket hang up');
    expect(seconds()).toEqual([0, 1]);
  });

  it('end after three such failures in a row if a list fails, too', async () => {
    const {
      pace: one,
      seconds,
      operations,
    } = pace(
      0,
      Array.from({ length: 99 }, () => [500] as const),
    );
    const call = () => one.call({ operation: 'get-quiz-details' });
    await call();
    await call();
    await expect(call()).rejects.toThrow('is down: its last 4 calls failed, at last with: HTTP 500.');
    expect(seconds()).toEqual([0, 1, 1, 2, 2, 3, 3]);
    expect(operations().at(-1)).toBe('get-all-live-events');
  });

  it('end after three calls in a row without a response if a list gets none, either', async () => {
    const { pace: one, operations } = pace(
      0,
      Array.from({ length: 99 }, () => ['dropped'] as const),
    );
    const call = () => one.call({ operation: 'get-quiz-details' });
    await expect(call()).rejects.toThrow(Unreachable);
    await expect(call()).rejects.toThrow(Unreachable);
    await expect(call()).rejects.toThrow(
      'is down: its last 4 calls failed, at last with: was not reachable: socket hang up. Run this command again later.',
    );
    expect(operations()).toEqual([
      ...Array.from({ length: 6 }, () => 'get-quiz-details'),
      ...Array.from({ length: 2 }, () => 'get-all-live-events'),
    ]);
  });

  it('go on after calls without a response if a list succeeds', async () => {
    const { pace: one, operations } = pace(
      0,
      Array.from({ length: 12 }, (_, at) => [at === 3 ? 200 : 'dropped'] as const),
    );
    const write = () => one.call({ operation: 'update-interactive-coding-lab' });
    for (let made = 0; made < 5; made += 1) await expect(write()).rejects.toThrow(Unreachable);
    expect(operations().filter((operation) => operation === 'get-all-live-events')).toHaveLength(1);
  });

  it('that read and are dropped when they are repeated are made once more', async () => {
    const { pace: one, seconds } = pace(0, [[503], ['dropped']]);
    expect((await one.call({ operation: 'get-quiz-details' })).status).toBe(200);
    expect(seconds()).toEqual([0, 1, 2]);
  });

  it('go on after such failures if a list succeeds: the service fails only for some calls', async () => {
    const statuses = Array.from({ length: 13 }, (_, at) => [at === 6 ? 200 : 500] as const);
    const { pace: one, seconds } = pace(0, statuses);
    for (let made = 0; made < 5; made += 1)
      expect((await one.call({ operation: 'get-quiz-details' })).status).toBe(500);
    expect(seconds()).toHaveLength(11);
  });

  it('may wait for a second of the minute on the clock of the service', async () => {
    const { pace: one, seconds } = pace(0);
    await one.call({ operation: 'get-quiz-details' });
    await one.clock.waitForSecond(40);
    await one.callAtOnce({ operation: 'get-quiz-details' });
    await one.clock.waitForSecond(5);
    await one.callAtOnce({ operation: 'get-quiz-details' });
    expect(seconds()).toEqual([0, 7, 32]);
  });
});
