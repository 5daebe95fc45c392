import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lpSandbox, run, startProgram, temporaryFolder } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { describeCoupon } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** Starts pgbouncer before a database. Returns the URL that leads through it. */
async function poolerBefore(data: string, mode: 'session' | 'transaction', more = ''): Promise<string> {
  const folder = temporaryFolder();
  const settings = [
    '[databases]',
    `* = host=${postgres.folder} user=sandbox`,
    '[pgbouncer]',
    `unix_socket_dir = ${folder}`,
    'listen_addr =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    more,
    'ignore_startup_parameters = extra_float_digits',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const pooler = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], { ...identity, stdio: 'ignore' });
  onTestFinished(() => void pooler.kill('SIGKILL'));
  const url = `${data.replace(postgres.folder, folder)}&port=6432`;
  await eventually(() => postgres.query(url, 'select'));
  return url;
}

describe('the session of a server with a database', () => {
  it.each(['server_round_robin = 0', 'server_round_robin = 1'])(
    'must be its own: a pooler in transaction mode is refused, with %s',
    async (order) => {
      const data = await postgres.database();
      const { code, err } = await run([
        '--port',
        '0',
        '--data',
        await poolerBefore(data, 'transaction', order),
      ]);
      expect(code).toBe(2);
      expect(err).toContain('--data leads through a connection pooler in transaction mode');
    },
  );

  it('may lead through a pooler in session mode', async () => {
    const data = await postgres.database();
    const server = await startProgram(['--port', '0', '--data', await poolerBefore(data, 'session')]);
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    expect((await describeCoupon(server, 'stored')).status).toBe(200);
  });

  it('has a number that is never used again, and leaves no replica behind', async () => {
    const data = await postgres.database();
    const numbers: unknown[] = [];
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const server = await startProgram(['--port', '0', '--data', data]);
      const replicas = await postgres.query(data, 'select number, owner from lp_sandbox.replica');
      expect(replicas).toMatchObject([{ owner: expect.stringContaining(`process ${server.pid}`) as string }]);
      numbers.push(replicas[0]?.['number']);
      await server.stop(signal);
      const left = await postgres.query(data, 'select from lp_sandbox.replica');
      expect(left).toHaveLength(signal === 'SIGTERM' ? 0 : 1);
    }
    expect(numbers).toEqual(['1', '2', '3']);
  });

  it('leads to a database that can store any text', async () => {
    await postgres.query(
      postgres.url('postgres'),
      `create database latin encoding 'LATIN1' locale 'C' template template0`,
    );
    const { code, err } = await run(['--port', '0', '--data', postgres.url('latin')]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('must have the encoding UTF8') as string,
    });
  });

  it('confirms a change only when it is on the disk, even if the database would not', async () => {
    const data = await postgres.database();
    const name = new URL(data).pathname.slice(1);
    await postgres.query(data, `alter database ${name} set synchronous_commit = off`);
    await postgres.query(
      data,
      `create schema lp_sandbox; create table lp_sandbox.schema (version integer not null);
       insert into lp_sandbox.schema values (0)`,
    );
    const server = await startProgram(['--port', '0', '--data', data]);
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    await postgres.query(
      data,
      `create table seen (setting text);
       create function look() returns trigger language plpgsql as
         $$ begin insert into seen values (current_setting('synchronous_commit')); return null; end $$;
       create trigger look after update on lp_sandbox.sandbox for each statement execute function look()`,
    );
    await describeCoupon(server, 'stored');
    const seen = await postgres.query(data, 'select distinct setting from seen');
    expect(seen).toEqual([{ setting: 'on' }]);
  });
});

describe('the tables of a server with a database', () => {
  it('are not changed by a program that does not know their version', async () => {
    const data = await postgres.database();
    const first = await startProgram(['--port', '0', '--data', data]);
    await first.stop('SIGTERM');
    await postgres.query(data, 'update lp_sandbox.schema set version = 99');
    const { code, err } = await run(['--port', '0', '--data', data]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('version 99') as string });
  });

  it('are created once, however many servers start at the same time', async () => {
    const data = await postgres.database();
    const started = await Promise.allSettled(
      [1, 2, 3].map(() => startProgram(['--port', '0', '--data', data])),
    );
    const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const server of running) onTestFinished(async () => void (await server.stop('SIGKILL')));
    expect(running).toHaveLength(1);
    // Vitest passes any value as the reason.
    const reasons = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    for (const reason of reasons) expect(reason).toMatch(/in use by process|has just begun to use/);
  });
});

describe('a server without a database', () => {
  /** A program in which nothing can load `pg`. */
  const withoutPg = [
    lpSandbox[0],
    '--import',
    `data:text/javascript,${encodeURIComponent(
      `import { register } from 'node:module';
       register('data:text/javascript,' + encodeURIComponent(
         'export const resolve = (name, context, next) => {' +
         '  if (name === "pg") throw new Error("pg was loaded"); return next(name, context); };'))`,
    )}`,
    lpSandbox[1],
  ] as const;

  it('never loads pg', async () => {
    for (const place of [[], ['--data', temporaryFolder()]]) {
      const server = await startProgram(['--port', '0', ...place], { program: withoutPg });
      expect((await describeCoupon(server, 'changed')).status).toBe(200);
      expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, err: '' });
    }
    const { err } = await run(['--port', '0', '--data', await postgres.database()], { program: withoutPg });
    expect(err).toContain('pg was loaded');
  });
});
