import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { pause } from '../support/crash-load.ts';
import { quiz } from '../support/demo.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

async function start(data: string): Promise<Program> {
  const program = await startProgram(['--port', '0', '--data', data, '--limits', 'off']);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

async function calls({ url }: Program, count: number, text = ''): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await supertest(url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_one_riverside')
      .set('Sandbox-Scope', `call ${number}`)
      .send({ data: [{ data: { quizId: number % 3 === 0 ? `nothing\u0000${text}` : quiz.id } }] })
      .expect((response) => expect([200, 400, 404]).toContain(response.status));
}

interface JournalPage {
  readonly entries: readonly unknown[];
}

/** The journal without the ends of connections, which a stop of the server closes. */
async function journalOf({ url }: Program): Promise<JournalPage> {
  const { text } = await supertest(url).get('/control/sandboxes/one/journal?limit=5000').expect(200);
  // The control plane answers so.
  return JSON.parse(text, (name, value: unknown) =>
    name === 'connectionClosedAt' ? null : value,
  ) as JournalPage;
}

describe('the journal of a sandbox in a database', () => {
  it.each([
    ['a stop', 'SIGTERM'],
    ['a crash a moment later', 'SIGKILL'],
  ] as const)('is the same after %s, also if it was cleared and restored', async (_, signal) => {
    const data = await postgres.database();
    let program = await start(data);
    await supertest(program.url).post('/control/sandboxes').send({ id: 'one' }).expect(201);
    const journals: JournalPage[] = [];
    const restart = async (): Promise<void> => {
      const before = await journalOf(program);
      if (signal === 'SIGKILL') await pause(700);
      await program.stop(signal);
      program = await start(data);
      const after = await journalOf(program);
      // A comparison of all entries is too long to be shown.
      expect(after.entries.filter((entry, at) => !isDeepStrictEqual(entry, before.entries[at]))).toEqual([]);
      expect(after).toEqual(before);
      journals.push(before);
    };
    await calls(program, 30, '"\\\u{1f9ff}é');
    await restart();
    await calls(program, 5);
    await restart();
    await supertest(program.url).delete('/control/sandboxes/one/journal').expect(204);
    await restart();
    await calls(program, 3);
    await supertest(program.url).delete('/control/sandboxes/one/journal').expect(204);
    await calls(program, 3);
    await supertest(program.url).post('/control/sandboxes/one/journal/restore');
    await restart();
    await calls(program, 2200);
    await restart();
    expect(journals.map(({ entries }) => entries.length)).toEqual([30, 35, 0, 6, 2000]);
  });

  it('never shows what was stored of a deleted one with the same name', async () => {
    const data = await postgres.database();
    let program = await start(data);
    const control = supertest(program.url);
    for (const id of ['one', 'other']) await control.post('/control/sandboxes').send({ id }).expect(201);
    await control
      .post('/public/create-instructor-account')
      .set('SERVICE-API-KEY', 'sbx_other_riverside')
      .send({ data: [{ data: { instructorEmail: 'new@mail.example', instructorName: 'New' } }] })
      .expect(200);
    await pause(700);
    // The records of a replaced state are deleted on the connection of the journals, which waits for this lock.
    const client = new Client({ connectionString: data });
    await client.connect();
    await client.query(`begin; select from lp_sandbox.record where sandbox = 'other' for update`);
    await control.post('/control/sandboxes/other/reset').expect((reply) => expect(reply.ok).toBe(true));
    await calls(program, 3);
    await pause(1000);
    await control.delete('/control/sandboxes/one').expect(204);
    await control.post('/control/sandboxes').send({ id: 'one' }).expect(201);
    await client.query('commit');
    await client.end();
    await pause(1000);
    await program.stop('SIGKILL');
    program = await start(data);
    expect((await journalOf(program)).entries).toEqual([]);
  });
});
