import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  CapacityError,
  NotFoundError,
  type SandboxHandle,
  type SandboxServer,
  type StartOptions,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { serve } from '../support/serve.ts';
import { labId, quiz, sessions } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';

/** From here to the end of the test, real time passes only where the test says so. */
function holdRealTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

function pass(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

/** The ids of those that are there; looking at the list is no use of any. */
async function idsOn({ url }: SandboxServer): Promise<readonly string[]> {
  const { body } = await supertest(url).get('/control/sandboxes').expect(200);
  // As openapi/control.yaml has it.
  return (body as { sandboxes: readonly { id: string }[] }).sandboxes.map(({ id }) => id);
}

function callBy({ url }: SandboxServer, key: string): Test {
  return supertest(url)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', key)
    .send({ data: [{ data: { quizId: quiz.id } }] });
}

const rename = (sandbox: SandboxHandle | null, labTitle: string) =>
  sandbox?.state.patch('labs', labId, { labTitle });
const titleIn = async (sandbox: SandboxHandle | null) => (await sandbox?.state.get('labs', labId))?.labTitle;

/** Waits for what the disk does. */
/** The names of the files in which a sandbox is stored. */
function filesOf(data: string, id: string): readonly string[] {
  return readdirSync(data).filter((name) => name.startsWith(`${id}.`) && !name.endsWith('.lock'));
}

describe('a sandbox with ttlSeconds', () => {
  it('goes when nobody has used it for so long, and not a moment before', async () => {
    const server = await serve();
    holdRealTime();
    const sandbox = await server.createSandbox({ id: 'brief', ttlSeconds: 60 });
    expect(await sandbox.describe()).toHaveProperty('ttlSeconds', 60);
    pass(59.999);
    expect(await idsOn(server)).toEqual(['default', 'brief']);
    pass(0.001);
    expect(await idsOn(server)).toEqual(['default']);
    expect(await server.sandbox('brief')).toBeNull();
    const gone = await sandbox.describe().catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(NotFoundError);
    expect((await supertest(server.url).get('/control/sandboxes/brief')).status).toBe(404);
  });

  it.each<[string, (server: SandboxServer, sandbox: SandboxHandle) => PromiseLike<unknown>]>([
    ['is called', (server, sandbox) => callBy(server, sandbox.apiKey('riverside')).expect(200)],
    ['refuses a call', (server, sandbox) => callBy(server, `${sandbox.apiKey('riverside')}x`).expect(401)],
    ['is looked at', (_, sandbox) => sandbox.journal.list()],
    [
      'is arranged',
      (_, sandbox) => rename(sandbox, 'Used') ?? Promise.reject(new Error('There is no sandbox.')),
    ],
    [
      'is asked for over HTTP',
      ({ url }, { id }) => supertest(url).get(`/control/sandboxes/${id}`).expect(200),
    ],
    [
      'is asked for a recording',
      ({ url }, { id }) =>
        supertest(url).get(`/media/${id}/sessions/${sessions.twoSources}/recording.mp4`).expect(403),
    ],
  ])('stays while it is used: its time begins anew when it %s', async (_, use) => {
    const server = await serve();
    holdRealTime();
    const sandbox = await server.createSandbox({ id: 'busy', ttlSeconds: 60 });
    for (let round = 0; round < 5; round += 1) {
      pass(45);
      await use(server, sandbox);
    }
    pass(59.999);
    expect(await idsOn(server)).toContain('busy');
    pass(0.001);
    expect(await idsOn(server)).not.toContain('busy');
  });

  it('goes by real time, whatever its own clock says', async () => {
    const server = await serve();
    holdRealTime();
    const still = await server.createSandbox({
      ttlSeconds: 60,
      clock: { mode: 'frozen', now: '2026-03-02T10:00:00.000Z' },
    });
    const fast = await server.createSandbox({ ttlSeconds: 60 });
    await fast.clock.advance({ seconds: 86_400 });
    expect(await idsOn(server)).toEqual(['default', still.id, fast.id]);
    pass(60);
    expect(await idsOn(server)).toEqual(['default']);
  });

  it('goes alone: each has its own time, and those without one stay', async () => {
    const server = await serve({ idleExpiry: 'off' });
    holdRealTime();
    for (const ttlSeconds of [30, 10, 20])
      await server.createSandbox({ id: `for-${ttlSeconds}`, ttlSeconds });
    await server.createSandbox({ id: 'lasting' });
    await callBy(server, 'sbx_opened_riverside').expect(200);
    const seen: (readonly string[])[] = [];
    for (let time = 0; time < 3; time += 1) {
      pass(10);
      seen.push(await idsOn(server));
    }
    expect(seen).toEqual([
      ['default', 'for-20', 'for-30', 'lasting', 'opened'],
      ['default', 'for-30', 'lasting', 'opened'],
      ['default', 'lasting', 'opened'],
    ]);
    pass(365 * 86_400);
    expect(await idsOn(server)).toEqual(['default', 'lasting', 'opened']);
  });

  it('may stay for longer than any timer runs, or for less than a second', async () => {
    const server = await serve();
    holdRealTime();
    await server.createSandbox({ id: 'long', ttlSeconds: 60 * 86_400 });
    await server.createSandbox({ id: 'short', ttlSeconds: 0.25 });
    pass(0.25);
    expect(await idsOn(server)).toEqual(['default', 'long']);
    pass(60 * 86_400 - 1);
    expect(await idsOn(server)).toEqual(['default', 'long']);
    pass(1);
    expect(await idsOn(server)).toEqual(['default']);
  });

  it('is refused for a time that is none', async () => {
    const server = await serve();
    for (const ttlSeconds of [0, -1, '60']) {
      const reply = await supertest(server.url).post('/control/sandboxes').send({ ttlSeconds });
      expect(reply).toMatchObject({ status: 400, body: { violations: [{ pointer: '/ttlSeconds' }] } });
    }
    expect(await idsOn(server)).toEqual(['default']);
  });

  it('that has gone is opened afresh by its key, to stay', async () => {
    const server = await serve({ idleExpiry: 'off' });
    holdRealTime();
    const before = await server.createSandbox({ id: 'again', ttlSeconds: 60 });
    await rename(before, 'Before');
    await before.faults.add({ fault: 'http-error' });
    const key = before.apiKey('riverside');
    await callBy(server, key).expect(500);
    pass(60);
    const reply = await callBy(server, key).expect(200);
    expect(reply.headers['sandbox-request-id']).toBe('again-1');
    const fresh = await server.sandbox('again');
    expect(await fresh?.describe()).toMatchObject({ ttlSeconds: null, changedRecords: 0, exchanges: 1 });
    expect(await titleIn(fresh)).not.toBe('Before');
    expect(await fresh?.faults.list()).toEqual([]);
    pass(3600);
    expect(await idsOn(server)).toContain('again');
  });

  it('that has gone, where keys open none, leaves a key of nobody', async () => {
    const server = await serve({ autoCreate: false });
    holdRealTime();
    const sandbox = await server.createSandbox({ id: 'once', ttlSeconds: 60 });
    const key = sandbox.apiKey('riverside');
    await callBy(server, key).expect(200);
    pass(60);
    await callBy(server, key).expect(401);
    expect((await server.default.journal.list()).map(({ outcome }) => outcome)).toEqual(['invalid-key']);
  });

  it('that was removed does not take with it a later one of its id', async () => {
    const server = await serve();
    holdRealTime();
    await (await server.createSandbox({ id: 'same', ttlSeconds: 60 })).remove();
    await server.createSandbox({ id: 'same', ttlSeconds: 100 });
    pass(61);
    expect(await idsOn(server)).toContain('same');
    pass(39);
    expect(await idsOn(server)).not.toContain('same');
  });

  it('stays while it answers a call, and goes when it was unused for so long afterwards', async () => {
    const server = await serve();
    holdRealTime();
    const sandbox = await server.createSandbox({ id: 'held', ttlSeconds: 10 });
    const [rule] = [await sandbox.faults.add({ fault: 'delay', with: { ms: 60_000 } })];
    const reply = callBy(server, sandbox.apiKey('riverside')).then(({ status, headers }) => [
      status,
      headers['sandbox-request-id'],
    ]);
    for (let matched = 0; matched === 0;) {
      await new Promise(setImmediate);
      matched = (await sandbox.faults.list()).find(({ id }) => id === rule.id)?.matched ?? 0;
    }
    pass(11);
    expect(await idsOn(server)).toEqual(['default', 'held']);
    pass(50);
    expect(await reply).toEqual([200, 'held-1']);
    expect(await idsOn(server)).toEqual(['default', 'held']);
    pass(11);
    expect(await idsOn(server)).toEqual(['default']);
  });

  it('has its file removed with --data, and is not there after a restart', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    holdRealTime();
    await rename(await first.createSandbox({ id: 'brief', ttlSeconds: 60 }), 'Brief');
    await rename(await first.createSandbox({ id: 'lasting' }), 'Lasting');
    pass(1);
    expect(filesOf(data, 'brief')).not.toEqual([]);
    pass(60);
    expect(filesOf(data, 'brief')).toEqual([]);
    await first.close();
    expect(readdirSync(data)).toEqual(['lasting.json']);
    expect(await idsOn(await serve({ data }))).toEqual(['default', 'lasting']);
  });

  it('is kept with --data where the server stops before its time', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    await rename(await first.createSandbox({ id: 'brief', ttlSeconds: 60 }), 'Brief');
    await first.close();
    const second = await serve({ data });
    expect(await titleIn(await second.sandbox('brief'))).toBe('Brief');
  });
});

