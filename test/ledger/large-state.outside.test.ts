import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Client } from 'pg';
import { startProgram, type Program } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { control, describeCoupon, read, type Json } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** Starts a server with the sandboxes `large` and `small`. */
async function start(data: string): Promise<Program> {
  const program = await startProgram(['--port', '0', '--data', data]);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  for (const id of ['large', 'small']) await supertest(program.url).post('/control/sandboxes').send({ id });
  return program;
}

type Users = readonly Json[];

async function usersIn({ url }: Program): Promise<Users> {
  const { collections } = await control({ url, id: 'large' }, 'get', '/state');
  return (collections as { readonly users: Users }).users;
}

/** It is stored in several pieces. */
const addedUsers = 4500;

const idOf = (index: number): string => `e${index.toString(16).padStart(23, '0')}`;

/** Sends a large state. Returns its users, and the status of the response. */
async function sendLarge({
  url,
}: Program): Promise<{ readonly users: Users; readonly status: Promise<number> }> {
  const state = await control({ url, id: 'large' }, 'get', '/state');
  const collections = state['collections'] as { readonly users: Users };
  const [pattern] = collections.users;
  const added = Array.from({ length: addedUsers }, (_, index) => ({
    ...pattern,
    id: idOf(index),
    email: `user-${index}@mail.example`,
  }));
  const users = [...collections.users, ...added];
  const status = fetch(`${url}/control/sandboxes/large/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...state, collections: { ...collections, users } }),
  }).then(
    (reply) => reply.status,
    () => 0,
  );
  return { users, status };
}

/** Keeps the last piece of the next large state waiting, until it is called back. */
async function holdLastPiece(data: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: data });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  await client.query('begin');
  await client.query(
    `insert into lp_sandbox.record (sandbox, generation, collection, key, place, change)
     values ('large', 2, 'users', $1, 0, '{}')`,
    [idOf(addedUsers - 1)],
  );
  return async () => void (await client.query('rollback'));
}

/** Sends a large state, of which the last piece is held, and waits until another one is stored. */
async function beginLarge(data: string, server: Program) {
  const release = await holdLastPiece(data);
  const sent = await sendLarge(server);
  await eventually(async () => {
    const rows = await postgres.query(
      data,
      `select count(*) from lp_sandbox.record where sandbox = 'large' and generation = 2`,
    );
    expect(Number(rows[0]?.['count'])).toBeGreaterThan(1000);
  });
  return { release, ...sent };
}

describe('a large state in a database', { timeout: 120_000 }, () => {
  it('keeps no other sandbox waiting while it is stored', async () => {
    const data = await postgres.database();
    const server = await start(data);
    const { release, users, status } = await beginLarge(data, server);
    for (const text of ['one', 'two']) {
      expect((await describeCoupon({ url: server.url, id: 'small' }, text)).status).toBe(200);
      expect((await read({ url: server.url, id: 'small' })).status).toBe(200);
    }
    await release();
    expect(await status).toBe(204);
    await server.stop('SIGKILL');
    expect(await usersIn(await start(data))).toEqual(users);
  });

  it('is absent after a crash before all of it is stored, and leaves nothing to later states', async () => {
    const data = await postgres.database();
    const server = await start(data);
    await describeCoupon({ url: server.url, id: 'large' }, 'before');
    const before = await control({ url: server.url, id: 'large' }, 'get', '/state');
    const { release, status } = await beginLarge(data, server);
    await server.stop('SIGKILL');
    await release();
    expect(await status).toBe(0);
    const second = await start(data);
    expect((await control({ url: second.url, id: 'large' }, 'get', '/state'))['collections']).toEqual(
      before['collections'],
    );
    await control({ url: second.url, id: 'large' }, 'post', '/reset');
    await second.stop('SIGTERM');
    const third = await start(data);
    expect(await usersIn(third)).toHaveLength(89);
    const { users, status: later } = await sendLarge(third);
    expect(await later).toBe(204);
    await third.stop('SIGKILL');
    expect(await usersIn(await start(data))).toEqual(users);
    await eventually(async () => {
      const rows = await postgres.query(
        data,
        `select distinct generation from lp_sandbox.record where sandbox = 'large'`,
      );
      expect(rows).toHaveLength(1);
    });
  });

  it('is stored in full if the engine crashes meanwhile, and with what happens meanwhile', async () => {
    const data = await postgres.database();
    const server = await start(data);
    const { release, users, status } = await beginLarge(data, server);
    const change = describeCoupon({ url: server.url, id: 'large' }, 'meanwhile');
    await postgres.crash();
    await release().catch(() => {});
    await postgres.run();
    await status;
    await change;
    await eventually(async () => expect((await read({ url: server.url, id: 'large' })).status).toBe(200));
    const shown = (await control({ url: server.url, id: 'large' }, 'get', '/state'))['collections'];
    await server.stop('SIGKILL');
    const next = await start(data);
    expect(await usersIn(next)).toEqual(users);
    expect((await control({ url: next.url, id: 'large' }, 'get', '/state'))['collections']).toEqual(shown);
  });

  it('ends with the deletion of its sandbox, and another one with its name has none of it', async () => {
    const data = await postgres.database();
    const server = await start(data);
    const { release, status } = await beginLarge(data, server);
    const deletion = supertest(server.url).delete('/control/sandboxes/large').send();
    const deleted = deletion.then((reply) => reply.status);
    await release();
    expect(await deleted).toBe(204);
    await status;
    await supertest(server.url).post('/control/sandboxes').send({ id: 'large' }).expect(201);
    await control({ url: server.url, id: 'large' }, 'post', '/reset');
    await server.stop('SIGTERM');
    expect(await usersIn(await start(data))).toHaveLength(89);
  });
});
