import { describe, expect, it, onTestFinished } from 'vitest';
import * as always200 from './always-200.ts';
import { dataOf, outputsOf, poster, run } from './client.ts';
import * as drops from './drops.ts';
import * as firstOnly from './first-only.ts';
import * as gateway from './gateway.ts';
import * as jsonErrors from './json-errors.ts';
import * as lockedDown from './locked-down.ts';
import type { StartOptions, Upstream } from './plumbing.ts';

/** The outcome of each request in turn. */
async function outcomes(options: drops.DropsOptions, count: number): Promise<readonly string[]> {
  const { post } = await run(drops, { limitScale: 10, ...options });
  const seen: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const answer = post({ operation: 'get-all-instructors', key: drops.schools[0]?.apiKeys[0] });
    seen.push(
      await answer.then(
        ({ status }) => String(status),
        () => 'broken',
      ),
    );
  }
  return seen;
}

describe('personalities', () => {
  it('json-errors: applies a batch as a whole or not at all', async () => {
    const { post, upstream } = await run(jsonErrors);
    const operation = 'update-interactive-coding-lab';
    const sample = jsonErrors.samples[operation] as { labId: string };
    const key = jsonErrors.schools[0]?.apiKeys[0];
    const failed = await post({ operation, key, elements: [sample, { labId: 'nowhere' }] });
    expect(failed.status).toBe(404);
    expect(upstream.stored(sample.labId)).not.toMatchObject(sample);
    expect((await post({ operation, key, elements: [{ ...sample, extra: 1 }] })).status).toBe(422);
    const foreign = await post({ operation, key: jsonErrors.schools[1]?.apiKeys[0], elements: [sample] });
    expect(foreign.status).toBe(403);
  });

  it('always-200: fails element by element and accepts numbers as text', async () => {
    const { post } = await run(always200);
    const key = always200.schools[0]?.apiKeys[0];
    const elements = [{ pageNumber: '1', limit: '2' }, { pageNumber: 'x' }];
    const answer = await post({ operation: 'get-instructor-permission-presets', key, elements });
    expect(outputsOf(answer)).toMatchObject([
      { status: 'ok' },
      { status: 'error', errorMessage: 'Invalid input' },
    ]);
    expect((await post({ operation: 'nothing', key })).status).toBe(200);
  });

  it('gateway: refuses long bodies and wrong paths in front, wrong values behind', async () => {
    const { post } = await run(gateway);
    const key = gateway.schools[0]?.apiKeys[0];
    const long = await post({ operation: 'get-quiz-details', key, body: 'x'.repeat(1_048_577) });
    expect(long).toMatchObject({ status: 413, body: '{"message":"Request Too Long"}' });
    const lost = await post({ operation: 'nothing', key });
    expect(lost.status).toBe(404);
    expect(lost.headers['content-type']).toMatch(/^text\/html/);
    const wrong = await post({ operation: 'get-quiz-details', key, elements: [{ quizId: 7 }] });
    expect(wrong.status).toBe(400);
    expect(wrong.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('first-only: returns one output for several elements', async () => {
    const { post } = await run(firstOnly);
    const key = firstOnly.schools[0]?.apiKeys[0];
    const answer = await post({ operation: 'get-all-live-events', key, elements: [{}, {}, {}] });
    expect(outputsOf(answer)).toHaveLength(1);
    const [event] = dataOf(answer)['liveEvents'] as { liveEventId: unknown; sessions: object[] }[];
    expect(event?.liveEventId).toBeTypeOf('number');
    expect(event?.sessions[0]).toMatchObject({
      scheduledStartAtIso: expect.stringMatching(/\+0200$/) as string,
    });
  });

  it('drops: has the same fate for each request with the same seed', async () => {
    const rates = { drop: 0.2, burst: 0.1, truncate: 0.2, slow: 0, hang: 0 };
    const once = await outcomes({ seed: 5, rates }, 40);
    expect(new Set(once)).toEqual(new Set(['200', '502', '503', 'broken']));
    expect(await outcomes({ seed: 5, rates }, 40)).toEqual(once);
    expect(await outcomes({ seed: 6, rates }, 40)).not.toEqual(once);
  });

  it('drops: can hang, be slow, and lose the response of what took effect', async () => {
    const key = drops.schools[0]?.apiKeys[0];
    const hanging = await run({ start: () => drops.start({ rates: { ...drops.calm, hang: 1 } }) });
    const call = hanging.post({ operation: 'get-all-instructors', key });
    const quiet = new Promise<string>((done) => void setTimeout(done, 100, 'no response'));
    expect(await Promise.race([call, quiet])).toBe('no response');
    await hanging.upstream.close();
    await expect(call).rejects.toThrow();
    expect(await outcomes({ rates: { ...drops.calm, slow: 1 }, slowMs: 40 }, 1)).toEqual(['200']);
    const { post, upstream } = await run({ start: () => drops.start({ rates: { ...drops.calm, drop: 1 } }) });
    const operation = 'update-interactive-coding-lab';
    const sample = drops.samples[operation] as { labId: string; labTitle: string };
    const { labTitle } = sample;
    await expect(post({ operation, key, elements: [sample] })).rejects.toThrow();
    expect(upstream.stored(sample.labId)).not.toMatchObject({ labTitle });
    await expect(post({ operation, key, elements: [sample] })).rejects.toThrow();
    expect(upstream.stored(sample.labId)).toMatchObject({ labTitle });
  });

  it('locked-down: requires its header and keeps the connection', async () => {
    const upstream = await lockedDown.start();
    onTestFinished(() => upstream.close());
    const post = poster(upstream);
    const key = lockedDown.schools[0]?.apiKeys[0];
    const headers = { 'X-Gateway-Key': 'wrong' };
    expect(await post({ operation: 'get-all-instructors', key, headers })).toMatchObject({
      status: 403,
      body: '',
    });
    expect((await post({ operation: 'get-all-instructors', key })).status).toBe(200);
    expect(upstream.calls()).toBe(2);
    expect(upstream.connections()).toBe(1);
  });
});

/** Starts `drops` without misbehaviour. */
function startCalm(options: StartOptions = {}): Promise<Upstream> {
  return drops.start({ ...options, rates: drops.calm });
}

describe('limits', () => {
  it.each([
    { ...jsonErrors, name: 'json-errors: from the first request', later: [false], isPerKey: false },
    { ...always200, name: 'always-200: the minute of the clock', later: [true, true], isPerKey: true },
    { ...gateway, name: 'gateway: a token bucket', later: [true, false], isPerKey: true },
    { ...firstOnly, name: 'first-only: the last 60 seconds', later: [false], isPerKey: false },
    { ...drops, start: startCalm, name: 'drops: the last 60 seconds', later: [false], isPerKey: false },
    { ...lockedDown, name: 'locked-down: from the first request', later: [false], isPerKey: false },
  ])('$name', async ({ start, schools, samples, later, isPerKey }) => {
    let time = Date.UTC(2026, 5, 1, 12, 0, 30);
    const { post } = await run({ start }, { now: () => time, limitScale: 0.05 });
    const [key, otherKey] = schools[0]?.apiKeys ?? [];
    const isAllowed = async (apiKey: string | undefined): Promise<boolean> => {
      const elements = [samples['get-quiz-details'] ?? {}];
      return (await post({ operation: 'get-quiz-details', key: apiKey, elements })).body.includes(
        '"status":"ok"',
      );
    };
    for (let n = 0; n < 3; n += 1) await isAllowed(key);
    expect(await isAllowed(key)).toBe(false);
    expect(await isAllowed(otherKey)).toBe(isPerKey);
    time += 35_000;
    for (const expected of later) expect(await isAllowed(key)).toBe(expected);
  });

  it('drops: a client that keeps calling stays throttled', async () => {
    let time = 0;
    const { post } = await run({ start: startCalm }, { now: () => time, limitScale: 0.05 });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const key = drops.schools[0]?.apiKeys[0];
      statuses.push((await post({ operation: 'get-quiz-details', key })).status);
      time += 15_000;
    }
    expect(statuses).toEqual([200, 200, 200, ...Array.from({ length: 9 }, () => 429)]);
  });
});
