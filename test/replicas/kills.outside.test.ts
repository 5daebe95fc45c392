import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../support/command.ts';
import {
  incompleteBatches,
  knowing,
  numbersNotHigher,
  pause,
  startClient,
  storedIn,
} from '../support/crash-load.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

const kills = Number(process.env['KILLS'] ?? 60);
const sandboxes = 6;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

describe('three replicas under load', () => {
  it(
    `lose no acknowledged change, have no part of a batch, and issue only higher request ids in ${kills} kills`,
    { timeout: 600_000 },
    async () => {
      const data = await postgres.database();
      const ports = [await unassignedPort(), await unassignedPort(), await unassignedPort()];
      const start = (port: number): Promise<Program> => startReplica(data, ['--limits', 'off'], port);
      const programs = await Promise.all(ports.map(start));
      const port = await startHaproxy(ports);
      const url = `http://127.0.0.1:${port}`;
      const known = knowing(sandboxes);
      for (const id of known.sent.keys())
        await supertest(url).post('/control/sandboxes').send({ id }).expect(201);
      const stop = startClient(1, port, known, 'balanced');
      for (let kill = 0; kill < kills; kill += 1) {
        const before = known.acknowledgedCalls;
        await expect.poll(() => known.acknowledgedCalls, { timeout: 60_000 }).toBeGreaterThan(before + 30);
        await pause(Math.random() * 300);
        const index = kill % ports.length;
        await programs[index]?.stop('SIGKILL');
        programs[index] = await start(ports[index] ?? 0);
      }
      await pause(300);
      await stop();

      expect({ refused: known.refused, duplicates: known.duplicateIds }).toEqual({
        refused: [],
        duplicates: [],
      });
      for (const [sandbox, sent] of known.sent) {
        const stored = await storedIn(url, sandbox);
        const all = new Set(stored);
        const acknowledged = [...(known.acknowledged.get(sandbox) ?? [])];
        expect(acknowledged.filter((email) => !all.has(email))).toEqual([]);
        expect(stored).toHaveLength(all.size);
        expect(stored.filter((email) => !sent.has(email))).toEqual([]);
        expect(incompleteBatches(all)).toEqual([]);
        expect(numbersNotHigher(known, sandbox)).toEqual([]);
      }
      process.stdout.write(`${known.acknowledgedCalls} calls acknowledged in ${kills} kills\n`);
    },
  );
});
