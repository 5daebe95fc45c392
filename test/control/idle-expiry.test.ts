import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Test } from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxHandle, type SandboxServer, type StartOptions } from '../../src/index.ts';
import { State } from '../../src/sandbox/state.ts';
import { temporaryFolder } from '../support/command.ts';
import { labId, quiz } from '../support/demo.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { callText, openWire, repliesIn } from '../support/wire.ts';

/** From here to the end of the test, real time passes only where the test says so. */
function holdRealTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

function pass(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

interface Listed {
  readonly id: string;
  readonly origin: string;
  readonly ttlSeconds: number | null;
}

/** Those that are there; looking at the list is no use of any. */
async function listOn({ url }: SandboxServer): Promise<readonly Listed[]> {
  const { body } = await supertest(url).get('/control/sandboxes').expect(200);
  // As openapi/control.yaml has it.
  return (body as { sandboxes: readonly Listed[] }).sandboxes;
}

async function idsOn(server: SandboxServer): Promise<readonly string[]> {
  return (await listOn(server)).map(({ id }) => id);
}

/** A call by a key of a sandbox, which opens it. */
function callTo({ url }: SandboxServer, id: string): Test {
  return supertest(url)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
    .send({ data: [{ data: { quizId: quiz.id } }] });
}

async function openAndChange(server: SandboxServer): Promise<void> {
  await callTo(server, 'opened').expect(200);
  await (await server.sandbox('opened'))?.state.patch('labs', labId, { labTitle: 'Changed' });
}

const day = 86_400;

describe('a sandbox that a key has opened', () => {
  it('goes when nobody has used it for a day, unlike those that the control plane has made', async () => {
    const server = await serve();
    holdRealTime();
    await server.createSandbox({ id: 'made' });
    await callTo(server, 'opened').expect(200);
    pass(day - 1);
    await callTo(server, 'opened').expect(200);
    pass(day - 0.001);
    expect(await idsOn(server)).toEqual(['default', 'made', 'opened']);
    pass(0.001);
    expect(await idsOn(server)).toEqual(['default', 'made']);
    pass(365 * day);
    expect(await idsOn(server)).toEqual(['default', 'made']);
  });

  it.each([
    ['PT30M', 1800],
    ['P14D', 14 * day],
    ['P1W', 7 * day],
    ['P1DT2H3M4S', day + 7384],
  ])('goes after --idle-expiry %s', async (idleExpiry, seconds) => {
    const server = await serve({ idleExpiry });
    holdRealTime();
    await callTo(server, 'opened').expect(200);
    pass(seconds - 0.001);
    expect(await idsOn(server)).toEqual(['default', 'opened']);
    pass(0.001);
    expect(await idsOn(server)).toEqual(['default']);
  });

  it('stays with --idle-expiry off', async () => {
    const server = await serve({ idleExpiry: 'off' });
    holdRealTime();
    await callTo(server, 'opened').expect(200);
    pass(1000 * day);
    expect(await idsOn(server)).toEqual(['default', 'opened']);
  });

  it('is not to be had with an expiry that is none', async () => {
    const error = await startSandbox({ port: 0, idleExpiry: 'a day' }).catch((reason: unknown) => reason);
    expect(String(error)).toContain(
      'idleExpiry must be an ISO 8601 duration such as PT30M or P14D, or off, but is the string "a day".',
    );
  });

  it(
    'stays with --data, unless --idle-expiry is given; then its file goes too',
    { tags: ['slow'] },
    async () => {
      const data = join(temporaryFolder(), 'states');
      const first = await serve({ data });
      await openAndChange(first);
      expect(await listOn(first)).toMatchObject([{ ttlSeconds: null }, { ttlSeconds: null, origin: 'key' }]);
      await first.close();
      // What was there before is nobody's to remove.
      const second = await serve({ data, idleExpiry: 'PT1H' });
      expect(await listOn(second)).toMatchObject([
        { id: 'default' },
        { id: 'opened', origin: 'key', ttlSeconds: null },
      ]);
      await (await second.sandbox('opened'))?.remove();
      holdRealTime();
      await openAndChange(second);
      pass(1);
      expect(readdirSync(data).some((name) => name.startsWith('opened.'))).toBe(true);
      pass(3600);
      expect(await idsOn(second)).toEqual(['default']);
      expect(readdirSync(data).some((name) => name.startsWith('opened.'))).toBe(false);
    },
  );

  it('tells how it came about, like every other', async () => {
    const server = await serve();
    await server.createSandbox({ id: 'made' });
    await callTo(server, 'opened').expect(200);
    expect(await listOn(server)).toMatchObject([
      { id: 'default', origin: 'server', ttlSeconds: null },
      { id: 'made', origin: 'control-plane', ttlSeconds: null },
      { id: 'opened', origin: 'key', ttlSeconds: day },
    ]);
  });
});

/**
 * A full server: the default sandbox, one from the control plane, and three that keys have opened, a second
 * apart.
 */
async function fullServer(options: StartOptions = {}): Promise<SandboxServer> {
  const server = await serve({ maxSandboxes: 5, ...options });
  holdRealTime();
  await server.createSandbox({ id: 'made' });
  for (const id of ['first', 'second', 'third']) {
    pass(1);
    await callTo(server, id).expect(200);
  }
  pass(1);
  return server;
}

/** Follows the journal of a sandbox until the returned function is called. */
async function followed({ url }: SandboxServer, id: string): Promise<() => Promise<void>> {
  const { body } = await fetch(`${url}/control/sandboxes/${id}/journal/stream`);
  return async () => body?.cancel();
}

describe('a full server', () => {
  it('removes the sandbox that was idle longest, of those that a key has opened and nobody changed', async () => {
    const server = await fullServer();
    await callTo(server, 'first').expect(200);
    pass(1);
    await callTo(server, 'fourth').expect(200);
    expect(await idsOn(server)).toEqual(['default', 'made', 'first', 'third', 'fourth']);
    pass(1);
    await server.createSandbox({ id: 'also-made' });
    expect(await idsOn(server)).toEqual(['default', 'made', 'first', 'fourth', 'also-made']);
    await callTo(server, 'second').expect(200);
    const again = await server.sandbox('second');
    expect((await again?.journal.list())?.map(({ requestId }) => requestId)).toEqual(['second-1']);
  });

  it('lets every new client in, however many keys somebody makes up', { tags: ['slow'] }, async () => {
    const server = await fullServer();
    for (let number = 0; number < 30; number += 1) {
      pass(1);
      await callTo(server, `made-up-${number}`).expect(200);
    }
    expect(await idsOn(server)).toEqual(['default', 'made', 'made-up-27', 'made-up-28', 'made-up-29']);
  });

  it('looks for one to remove once, however many calls come at the same moment', async () => {
    const server = await fullServer();
    for (const id of ['first', 'second', 'third'])
      await (await server.sandbox(id))?.state.patch('labs', labId, { labTitle: 'Changed' });
    const looked = vi.spyOn(State.prototype, 'changedRecords', 'get');
    onTestFinished(() => looked.mockRestore());
    const wire = await openWire(server.default);
    const text = callText(server.default, { operation: 'get-quiz-details', elements: [{ quizId: 'a' }] });
    wire.send(text.replace('sbx_default_', 'sbx_fourth_').repeat(50));
    await wire.hear((heard) => repliesIn(heard).whole.length === 50);
    expect(repliesIn(wire.heard()).whole.every(({ status }) => status === 503)).toBe(true);
    expect(looked.mock.calls.length).toBeLessThan(20);
  });

  it('removes none for a key that opens none', async () => {
    const server = await fullServer();
    await supertest(server.url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_fourth_nowhere')
      .send({ data: [] })
      .expect(401);
    expect(await idsOn(server)).toEqual(['default', 'made', 'first', 'second', 'third']);
  });

  it.each<[string, (sandbox: SandboxHandle) => PromiseLike<unknown>]>([
    ['a changed record', ({ state }) => state.patch('labs', labId, { labTitle: 'Changed' })],
    ['another option', ({ assumptions }) => assumptions.choose({ unknownId: 'http-404' })],
    ['a rule', ({ faults }) => faults.add({ fault: 'http-error' })],
    ['a scenario', ({ scenario }) => scenario.play('slow-day')],
    ['another time', ({ clock }) => clock.advance({ seconds: 1 })],
    ['a clock that stands', ({ clock }) => clock.set({ mode: 'frozen' })],
    ['other limits', ({ limits }) => limits.set({ scale: 2 })],
    ['a limit of its own', ({ limits }) => limits.set({ operations: { 'get-quiz-details': 3 } })],
    ['a snapshot', ({ snapshots }) => snapshots.take('now')],
  ])('keeps one with %s, though it was idle longest', async (_, change) => {
    const server = await fullServer();
    const first = await server.sandbox('first');
    if (first === null) throw new Error('There is no sandbox "first".');
    await change(first);
    pass(1);
    for (const id of ['second', 'third']) await callTo(server, id).expect(200);
    pass(1);
    await callTo(server, 'fourth').expect(200);
    expect(await idsOn(server)).toContain('first');
    expect(await idsOn(server)).not.toContain('second');
  });

  it('keeps the rules of the server’s own scenario for no change, but a changed rule of it for one', async () => {
    const server = await fullServer({ scenario: 'key-revoked' });
    const [rule] = (await (await server.sandbox('first'))?.faults.list()) ?? [];
    await supertest(server.url).delete(`/control/sandboxes/first/faults/${rule?.id}`).expect(204);
    for (const id of ['fourth', 'fifth', 'sixth']) {
      pass(1);
      await callTo(server, id);
    }
    expect(await idsOn(server)).toEqual(['default', 'made', 'first', 'fifth', 'sixth']);
  });

  it('removes a sandbox that somebody follows only if no other one can go', async () => {
    const server = await fullServer();
    const stopFollowing = await followed(server, 'first');
    pass(1);
    for (const id of ['second', 'third']) await callTo(server, id).expect(200);
    pass(1);
    await callTo(server, 'fourth').expect(200);
    expect(await idsOn(server)).toEqual(['default', 'made', 'first', 'third', 'fourth']);
    pass(1);
    for (const id of ['third', 'fourth'])
      await (await server.sandbox(id))?.state.patch('labs', labId, { labTitle: 'Changed' });
    await callTo(server, 'fifth').expect(200);
    expect(await idsOn(server)).toEqual(['default', 'made', 'third', 'fourth', 'fifth']);
    await stopFollowing();
  });

  it('keeps one that a request to the control plane is using, though it was idle longest', async () => {
    const server = await fullServer();
    // The first request to the control plane has to wait until it is loaded.
    await idsOn(server);
    const verdict = supertest(server.url)
      .post('/control/sandboxes/first/journal/verify')
      .send({ counts: [{ operation: 'get-quiz-details', times: 2 }], waitMs: 60_000 })
      .then(({ body }) => body as unknown);
    pass(1);
    for (const id of ['second', 'third']) await callTo(server, id).expect(200);
    pass(1);
    await callTo(server, 'fourth').expect(200);
    expect(await idsOn(server)).toContain('first');
    await callTo(server, 'first').expect(200);
    pass(1);
    expect(await verdict).toMatchObject({ holds: true });
  });

  it.each(['timeout', 'slow-body; bytes=1; ms=60000', 'delay; phase=after; ms=60000, timeout'])(
    'keeps a sandbox while it sends a reply by the fault %s, until the client is gone',
    { tags: ['slow'] },
    async (fault) => {
      const server = await fullServer();
      const { hostname, port } = new URL(server.url);
      const client = request({
        hostname,
        port,
        method: 'POST',
        path: '/public/get-quiz-details',
        headers: {
          'content-type': 'application/json',
          'service-api-key': 'sbx_first_riverside',
          'sandbox-fault': fault,
        },
      });
      client.on('error', () => {}).end(JSON.stringify({ data: [{ data: { quizId: quiz.id } }] }));
      const first = await server.sandbox('first');
      const used = async (): Promise<unknown> =>
        (await first?.limits.read())?.operations['get-quiz-details']?.counters[0]?.used;
      while ((await used()) !== 2) await new Promise(setImmediate);
      pass(1);
      for (const id of ['second', 'third']) await callTo(server, id).expect(200);
      pass(1);
      await callTo(server, 'fourth').expect(200);
      expect(await idsOn(server)).toEqual(['default', 'made', 'first', 'third', 'fourth']);
      client.destroy();
      const later = async (): Promise<readonly string[]> => {
        pass(1);
        for (const id of ['third', 'fourth']) await callTo(server, id).expect(200);
        pass(1);
        await callTo(server, 'fifth').expect(200);
        return idsOn(server);
      };
      await expect.poll(later, { interval: 0 }).not.toContain('first');
    },
  );

  it('never removes those that were in files and are changed', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    await callTo(first, 'kept').expect(200);
    const kept = await first.sandbox('kept');
    await kept?.state.patch('labs', labId, { labTitle: 'Changed' });
    await first.close();
    const second = await serve({ data, maxSandboxes: 2 });
    await callTo(second, 'other').expect(503);
    expect(await idsOn(second)).toEqual(['default', 'kept']);
  });

  it(
    'keeps a sandbox that is answering a call, however long that was idle before',
    { tags: ['slow'] },
    async () => {
      const server = await fullServer();
      let isOver = false;
      const held = callTo(server, 'third')
        .set('Sandbox-Fault', 'delay; ms=60000')
        .then((reply) => {
          isOver = true;
          return [reply.status, reply.headers['sandbox-request-id']];
        });
      const third = await server.sandbox('third');
      const used = async (): Promise<unknown> =>
        (await third?.limits.read())?.operations['get-quiz-details']?.counters[0]?.used;
      while ((await used()) !== 2) await new Promise(setImmediate);
      for (let number = 0; number < 3; number += 1) {
        pass(1);
        await callTo(server, `later-${number}`).expect(200);
      }
      expect(await idsOn(server)).toContain('third');
      expect(isOver).toBe(false);
      pass(60);
      expect(await held).toEqual([200, 'third-2']);
    },
  );
});
