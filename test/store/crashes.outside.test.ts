import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, temporaryFolder, type Ended, type Program } from '../support/command.ts';
import { incompleteBatches, knowing, pause, startClient } from '../support/crash-load.ts';
import { unassignedPort } from '../support/ports.ts';

/** The size of the state of each sandbox at the beginning, in megabytes. */
const megabytes = [0, 0.2, 2, 8, 20];

/** Repeats a failed run. */
const seed = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));

/** A small generator (mulberry32), because a failed run must be repeatable. */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('a server with --data under load from two processes', () => {
  it(
    `loses no acknowledged change, has no part of a batch, and issues no request id twice in 100 kills and 20 stops (CRASH_SEED=${seed})`,
    { timeout: 900_000 },
    async () => {
      const random = numbersFrom(seed);
      const data = temporaryFolder();
      const port = await unassignedPort();
      const start = (): Promise<Program> =>
        startProgram(['--port', String(port), '--data', data, '--limits', 'off', '--state-memory', '4GiB']);
      let program = await start();
      onTestFinished(async () => void (await program.stop('SIGKILL')));
      await prepare(program.url);

      const known = knowing(megabytes.length);
      const stops = [startClient(1, port, known), startClient(2, port, known)];

      const signals = Array.from({ length: 120 }, (_, index) => (index % 6 === 5 ? 'SIGTERM' : 'SIGKILL'));
      const ends: Ended[] = [];
      for (const signal of signals) {
        await pause(50 + random() * 500);
        ends.push(await program.stop(signal));
        program = await start();
      }
      await pause(300);
      for (const stop of stops) await stop();

      const bySignal = (signal: string): readonly Ended[] =>
        ends.filter((_, index) => signals[index] === signal);
      expect(bySignal('SIGKILL')).toHaveLength(100);
      expect(bySignal('SIGTERM').map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 0));
      expect(readdirSync(data).filter((name) => name.includes('unusable'))).toEqual([]);
      expect({ duplicates: known.duplicateIds, refused: known.refused }).toEqual({
        duplicates: [],
        refused: [],
      });
      expect(known.acknowledgedCalls).toBeGreaterThan(1000);

      for (const [index, size] of megabytes.entries()) {
        const sandbox = `s${index}`;
        const { body } = await supertest(program.url).get(`/control/sandboxes/${sandbox}/state`);
        const { collections } = body as {
          collections: Readonly<Record<string, readonly { email?: string }[]>>;
        };
        const stored = (collections['instructors'] ?? [])
          .map(({ email = '' }) => email)
          .filter((email) => email.endsWith('@crash.example'));
        const all = new Set(stored);
        expect(stored).toHaveLength(all.size);
        expect([...(known.acknowledged.get(sandbox) ?? [])].filter((email) => !all.has(email))).toEqual([]);
        expect(stored.filter((email) => known.sent.get(sandbox)?.has(email) !== true)).toEqual([]);
        expect(incompleteBatches(all)).toEqual([]);
        expect(
          collections['labs']?.filter((lab) => 'evaluationScriptTestFileContent' in lab).length,
        ).toBeGreaterThanOrEqual(labsOf(size));
      }
      process.stdout.write(
        `${known.acknowledgedCalls} calls acknowledged in ${signals.length} runs, CRASH_SEED=${seed}\n`,
      );
      expect(existsSync(join(data, 'default.json'))).toBe(true);
    },
  );
});

const labBytes = 10_000;
const labsOf = (size: number): number => Math.ceil((size * 1_000_000) / labBytes);

/** Creates the sandboxes with their states. */
async function prepare(url: string): Promise<void> {
  for (const [index, size] of megabytes.entries()) {
    const id = `s${index}`;
    await supertest(url).post('/control/sandboxes').send({ id }).expect(201);
    for (let lab = 0; lab < labsOf(size); lab += 1) {
      const labId = lab.toString(16).padStart(24, '0');
      await supertest(url)
        .put(`/control/sandboxes/${id}/state/labs/${labId}`)
        .send({
          id: labId,
          schoolId: '1d7181362df2b36a581c47d4',
          labTitle: `Lab ${lab}`,
          evaluationScriptTestFileContent: `# lab ${lab}\n`.repeat(1000).slice(0, labBytes),
        })
        .expect(200);
    }
  }
}