async function fullServer(options: StartOptions = {}): Promise<SandboxServer> {
  const server = await serve({ maxSandboxes: 3, ...options });
  await server.createSandbox({ id: 'one' });
  await callBy(server, 'sbx_two_riverside').expect(200);
  // Something that a person wants to find again.
  await rename(await server.sandbox('two'), 'Changed');
  return server;
}

describe('the number of sandboxes', () => {
  const message =
    'There are 3 sandboxes, and the maximum is 3. Delete one, or start the server with a higher --max-sandboxes.';

  it('has an end: another is refused, from code and over HTTP, saying what to do', async () => {
    const server = await fullServer();
    const error = await server.createSandbox({ id: 'three' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CapacityError);
    expect(error).toHaveProperty('message', message);
    const reply = await supertest(server.url).post('/control/sandboxes').send({ id: 'three' });
    expect(reply).toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: { status: 503, detail: message },
    });
    expect(await idsOn(server)).toEqual(['default', 'one', 'two']);
  });

  it('has an end for keys too: the call is refused, and kept in the journal of the default sandbox', async () => {
    const server = await fullServer();
    const reply = await callBy(server, 'sbx_three_riverside');
    expect(reply.status).toBe(503);
    expect(reply.body).toEqual([{ output: { status: 'error', errorMessage: message } }]);
    expect(reply.headers['sandbox-request-id']).toMatch(/^default-\d+$/);
    const entries = await server.default.journal.list();
    expect(entries).toMatchObject([
      { status: 503, outcome: 'too-many-sandboxes', school: null, key: 'sbx_thre…de' },
    ]);
    expect(await server.sandbox('three')).toBeNull();
  });

  it('keeps none of those that are there from being used, nor a wrong key from being called wrong', async () => {
    const server = await fullServer();
    for (const id of ['default', 'one', 'two']) await callBy(server, `sbx_${id}_riverside`).expect(200);
    await callBy(server, 'sbx_three_nowhere').expect(401);
    await callBy(server, 'nonsense').expect(401);
    await callBy(server, 'sbx_one_nowhere').expect(401);
  });

  it('has room again when one is removed, or goes by itself', async () => {
    const server = await fullServer();
    await (await server.sandbox('two'))?.remove();
    holdRealTime();
    await server.createSandbox({ id: 'three', ttlSeconds: 60 });
    await callBy(server, 'sbx_four_riverside').expect(503);
    pass(60);
    await callBy(server, 'sbx_four_riverside').expect(200);
    expect(await idsOn(server)).toEqual(['default', 'one', 'four']);
  });

  it('is not lessened by the default one, which cannot be removed', async () => {
    const server = await fullServer();
    await rename(server.default, 'Changed');
    await server.default.remove();
    expect(await titleIn(server.default)).not.toBe('Changed');
    expect(await server.createSandbox().catch((reason: unknown) => reason)).toBeInstanceOf(CapacityError);
  });

  it('is not exceeded by many at once', { tags: ['slow'] }, async () => {
    const server = await serve({ maxSandboxes: 10 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 30 }, async (_, number) => {
        if (number % 2 === 0) return void (await server.createSandbox({ id: `made-${number}` }));
        await callBy(server, `sbx_opened-${number}_riverside`).expect(200);
        await rename(await server.sandbox(`opened-${number}`), 'Changed');
      }),
    );
    // One that a key has opened may make room for another before it is changed.
    expect(attempts.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(9);
    expect(await idsOn(server)).toHaveLength(10);
  });
});

