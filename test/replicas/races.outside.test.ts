import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../support/crash-load.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

const kills = Number(process.env['RACES'] ?? 12);

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

interface StateDocument {
  readonly collections: Readonly<Record<string, readonly { readonly name?: string }[]>>;
}

describe('a kill during a reset, an import or a restore', () => {
  it(
    `leaves the state of before or of after it, and that of after if it was acknowledged, in ${kills} kills`,
    { timeout: 300_000 },
    async () => {
      const data = await postgres.database();
      const ports = [await unassignedPort(), await unassignedPort(), await unassignedPort()];
      const programs = await Promise.all(ports.map((port) => startReplica(data, [], port)));
      const url = `http://127.0.0.1:${await startHaproxy(ports)}`;
      const path = `${url}/control/sandboxes/raced`;
      await supertest(url).post('/control/sandboxes').send({ id: 'raced' }).expect(201);
      const { body } = await supertest(path).get('/state').expect(200);
      const seed = body as StateDocument;
      const wrong: string[] = [];
      const send = async (method: string, route: string, content?: unknown): Promise<boolean> => {
        try {
          const headers = { 'Content-Type': 'application/json' };
          const sent = content === undefined ? {} : { body: JSON.stringify(content) };
          const reply = await fetch(`${path}${route}`, { method, headers, ...sent });
          await reply.text();
          // 502 to 504 are also the balancer's.
          if (!reply.ok && reply.status < 502) wrong.push(`${method} ${route}: ${reply.status}`);
          return reply.ok;
        } catch {
          return false;
        }
      };
      /** The state in which all of these people have the name. */
      const named = (name: string): StateDocument => ({
        ...seed,
        collections: {
          ...seed.collections,
          users: (seed.collections['users'] ?? []).map((one) => ({ ...one, name })),
        },
      });
      /** The name that all people have; the seed's own names count as one. */
      const nameIn = ({ collections }: StateDocument): string => {
        const names = new Set(
          (collections['users'] ?? []).map(({ name = '' }) => (/^v\d+$/.test(name) ? name : 'seed')),
        );
        return [...names].join(' and ');
      };

      const over = new AbortController();
      let number = 0;
      let acknowledged = 0;
      /** What the state may be: only the first after an acknowledged request. */
      let possible: readonly string[] = ['seed'];
      let kept: readonly string[] = [];
      const attempt = async (method: string, route: string, leads: readonly string[], content?: unknown) => {
        const before = possible;
        possible = [...before, ...leads];
        if (!(await send(method, route, content))) return false;
        acknowledged += 1;
        possible = leads;
        return true;
      };
      const look = async (): Promise<void> => {
        const reply = await fetch(`${path}/state`).catch(() => null);
        if (reply?.status !== 200) return;
        const text = await reply.text().catch(() => null);
        if (text === null) return;
        const found = nameIn(JSON.parse(text) as StateDocument);
        if (!possible.includes(found)) wrong.push(`${found} instead of ${possible.join(' or ')}`);
        possible = [found];
      };
      const working = (async () => {
        while (!over.signal.aborted) {
          number += 1;
          await attempt('PUT', '/state', [`v${number}`], named(`v${number}`));
          await look();
          if (number % 3 === 0)
            kept = (await send('PUT', '/snapshots/kept')) ? possible : [...kept, ...possible];
          if (number % 3 === 1) await attempt('POST', '/reset', ['seed']);
          if (number % 3 === 1) await look();
          if (number % 3 === 2 && kept.length > 0) await attempt('POST', '/snapshots/kept/restore', kept);
          await look();
        }
      })();
      for (let kill = 0; kill < kills; kill += 1) {
        const before = acknowledged;
        await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + 3);
        await pause(Math.random() * 300);
        const at = kill % ports.length;
        await programs[at]?.stop('SIGKILL');
        programs[at] = await startReplica(data, [], ports[at]);
      }
      over.abort();
      await working;
      expect(wrong).toEqual([]);
      process.stdout.write(`${acknowledged} replaced states acknowledged in ${kills} kills\n`);
    },
  );
});
