import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConflictError, SandboxError, NotFoundError, type SandboxHandle } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { coupon, labId, quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { frozen } from '../support/wire.ts';
import { resultOf, world } from '../support/world.ts';
import { errorOf } from '../support/error-of.ts';
import { serve } from '../support/serve.ts';

const titled = (sandbox: SandboxHandle, labTitle: string) => sandbox.state.patch('labs', labId, { labTitle });
const titleIn = async (sandbox: SandboxHandle) => (await sandbox.state.get('labs', labId))?.labTitle;
const namesIn = async ({ snapshots }: SandboxHandle) => (await snapshots.list()).map(({ name }) => name);
const chosenIn = async ({ assumptions }: SandboxHandle) =>
  Object.fromEntries((await assumptions.list()).map(({ name, chosen }) => [name, chosen]));

/** A call of which every reply is as good as another. */
async function statusOf(sandbox: SandboxHandle): Promise<number> {
  const { status } = await supertest(sandbox.baseUrl)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .send({ data: [{ data: { quizId: quiz.id } }] });
  return status;
}

describe('a snapshot', () => {
  it('brings back the state, as a whole', async () => {
    const { sandbox, call } = await world();
    await titled(sandbox, 'Then');
    await sandbox.state.remove('coupons', coupon.id);
    await sandbox.state.put('users', { id: 'added', schoolIds: [] });
    const then = await sandbox.state.export();
    await sandbox.snapshots.take('then');
    await titled(sandbox, 'Now');
    await sandbox.state.put('coupons', {
      id: coupon.id,
      schoolId: (await sandbox.state.list('schools'))[0]?.id ?? '',
      productId: coupon.productId,
    });
    await sandbox.state.remove('users', 'added');
    await sandbox.state.patch('quizzes', quiz.id, { quizTitle: 'Now' });
    resultOf(await call('create-instructor-account', { instructorEmail: 'ana@teachers.example' }));
    await sandbox.snapshots.restore('then');
    expect(await sandbox.state.export()).toEqual(then);
    expect(resultOf(await call('get-quiz-details', { quizId: quiz.id }))).not.toHaveProperty(
      'quizTitle',
      'Now',
    );
  });

  it('brings back the state after a reset, with the moment from which its times count', async () => {
    const { sandbox } = await world(frozen);
    const then = await sandbox.state.export();
    await sandbox.snapshots.take('then');
    await sandbox.clock.set({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
    await sandbox.reset();
    expect(await sandbox.state.export()).not.toEqual(then);
    await sandbox.snapshots.restore('then');
    expect(await sandbox.state.export()).toEqual(then);
  });

  it.each(['writes', 'reset', 'import'])(
    'stays as it is, whatever comes later, and can be gone back to several times: %s',
    { tags: ['slow'] },
    async (how) => {
      const { sandbox, call } = await world();
      await titled(sandbox, 'Then');
      const then = await sandbox.state.export();
      await sandbox.snapshots.take('then');
      for (let round = 0; round < 3; round += 1) {
        resultOf(await call('update-interactive-coding-lab', { labId, labTitle: `Round ${round}` }));
        if (how === 'reset') await sandbox.reset();
        if (how === 'import') await sandbox.state.import({ collections: {} });
        expect(await sandbox.state.export()).not.toEqual(then);
        await sandbox.snapshots.restore('then');
        expect(await sandbox.state.export()).toEqual(then);
        // The first write after a restore must not find its way into the snapshot either.
        resultOf(await call('update-interactive-coding-lab', { labId, labTitle: `After ${round}` }));
        await sandbox.snapshots.restore('then');
        expect(await sandbox.state.export()).toEqual(then);
      }
      expect(await sandbox.snapshots.list()).toMatchObject([{ name: 'then', changedRecords: 1 }]);
    },
  );

  it('brings back a frozen clock', async () => {
    const { sandbox } = await world(frozen);
    await sandbox.snapshots.take('then');
    await sandbox.clock.set({ mode: 'real' });
    await sandbox.clock.advance({ seconds: 86_400 });
    await sandbox.snapshots.restore('then');
    expect((await sandbox.describe()).clock).toEqual(frozen.clock);
    await sandbox.clock.advance({ seconds: 1 });
    await sandbox.snapshots.restore('then');
    expect((await sandbox.describe()).clock).toEqual(frozen.clock);
  });

  it('brings back a clock that runs, from the moment at which it was taken', async () => {
    const { sandbox } = await world();
    await sandbox.clock.set({ mode: 'real', now: '2020-05-01T12:00:00.000Z' });
    await sandbox.snapshots.take('then');
    await sandbox.clock.set({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
    await sandbox.snapshots.restore('then');
    const { mode, now } = (await sandbox.describe()).clock;
    expect([mode, now.slice(0, 10)]).toEqual(['real', '2020-05-01']);
  });

  it('brings back the assumptions, and how the operations follow them', async () => {
    const { sandbox, call } = await world({ assumptions: { unknownId: 'http-404' } });
    const then = await chosenIn(sandbox);
    await sandbox.snapshots.take('then');
    await sandbox.assumptions.profile('strict');
    await sandbox.assumptions.choose({ unknownId: 'element-error', rateLimitScope: 'school-and-operation' });
    expect((await call('get-quiz-details', { quizId: 'none' })).status).not.toBe(404);
    await sandbox.snapshots.restore('then');
    expect(await chosenIn(sandbox)).toEqual(then);
    expect((await call('get-quiz-details', { quizId: 'none' })).status).toBe(404);
  });

  it('brings back the checks of parameters that go with the assumptions', async () => {
    const { sandbox, call } = await world({ assumptions: { unknownFields: 'refuse' } });
    const asked = { quizId: quiz.id, extra: 1 };
    const outputs = async (): Promise<string> => (await call('get-quiz-details', asked)).text;
    const then = await outputs();
    await sandbox.snapshots.take('then');
    await sandbox.assumptions.choose({ unknownFields: 'ignore' });
    expect(await outputs()).not.toBe(then);
    await sandbox.snapshots.restore('then');
    expect(await outputs()).toBe(then);
  });

  it('brings back the rules and the scenario, in their order and with their ids, counting anew', async () => {
    const { sandbox } = await world({ scenario: 'outage-then-recovery' });
    await sandbox.faults.add({ id: 'mine', fault: 'http-error', with: { status: 503 }, when: { first: 1 } });
    await sandbox.faults.add({
      fault: 'throttled',
      when: { probability: 0 },
      match: { school: 'hillcrest' },
    });
    const then = await sandbox.faults.list();
    expect(then.length).toBeGreaterThan(2);
    await statusOf(sandbox);
    expect(await sandbox.faults.list()).not.toEqual(then);
    await sandbox.snapshots.take('then');
    expect(await sandbox.snapshots.list()).toMatchObject([{ rules: then.length }]);
    await sandbox.faults.change('mine', { with: { status: 500 } });
    await sandbox.scenario.play('flaky-network');
    await sandbox.faults.add({ id: 'later', fault: 'empty-response' });
    await sandbox.snapshots.restore('then');
    expect(await sandbox.faults.list()).toEqual(then);
    expect(await sandbox.scenario.current()).toBe('outage-then-recovery');
    await sandbox.faults.clear();
    await sandbox.snapshots.restore('then');
    expect(await sandbox.faults.list()).toEqual(then);
  });

  it('without rules brings back none, and without a scenario none', async () => {
    const { sandbox } = await world();
    await sandbox.snapshots.take('then');
    await sandbox.scenario.play('bad-gateway');
    await sandbox.faults.add({ fault: 'reset' });
    await sandbox.snapshots.restore('then');
    expect(await sandbox.faults.list()).toEqual([]);
    expect(await sandbox.scenario.current()).toBeNull();
    expect(await statusOf(sandbox)).toBe(200);
  });

  it('lets a rule fire anew as often as it may', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add({ fault: 'http-error', with: { status: 503 }, when: { first: 2 } });
    const round = async () => [await statusOf(sandbox), await statusOf(sandbox), await statusOf(sandbox)];
    expect(await round()).toEqual([503, 503, 200]);
    await sandbox.snapshots.take('then');
    expect(await round()).toEqual([200, 200, 200]);
    await sandbox.snapshots.restore('then');
    expect(await round()).toEqual([503, 503, 200]);
  });

  it('lets a rule with an end last as long again, on the clock that came back', async () => {
    const { sandbox } = await world(frozen);
    await sandbox.faults.add({ fault: 'http-error', with: { status: 503 }, when: { ttlSeconds: 10 } });
    await sandbox.snapshots.take('then');
    await sandbox.clock.advance({ seconds: 11 });
    expect(await statusOf(sandbox)).toBe(200);
    await sandbox.snapshots.restore('then');
    expect(await statusOf(sandbox)).toBe(503);
    await sandbox.clock.advance({ seconds: 11 });
    expect(await statusOf(sandbox)).toBe(200);
  });

  it('has the windows of the limits start anew, and leaves the limits themselves as they are', async () => {
    const { sandbox } = await world(frozen);
    await sandbox.limits.set({ operations: { 'get-quiz-details': 2 } });
    await statusOf(sandbox);
    await sandbox.snapshots.take('then');
    expect([await statusOf(sandbox), await statusOf(sandbox)]).toEqual([200, 429]);
    await sandbox.snapshots.restore('then');
    const { operations } = await sandbox.limits.read();
    expect(operations['get-quiz-details']).toMatchObject({ requests: 2, counters: [] });
    expect([await statusOf(sandbox), await statusOf(sandbox), await statusOf(sandbox)]).toEqual([
      200, 200, 429,
    ]);
  });

  it('leaves the journal as it is', async () => {
    const { sandbox } = await world();
    await statusOf(sandbox);
    await sandbox.snapshots.take('then');
    await statusOf(sandbox);
    await sandbox.snapshots.restore('then');
    await statusOf(sandbox);
    expect((await sandbox.journal.list()).map(({ requestId }) => requestId)).toEqual(
      [1, 2, 3].map((number) => `${sandbox.id}-${number}`),
    );
  });

  it('that is taken again takes the place of the one before', async () => {
    const { sandbox } = await world();
    await sandbox.snapshots.take('then');
    await titled(sandbox, 'Later');
    await sandbox.snapshots.take('then');
    await titled(sandbox, 'Now');
    await sandbox.snapshots.restore('then');
    expect(await titleIn(sandbox)).toBe('Later');
    expect(await namesIn(sandbox)).toEqual(['then']);
  });

  it('stands beside others, each with its own world, and outlives a reset', async () => {
    const { sandbox } = await world();
    for (const name of ['a', 'b', 'c']) {
      await titled(sandbox, name);
      await sandbox.snapshots.take(name);
    }
    await sandbox.reset();
    for (const name of ['b', 'a', 'c', 'a']) {
      await sandbox.snapshots.restore(name);
      expect(await titleIn(sandbox)).toBe(name);
    }
    expect(await namesIn(sandbox)).toEqual(['a', 'b', 'c']);
    await sandbox.snapshots.remove('b');
    expect(await namesIn(sandbox)).toEqual(['a', 'c']);
  });

  it('is of one sandbox alone', async () => {
    const [one, other] = [await world(), await world()];
    await one.sandbox.snapshots.take('then');
    expect(await other.sandbox.snapshots.list()).toEqual([]);
    expect((await errorOf(other.sandbox.snapshots.restore('then'))).message).toBe(
      'There is no snapshot "then". The sandbox has no snapshots.',
    );
  });
});

describe('the snapshots of a sandbox', () => {
  it('are told with their time on its clock, how much had changed, and how many rules there were', async () => {
    const { url, sandbox } = await world(frozen);
    await titled(sandbox, 'Changed');
    await sandbox.state.remove('coupons', coupon.id);
    await sandbox.faults.add({ fault: 'reset' });
    const described = { name: 'then', at: frozen.clock?.now, changedRecords: 2, rules: 1 };
    const base = `/control/sandboxes/${sandbox.id}/snapshots`;
    const client = supertest(url);
    expect(await client.put(`${base}/then`)).toMatchObject({ status: 200, body: described });
    expect((await client.get(`${base}/then`)).body).toEqual(described);
    expect((await client.get(base)).body).toEqual({ snapshots: [described] });
    expect((await client.post(`${base}/then/restore`)).status).toBe(204);
    expect((await client.delete(`${base}/then`)).status).toBe(204);
    expect((await client.get(base)).body).toEqual({ snapshots: [] });
    expect((await client.delete(`${base}/then`)).status).toBe(404);
  });

  it.each(['', 'A', 'a_b', 'a b', 'ü', 'a/b', 'x'.repeat(65), '__proto__'])(
    'have no name such as "%s"',
    async (name) => {
      const { sandbox } = await world();
      const error = await errorOf(sandbox.snapshots.take(name));
      expect(error).toBeInstanceOf(SandboxError);
      expect(error.message).toBe(
        `The name of the snapshot is invalid. /name must be 1 to 64 of a-z, 0-9 and dash, but is ${JSON.stringify(name)}.`,
      );
      expect(await sandbox.snapshots.list()).toEqual([]);
    },
  );

  it.each(['a', '0', '-', 'before-the-test', 'constructor', 'x'.repeat(64)])(
    'have a name such as "%s"',
    async (name) => {
      const { sandbox } = await world();
      await titled(sandbox, 'Then');
      await sandbox.snapshots.take(name);
      await titled(sandbox, 'Now');
      await sandbox.snapshots.restore(name);
      expect(await titleIn(sandbox)).toBe('Then');
    },
  );

  it('are listed where an unknown one is asked for', async () => {
    const { url, sandbox } = await world();
    await sandbox.snapshots.take('one');
    await sandbox.snapshots.take('two');
    const message = 'There is no snapshot "tow". The snapshots are one, two.';
    for (const attempt of [() => sandbox.snapshots.restore('tow'), () => sandbox.snapshots.remove('tow')]) {
      const error = await errorOf(attempt());
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error.message).toBe(message);
    }
    const reply = await supertest(url).get(`/control/sandboxes/${sandbox.id}/snapshots/tow`);
    expect(reply).toMatchObject({ status: 404, type: 'application/problem+json', body: { detail: message } });
    expect(await namesIn(sandbox)).toEqual(['one', 'two']);
  });

  it('are at most a hundred; one of them may be taken again, and a removed one makes room', async () => {
    const { url, sandbox } = await world();
    for (let number = 0; number < 100; number += 1) await sandbox.snapshots.take(`s-${number}`);
    const error = await errorOf(sandbox.snapshots.take('one-more'));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error.message).toBe(
      'The sandbox has the maximum number of snapshots, 100. Remove one first. This is a limit of this server, not of the platform; --max snapshots=N changes it.',
    );
    expect((await supertest(url).put(`/control/sandboxes/${sandbox.id}/snapshots/one-more`)).status).toBe(
      409,
    );
    expect(await sandbox.snapshots.list()).toHaveLength(100);
    await sandbox.snapshots.take('s-50');
    await sandbox.snapshots.remove('s-7');
    await sandbox.snapshots.take('one-more');
    expect(await namesIn(sandbox)).toContain('one-more');
  });
});

describe('a server with --data', () => {
  it('keeps the restored state, with the moment from which its times count', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    await first.default.clock.set({ mode: 'frozen', now: '2020-01-01T00:00:00.000Z' });
    await first.default.reset();
    await titled(first.default, 'Then');
    await first.default.snapshots.take('then');
    await first.default.clock.set({ mode: 'real', now: '2026-01-01T00:00:00.000Z' });
    await first.default.reset();
    await titled(first.default, 'Now');
    await first.default.snapshots.restore('then');
    const restored = await first.default.state.export();
    await first.close();
    const second = await serve({ data });
    expect(await titleIn(second.default)).toBe('Then');
    expect(await second.default.state.export()).toEqual(restored);
  });

  it('keeps what is written after a restore, and not what was before', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    await first.default.snapshots.take('untouched');
    await titled(first.default, 'Before');
    await first.default.snapshots.restore('untouched');
    await first.default.state.put('users', { id: 'added', schoolIds: [] });
    const last = await first.default.state.export();
    await first.close();
    expect(await (await serve({ data })).default.state.export()).toEqual(last);
  });
});
