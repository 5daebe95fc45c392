import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import {
  incompleteBatches,
  knowing,
  numbersNotHigher,
  pause,
  startClient,
  storedIn,
} from '../support/crash-load.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

const kills = 10;
const sandboxes = 4;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

describe('a server with a database under load', () => {
  it(
    `loses no acknowledged change, has no part of a batch, and issues only higher request ids in ${kills} kills`,
    { timeout: 300_000 },
    async () => {
      const data = await postgres.database();
      const port = await unassignedPort();
      const start = (): Promise<Program> =>
        startProgram(['--port', String(port), '--data', data, '--limits', 'off']);
      let program = await start();
      onTestFinished(async () => void (await program.stop('SIGKILL')));
      const known = knowing(sandboxes);
      for (const id of known.sent.keys())
        await supertest(program.url).post('/control/sandboxes').send({ id }).expect(201);
      // Only one, whose requests to a sandbox come one after another: so the order of their ids is known.
      const stop = startClient(1, port, known);
      for (let kill = 0; kill < kills; kill += 1) {
        const before = known.acknowledgedCalls;
        await expect.poll(() => known.acknowledgedCalls, { timeout: 60_000 }).toBeGreaterThan(before + 30);
        await pause(Math.random() * 300);
        await program.stop('SIGKILL');
        program = await start();
      }
      await pause(300);
      await stop();

      expect({ refused: known.refused, duplicates: known.duplicateIds }).toEqual({
        refused: [],
        duplicates: [],
      });
      for (const [sandbox, sent] of known.sent) {
        const stored = await storedIn(program.url, sandbox);
        const all = new Set(stored);
        const acknowledged = [...(known.acknowledged.get(sandbox) ?? [])];
        expect(acknowledged.filter((email) => !all.has(email))).toEqual([]);
        expect(stored).toHaveLength(all.size);
        expect(stored.filter((email) => !sent.has(email))).toEqual([]);
        expect(incompleteBatches(all)).toEqual([]);
        expect(numbersNotHigher(known, sandbox)).toEqual([]);
      }
      process.stdout.write(`${known.acknowledgedCalls} calls acknowledged in ${kills + 1} runs\n`);
    },
  );
});
