import { spawnSync } from 'node:child_process';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../support/crash-load.ts';
import { quiz, sessions } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { Postgres } from '../support/postgres.ts';
import { Balanced } from './balanced.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

const ids = Array.from({ length: 12 }, (_, number) => `s${number}`);

async function replicasBehind(balancer: 'haproxy' | 'nginx'): Promise<Balanced> {
  const balanced = await Balanced.start(balancer, await postgres.database());
  for (const id of ids) {
    await balanced.create(id);
    await balanced.ask(`/control/sandboxes/${id}/limits`, { method: 'PUT', body: '{"scale":null}' });
  }
  return balanced;
}

/** Calls all sandboxes until it is stopped. Returns the calls that failed, and when they began. */
function load(
  balanced: Balanced,
): () => Promise<{ readonly count: number; readonly failed: readonly Failed[] }> {
  const failed: Failed[] = [];
  let count = 0;
  let isOver = false;
  const goesOn = (): boolean => !isOver;
  const client = async (id: string): Promise<void> => {
    while (goesOn()) {
      const begunAt = performance.now();
      const why = await balanced.call(id, 'get-quiz-details', { quizId: quiz.id }).then(
        ({ status, text }) => (status === 200 ? null : `${status} ${text}`),
        (error: unknown) => String(error),
      );
      count += 1;
      if (why !== null) failed.push({ begunAt, why });
      await pause(5);
    }
  };
  const clients = ids.map(client);
  return async () => {
    isOver = true;
    await Promise.all(clients);
    return { count, failed };
  };
}

interface Failed {
  readonly begunAt: number;
  readonly why: string;
}

it('haproxy accepts its configuration, although it knows no replica yet', () => {
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', 'deploy/haproxy.cfg'], { encoding: 'utf8' });
  expect({ status, alerts: stderr.split('\n').filter((line) => line.includes('ALERT')) }).toEqual({
    status: 0,
    alerts: [],
  });
});

