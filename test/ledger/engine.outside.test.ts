import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, temporaryFolder, type Program } from '../support/command.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { control, describeCoupon, read } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** Starts a server that stores its sandboxes in the database, with the sandboxes `one` and `two`. */
async function start(data: string): Promise<Program> {
  const program = await startProgram(['--port', '0', '--data', data, '--limits', 'off']);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

async function withTwo(data: string): Promise<Program> {
  const program = await start(data);
  for (const id of ['one', 'two'])
    await supertest(program.url).post('/control/sandboxes').send({ id }).expect(201);
  return program;
}

/** A way to a database that can be cut without either side seeing its end, as by a firewall. */
async function wayTo(data: string): Promise<{ readonly url: string; cut(): void; restore(): void }> {
  const folder = temporaryFolder();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(join(postgres.folder, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(join(folder, '.s.PGSQL.5432'));
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: data.replace(postgres.folder, folder),
    cut: () => {
      for (const socket of sockets) socket.pause();
    },
    restore: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}

/** Holds the row of a sandbox, so that no statement stores a change of it until the returned function is called. */
async function holdRow(data: string, id: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: data });
  await client.connect();
  const release = (): Promise<void> => client.end().catch(() => {});
  onTestFinished(release);
  await client.query('begin');
  await client.query('select from lp_sandbox.sandbox where id = $1 for update', [id]);
  return release;
}

/** Ends all sessions of servers, as an administrator or a failover does. */
async function endSessions(data: string): Promise<void> {
  await postgres.query(
    data,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'lp-sandbox'`,
  );
}

async function descriptionIn({ url }: Program, id: string): Promise<unknown> {
  return (await control({ url, id }, 'get', `/state/coupons/${coupon.id}`))['description'];
}

/** The statuses of requests so far. */
function watch(
  requests: Readonly<Record<string, Promise<{ readonly status: number }>>>,
): Map<string, number> {
  const statuses = new Map<string, number>();
  for (const [name, request] of Object.entries(requests))
    void request.then(({ status }) => statuses.set(name, status));
  return statuses;
}

describe('a reply', () => {
  it('waits until what it shows is stored, also if its call only reads; those of other sandboxes do not', async () => {
    const data = await postgres.database();
    const server = await withTwo(data);
    const [one, two] = [
      { url: server.url, id: 'one' },
      { url: server.url, id: 'two' },
    ];
    const release = await holdRow(data, 'one');
    const change = describeCoupon(one, 'shown');
    // Its statement is on its way when the others arrive.
    await eventually(async () => {
      const waiting = await postgres.query(
        data,
        `select from pg_stat_activity where wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    const statuses = watch({
      change,
      read: read(one),
      shown: supertest(server.url).get(`/control/sandboxes/one/state/coupons/${coupon.id}`),
      other: read(two),
    });
    await eventually(() => expect(statuses.get('other')).toBe(200));
    expect([...statuses.keys()]).toEqual(['other']);
    await release();
    await eventually(() => expect(statuses.size).toBe(4));
    expect([...statuses.values()]).toEqual([200, 200, 200, 200]);
  });

  it('shares a statement with all that arrive while another one is on its way', async () => {
    const data = await postgres.database();
    const server = await withTwo(data);
    await postgres.query(
      data,
      `create table statement (at timestamptz default clock_timestamp());
       create function slow() returns trigger language plpgsql as
         $$ begin insert into statement default values; perform pg_sleep(0.2); return null; end $$;
       create trigger slow after update on lp_sandbox.sandbox for each statement execute function slow()`,
    );
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        describeCoupon({ url: server.url, id: number % 2 === 0 ? 'one' : 'two' }, `change ${number}`),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const statements = await postgres.query(data, 'select from statement');
    expect(statements.length).toBeLessThan(10);
  });

  it('is a 503 for a sandbox whose data the database refuses; it is loaded again, and the others are well', async () => {
    const data = await postgres.database();
    const server = await withTwo(data);
    const [one, two] = [
      { url: server.url, id: 'one' },
      { url: server.url, id: 'two' },
    ];
    await describeCoupon(one, 'stored');
    await postgres.query(
      data,
      `alter table lp_sandbox.record add check (change::text not like '%impossible%')`,
    );
    await postgres.query(
      data,
      `create function refuse() returns trigger language plpgsql as $$ begin
         if new.change::text like '%refused%' then raise exception using errcode = '22023'; end if; return new; end $$;
       create trigger refuse before insert or update on lp_sandbox.record for each row execute function refuse()`,
    );
    const replies = await Promise.all([
      describeCoupon(one, 'refused'),
      describeCoupon(two, 'two'),
      describeCoupon(one, 'impossible'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([503, 200, 503]);
    expect(await descriptionIn(server, 'one')).toBe('stored');
    expect(await descriptionIn(server, 'two')).toBe('two');
    expect((await describeCoupon(one, 'again')).status).toBe(200);
  });
});

describe('a server whose session ends', () => {
  it('continues with another one, and has lost nothing', async () => {
    const data = await postgres.database();
    const server = await withTwo(data);
    const acknowledged: string[] = [];
    const end = new AbortController();
    const writing = (async () => {
      for (let number = 0; !end.signal.aborted; number += 1) {
        const id = number % 2 === 0 ? 'one' : 'two';
        const { status } = await describeCoupon({ url: server.url, id }, `change ${number}`);
        if (status === 200) acknowledged.push(`${id} change ${number}`);
        else expect(status).toBe(503);
      }
    })();
    for (let ends = 0; ends < 5; ends += 1) {
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 5));
      await endSessions(data);
    }
    const before = acknowledged.length;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 5));
    end.abort();
    await writing;
    await server.stop('SIGKILL');
    const again = await start(data);
    for (const id of ['one', 'two'])
      expect(acknowledged.findLast((one) => one.startsWith(id))).toBe(
        `${id} ${String(await descriptionIn(again, id))}`,
      );
  });

  it('is ready while the database is unavailable, refuses calls after 2 s with Retry-After, and then goes on', async () => {
    const data = await postgres.database();
    const server = await withTwo(data);
    const place = { url: server.url, id: 'one' };
    await describeCoupon(place, 'before');
    await postgres.crash();
    onTestFinished(() => postgres.run());
    const started = performance.now();
    const first = await describeCoupon(place, 'meanwhile');
    const waited = performance.now() - started;
    expect(first.status).toBe(503);
    expect(waited).toBeGreaterThan(1900);
    for (const reply of [
      await describeCoupon(place, 'refused'),
      await read(place),
      await supertest(server.url).get('/control/sandboxes/one/limits'),
      await supertest(server.url).post('/control/sandboxes').send({ id: 'three' }),
      await supertest(server.url).delete('/control/sandboxes/two'),
    ]) {
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toBe('1');
    }
    await supertest(server.url).get('/readyz').expect(200);
    await postgres.run();
    await eventually(async () => expect((await read(place)).status).toBe(200));
    // The first call was told that its change may or may not be lost.
    expect(await descriptionIn(server, 'one')).toBe('meanwhile');
    expect((await describeCoupon(place, 'after')).status).toBe(200);
    await server.stop('SIGKILL');
    const again = await start(data);
    expect(await descriptionIn(again, 'one')).toBe('after');
    expect((await read({ url: again.url, id: 'two' })).status).toBe(200);
    await supertest(again.url).get('/control/sandboxes/three').expect(404);
  });

  it('does not rely on what it has in memory if it has not heard from its session for 3 s', async () => {
    const data = await postgres.database();
    const way = await wayTo(data);
    const server = await withTwo(way.url);
    const place = { url: server.url, id: 'one' };
    expect((await describeCoupon(place, 'before')).status).toBe(200);
    way.cut();
    expect((await read(place)).status).toBe(200);
    // Not more often: after a thousand calls, it would have to store that more request ids are used.
    await expect.poll(async () => (await read(place)).status, { interval: 200 }).toBe(503);
    way.restore();
    await eventually(async () => expect((await read(place)).status).toBe(200));
    expect(await descriptionIn(server, 'one')).toBe('before');
  });

  it('stores nothing of a sandbox that its row gives to another server', async () => {
    const data = await postgres.database();
    const server = await withTwo(data);
    const place = { url: server.url, id: 'one' };
    await describeCoupon(place, 'before');
    const other = new Client({ connectionString: data });
    onTestFinished(() => other.end());
    await other.connect();
    await other.query(
      `select pg_advisory_lock(('lp_sandbox.replica_number'::regclass::oid::bigint << 32) | 1000)`,
    );
    await other.query(`update lp_sandbox.sandbox set owner = 1000 where id = 'one'`);
    expect((await describeCoupon(place, 'late')).status).toBe(503);
    expect(
      await other.query('select from lp_sandbox.record where change::text like $1', ['%late%']),
    ).toMatchObject({ rowCount: 0 });
    const refused = await read(place);
    expect({ status: refused.status, retry: refused.headers['retry-after'] }).toEqual({
      status: 503,
      retry: '1',
    });
    expect((await read({ url: server.url, id: 'two' })).status).toBe(200);
    await other.query(`update lp_sandbox.sandbox set owner = null where id = 'one'`);
    await eventually(async () => expect((await read(place)).status).toBe(200));
    expect(await descriptionIn(server, 'one')).toBe('before');
  });

  it('shows nothing, and stores nothing, once another server has its sandboxes', async () => {
    const data = await postgres.database();
    const frozen = await withTwo(data);
    await describeCoupon({ url: frozen.url, id: 'one' }, 'of the first');
    process.kill(frozen.pid, 'SIGSTOP');
    await endSessions(data);
    const next = await start(data);
    for (const id of ['default', 'one'])
      expect((await describeCoupon({ url: next.url, id }, 'of the second')).status).toBe(200);
    const late = ['default', 'one'].flatMap((id) => [
      read({ url: frozen.url, id }),
      describeCoupon({ url: frozen.url, id }, 'late'),
    ]);
    process.kill(frozen.pid, 'SIGCONT');
    const replies = await Promise.all(late);
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(frozen.said().err).toContain('another server has taken the sandbox');
    for (const id of ['default', 'one']) expect(await descriptionIn(next, id)).toBe('of the second');
    await next.stop('SIGKILL');
    const last = await start(data);
    for (const id of ['default', 'one']) expect(await descriptionIn(last, id)).toBe('of the second');
  });
});