describe('a sandbox that is removed', () => {
  it('is not there any more; a handle on it says so', async () => {
    const server = await serve();
    const sandbox = await server.createSandbox({ id: 'gone' });
    await sandbox.remove();
    expect(await server.sandbox('gone')).toBeNull();
    for (const attempt of [sandbox.remove(), sandbox.describe(), sandbox.reset(), sandbox.state.export()]) {
      expect(await attempt.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
    }
    expect((await supertest(server.url).delete('/control/sandboxes/gone')).status).toBe(404);
  });

  it('makes room for a new one of its id, which has nothing of it', async () => {
    const server = await serve();
    const before = await server.createSandbox({
      id: 'same',
      randomSeed: 3,
      assumptions: { unknownId: 'http-404' },
    });
    const key = before.apiKey('riverside');
    await rename(before, 'Before');
    await before.snapshots.take('then');
    await before.limits.set({ scale: null });
    await callBy(server, key).expect(200);
    await before.remove();
    const fresh = await server.createSandbox({ id: 'same' });
    expect(await fresh.describe()).toMatchObject({ randomSeed: 1, changedRecords: 0, exchanges: 0 });
    expect(await fresh.snapshots.list()).toEqual([]);
    expect(await fresh.limits.read()).toHaveProperty('scale', 1);
    expect((await fresh.assumptions.list()).filter((one) => one.chosen !== one.default)).toEqual([]);
    expect((await callBy(server, key)).headers['sandbox-request-id']).toBe('same-1');
    expect(await fresh.journal.list()).toHaveLength(1);
  });

  it('has no file with --data', async () => {
    const data = join(temporaryFolder(), 'states');
    const server = await serve({ data });
    const sandbox = await server.createSandbox({ id: 'gone' });
    await rename(sandbox, 'Gone');
    expect(filesOf(data, 'gone')).not.toEqual([]);
    await sandbox.remove();
    await server.close();
    expect(readdirSync(data)).toEqual([]);
    expect(await idsOn(await serve({ data }))).toEqual(['default']);
  });

  it.each(['untouched', 'changed'])(
    'leaves nothing of it to a new one of its id, now and after a restart: %s',
    { tags: ['slow'] },
    async (how) => {
      const data = join(temporaryFolder(), 'states');
      const first = await serve({ data });
      const before = await first.createSandbox({ id: 'same' });
      const seeded = await titleIn(before);
      await rename(before, 'Before');
      expect(filesOf(data, 'same')).not.toEqual([]);
      await before.remove();
      const fresh = await first.createSandbox({ id: 'same' });
      expect(await titleIn(fresh)).toBe(seeded);
      if (how === 'changed') await fresh.state.put('users', { id: 'added', schoolIds: [] });
      const last = await fresh.state.export();
      await first.close();
      const second = await serve({ data });
      expect(await idsOn(second)).toEqual(['default', 'same']);
      const again = await second.sandbox('same');
      expect(await titleIn(again)).toBe(seeded);
      expect((await again?.state.export())?.collections).toEqual(last.collections);
    },
  );

  it('and made again many times over is what it was made last', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    for (let round = 0; round < 20; round += 1) {
      const sandbox = await first.createSandbox({ id: 'same' });
      await rename(sandbox, `Round ${round}`);
      if (round % 5 === 0) expect(filesOf(data, 'same')).not.toEqual([]);
      if (round < 19) await sandbox.remove();
    }
    await first.close();
    expect(await titleIn(await (await serve({ data })).sandbox('same'))).toBe('Round 19');
  });

  it('that is the default one is back at its seed, in its file as well', async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    const seeded = await titleIn(first.default);
    await rename(first.default, 'Changed');
    await first.default.remove();
    expect(await titleIn(first.default)).toBe(seeded);
    await first.close();
    expect(await titleIn((await serve({ data })).default)).toBe(seeded);
  });
});
