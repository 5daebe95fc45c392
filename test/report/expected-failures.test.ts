import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { items } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';
import type { Sketch } from './entries.ts';
import { verdictOf } from './outages.ts';

const operations = [
  ['list-assignments', {}],
  ['get-instructor-permission-presets', { pageNumber: 1, limit: 4 }],
  ['get-video-library', { filterTerm: '', pageNumber: 1, folderPath: '/' }],
  ['get-course-item-data', { courseItemId: items.article }],
  ['get-all-instructors', {}],
] as const;

type Operation = (typeof operations)[number][0];

async function addRule({ sandbox }: World, operation: Operation): Promise<void> {
  await sandbox.faults.add({
    operation,
    fault: 'http-error',
    with: { status: 503, 'retry-after': 30 },
    when: { first: 1 },
  });
}

/** A call that fails, and the same again at once: two tests, or one client that does not wait. */
async function callTwice(own: World, scopeOf: (operation: Operation) => string | null): Promise<void> {
  for (const [operation, parameters] of operations) {
    const scope = scopeOf(operation);
    for (let times = 0; times < 2; times += 1) {
      const call = own.call(operation, parameters);
      if (scope !== null) call.set('Sandbox-Scope', scope);
      await call;
    }
  }
}

async function retryAfterOf({ sandbox }: World): Promise<Report['conduct'][number] | undefined> {
  const { conduct } = await sandbox.report();
  return conduct.find(({ check }) => check === 'retry-after');
}

/** The verdict on a client in a scope that never waits. */
function verdictOn(calls: readonly Partial<Sketch>[]): string | undefined {
  const told = { status: 429, outcome: 'throttled', retryAfter: 30, scope: 'a test' } as const;
  return verdictOf('retry-after', ...calls.map((call, index) => ({ ms: index * 10, ...told, ...call })));
}

/** A call of a test, and retries at once while a rule is there that was added after so many calls. */
function hammering(armedAfter: number): readonly Sketch[] {
  const scope = 'a test';
  const failing = { status: 503, faults: ['http-error'], armedAfter };
  return [
    { ms: 0 },
    { ms: 1, scope },
    ...Array.from({ length: 15 }, (_, index) => ({
      ms: 2 + index,
      scope,
      elements: [{ quizId: `b${Math.floor(index / 5)}` }],
      ...failing,
    })),
  ];
}

/** A scenario without successes, after which a client may send requests again as soon as on a busy machine. */
const outage = `
summary: The service is down.
lesson: Waits as long as Retry-After says.
rules:
  - fault: http-error
    with: { status: 503, retry-after: 30 }
`;

function without(): null {
  return null;
}

describe('a failure', () => {
  it('counts if its rule was there before the first call', async () => {
    const own = await world();
    for (const [operation] of operations) await addRule(own, operation);
    await callTwice(own, without);
    expect(await retryAfterOf(own)).toMatchObject({ verdict: 'failed' });
  });

  it('is not judged if its rule was added between the calls, because a test may have expected it', async () => {
    const own = await world();
    await own.call('list-assignments', {});
    for (const [operation] of operations) await addRule(own, operation);
    await callTwice(own, without);
    expect(await retryAfterOf(own)).toMatchObject({
      verdict: 'not-judged',
      message:
        'Not judged: Some failures come from rules that were added between the calls, or were requested by the calls, so tests may have expected them. Give each test a scope, and add its rules before its first call.',
      findings: [],
    });
  });

  it('is not judged if the call requested it', async () => {
    const own = await world();
    for (const [operation, parameters] of operations) {
      await own.call(operation, parameters).set('Sandbox-Fault', 'http-error; status=503; retry-after=30');
      await own.call(operation, parameters);
    }
    expect(await retryAfterOf(own)).toMatchObject({ verdict: 'not-judged', findings: [] });
  });

  it('counts in the scope of a test, whoever armed it', { tags: ['slow'] }, async () => {
    const own = await world();
    await own.call('list-assignments', {});
    for (const [operation] of operations) await addRule(own, operation);
    await callTwice(own, (operation) => operation);
    expect(await retryAfterOf(own)).toMatchObject({ verdict: 'failed' });
  });

  it('is not judged in a scope if the calls requested different ones: a retry requests the same', () => {
    const statuses = [500, 501, 502, 503, 504];
    expect(verdictOn(statuses.map((status) => ({ asks: `http-error; status=${status}` })))).toBe(
      'not-judged',
    );
    expect(verdictOn(statuses.map(() => ({ asks: 'http-error; status=503' })))).toBe('failed');
  });

  it('is not judged in a scope if the call requested it, unless the client sends it three times', () => {
    const ids = ['fault.http-error.500', 'fault.http-error.503', 'fault.reset', 'fault.garbage'];
    const asking = (times: number, more: Partial<Sketch> = {}): readonly Sketch[] =>
      ids.flatMap((quizId, place) =>
        Array.from({ length: times }, (_, index) => ({
          ms: place * 1000 + index,
          scope: 'a test',
          status: 503,
          faults: ['http-error'],
          isRequested: true,
          elements: [{ quizId }],
          ...more,
        })),
      );
    const others = Array.from({ length: 8 }, (_, index) => ({
      ms: 4000 + index,
      scope: 'a test',
      elements: [{ quizId: `${index}` }],
    }));
    expect(verdictOf('giving-up', ...asking(1), ...others)).toBe('not-judged');
    expect(verdictOf('retry-after', ...asking(2, { retryAfter: 30 }))).toBe('not-judged');
    expect(verdictOf('retry-after', ...asking(3, { retryAfter: 30 }))).toBe('failed');
  });

  it('is not judged in a scope if its rule was added after the first call of the scope', () => {
    expect(verdictOf('hammering', ...hammering(1))).toBe('failed');
    expect(verdictOf('hammering', ...hammering(2))).toBe('not-judged');
  });

  it('is not judged in a scope if the rules were changed before the next call', () => {
    expect(verdictOn([1, 2, 3].map((ruleChanges) => ({ ruleChanges })))).toBe('not-judged');
    expect(verdictOn([2, 2, 2].map((ruleChanges) => ({ ruleChanges })))).toBe('failed');
  });

  it('counts if a scenario began between the calls', { tags: ['slow'] }, async () => {
    const own = await world();
    await own.call('list-assignments', {});
    const file = join(temporaryFolder(), 'outage.yaml');
    writeFileSync(file, outage);
    await own.sandbox.scenario.play(file);
    for (let times = 0; times < 5; times += 1) await callTwice(own, without);
    expect(await retryAfterOf(own)).toMatchObject({ verdict: 'failed' });
  });

  it(
    'counts if a rule that was added between the calls fails one request twenty times',
    { tags: ['slow'] },
    async () => {
      const own = await world();
      await own.call('list-assignments', {});
      await own.sandbox.faults.add({ fault: 'http-error', with: { status: 503, 'retry-after': 30 } });
      for (let times = 0; times < 20; times += 1)
        await own.call('get-course-item-data', { courseItemId: items.article });
      expect(await retryAfterOf(own)).toMatchObject({ verdict: 'failed' });
    },
  );
});