describe.each(['haproxy', 'nginx'] as const)(
  'two replicas behind %s, as deploy/ configures it',
  (balancer) => {
    it('forward few calls to loaded sandboxes: calls, control routes and media lead to the same replica', async () => {
      const balanced = await replicasBehind(balancer);
      // A new sandbox is on the replica that has created it, whichever that is.
      await balanced.restart();
      // The balancer notices that both are there.
      await pause(1500);
      const sent = new Map<string, number>();
      const places = new Map<string, Set<number>>(ids.map((id) => [id, new Set()]));
      for (let round = 0; round < 20; round += 1)
        await Promise.all(
          ids.map(async (id) => {
            const reply = await balanced.call(id, 'get-quiz-details', { quizId: quiz.id });
            expect(reply.status).toBe(200);
            sent.set(reply.requestId, reply.replica);
            places.get(id)?.add(reply.replica);
          }),
        );
      for (const [id, seen] of places) {
        const { status, replica } = await balanced.ask(`/control/sandboxes/${id}/journal?limit=1`);
        expect(status).toBe(200);
        const played = await balanced.call(id, 'get-signed-url-data-for-live-event-session-playback', {
          liveEventSessionId: sessions.twoSources,
        });
        const [, file = ''] = /"(\/media\/[^"]+|https?:[^"]*\/media\/[^"]+)"/.exec(played.text) ?? [];
        const media = await balanced.ask(`/media/${id}/${file}`);
        expect([...seen, replica, played.replica, media.replica]).toEqual(
          Array.from({ length: 4 }, () => replica),
        );
      }
      expect(new Set([...places.values()].flatMap((seen) => [...seen])).size).toBe(2);
      const logged = await eventually(() => {
        const all = balanced.logged();
        expect([...sent.keys()].filter((requestId) => !all.has(requestId))).toEqual([]);
        return all;
      });
      const forwarded = [...sent].filter(
        ([requestId, replica]) => logged.get(requestId)?.replica !== replica,
      );
      expect(forwarded.length / sent.size).toBeLessThan(0.05);
    });

    it('lose only calls in progress when one is killed', { timeout: 120_000 }, async () => {
      const balanced = await replicasBehind(balancer);
      const stop = load(balanced);
      await pause(500);
      await balanced.programs[0]?.stop('SIGKILL');
      const killedAt = performance.now();
      await pause(1500);
      const { count, failed } = await stop();
      expect(count).toBeGreaterThan(200);
      expect(failed.filter(({ begunAt }) => begunAt > killedAt)).toEqual([]);
      expect(failed.length).toBeLessThanOrEqual(ids.length);
    });

    // nginx has no health checks, so it can send a call just when the replica stops to listen.
    it.runIf(balancer === 'haproxy')('lose no call when one is stopped', { timeout: 120_000 }, async () => {
      const balanced = await replicasBehind(balancer);
      const stop = load(balanced);
      await pause(500);
      const ended = await balanced.programs[1]?.stop('SIGTERM');
      await pause(500);
      expect(ended?.code).toBe(0);
      const { count, failed } = await stop();
      expect(count).toBeGreaterThan(200);
      expect(failed).toEqual([]);
    });

    it('see the address of the client: the journal shows it, and limits count by it', async () => {
      const balanced = await Balanced.start(balancer, await postgres.database());
      await balanced.create('limited', { assumptions: { rateLimitScope: 'address-and-operation' } });
      await balanced.ask('/control/sandboxes/limited/limits', {
        method: 'PUT',
        body: JSON.stringify({ operations: { 'get-quiz-details': 2 } }),
      });
      const statuses: number[] = [];
      for (const from of ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.3']) {
        // What the client itself sends in the header does not count.
        const headers = { 'X-Forwarded-For': `198.51.100.${statuses.length}` };
        const reply = await balanced.call(
          'limited',
          'get-quiz-details',
          { quizId: quiz.id },
          { from, headers },
        );
        statuses.push(reply.status);
      }
      expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
      const { text } = await balanced.ask('/control/sandboxes/limited/journal');
      const addresses = [...text.matchAll(/"address":\s*"([^"]+)"/g)].map(([, address]) => address);
      expect(addresses.filter((address) => address === '127.0.0.2')).toHaveLength(3);
      expect(addresses.filter((address) => address === '127.0.0.3')).toHaveLength(3);
    });

    it('send events as they happen', async () => {
      const balanced = await Balanced.start(balancer, await postgres.database());
      await balanced.create('watched');
      const opened = request({
        host: '127.0.0.1',
        port: balanced.port,
        path: '/control/sandboxes/watched/journal/stream',
        headers: { Authorization: 'Bearer operator-token' },
      }).end();
      const [stream] = (await once(opened, 'response')) as [IncomingMessage];
      let text = '';
      stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      for (let number = 0; number < 5; number += 1) {
        const begunAt = performance.now();
        const { requestId } = await balanced.call('watched', 'get-quiz-details', { quizId: quiz.id });
        await eventually(() => expect(text).toContain(`id: ${requestId}\n`));
        expect(performance.now() - begunAt).toBeLessThan(1000);
      }
      opened.destroy();
    });

    it('accept an import of 60 MB', async () => {
      const balanced = await Balanced.start(balancer, await postgres.database());
      await balanced.create('large');
      const { text: state } = await balanced.ask('/control/sandboxes/large/state');
      const body = `${' '.repeat(60_000_000)}${state}`;
      const imported = await balanced.ask('/control/sandboxes/large/state', { method: 'PUT', body });
      expect([imported.status, imported.text.slice(0, 200)]).toEqual([204, '']);
    });

    it('close the connection without a response if a fault does, and still serve all other sandboxes', async () => {
      const balanced = await replicasBehind(balancer);
      const headers = { 'Sandbox-Fault': 'empty-response' };
      for (const id of ids) {
        const faulty = balanced.call(id, 'get-quiz-details', { quizId: quiz.id }, { headers });
        await expect(faulty).rejects.toThrow('socket hang up');
        for (const other of ids)
          expect((await balanced.call(other, 'get-quiz-details', { quizId: quiz.id })).status).toBe(200);
      }
    });
  },
);
