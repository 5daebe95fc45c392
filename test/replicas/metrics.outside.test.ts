import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { quiz } from '../support/demo.ts';
import { pause } from '../support/crash-load.ts';
import { eventually } from '../support/eventually.ts';
import { describeCoupon } from '../support/facts.ts';
import { metricsOf } from '../support/metrics.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

async function metric({ url }: Program, name: string): Promise<number | undefined> {
  return (await metricsOf(url)).get(`lp_sandbox_${name}`);
}

async function create({ url }: Program, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await supertest(url).post('/control/sandboxes').send({ id }).expect(201);
}

/** Sends a call that changes nothing but counts. */
async function call({ url }: Program, id: string): Promise<void> {
  await supertest(url)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
    .send({ data: [{ data: { quizId: quiz.id } }] })
    .expect(200);
}

/** Holds rows of a table, so that statements that need them wait until the returned function is called. */
async function holdTable(data: string, table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: data });
  client.on('error', () => {});
  await client.connect();
  const release = (): Promise<void> => client.end().catch(() => {});
  onTestFinished(release);
  await client.query('begin');
  await client.query(`lock table lp_sandbox.${table} in exclusive mode`);
  return release;
}

/** Starts a server that shares its sandboxes with none. */
async function start(data: string): Promise<Program> {
  const program = await startProgram(['--port', '0', '--data', data]);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

/** The names of the metrics of a server. */
async function names({ url }: Program): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(/# TYPE (\S+)/g)].map(([, name = '']) => name);
}

describe('/metrics of replicas', () => {
  it('tells how many sandboxes each owns, and which of them it took from one that had ended', async () => {
    const data = await postgres.database();
    const [first, second] = [await startReplica(data), await startReplica(data)];
    await create(first, 'one', 'two');
    await create(second, 'three');
    // A new sandbox is on the replica that its first call reaches.
    for (const id of ['one', 'two']) await call(first, id);
    await call(second, 'three');
    expect([await metric(first, 'owned_sandboxes'), await metric(second, 'owned_sandboxes')]).toEqual([2, 1]);
    await first.stop('SIGKILL');
    expect(await metric(second, 'takeovers_total')).toBe(0);
    await call(second, 'one');
    expect(await metric(second, 'owned_sandboxes')).toBe(2);
    expect(await metric(second, 'takeovers_total')).toBe(1);
  });

  it('does not call it a takeover if a replica gave its sandboxes away', async () => {
    const data = await postgres.database();
    const [first, second] = [await startReplica(data), await startReplica(data)];
    await create(first, 'one');
    await first.stop('SIGTERM');
    await call(second, 'one');
    expect(await metric(second, 'owned_sandboxes')).toBe(1);
    expect(await metric(second, 'takeovers_total')).toBe(0);
  });

  it('counts the requests of clients, and those that were forwarded, each at the replica that got it', async () => {
    const data = await postgres.database();
    const [owner, other] = [await startReplica(data), await startReplica(data)];
    await create(owner, 'one');
    await call(owner, 'one');
    for (let at = 0; at < 3; at += 1) await call(other, 'one');
    await supertest(other.url).get('/control/sandboxes/one').expect(200);
    await supertest(other.url).get('/healthz').expect(200);
    expect(await metric(owner, 'received_requests_total')).toBe(1);
    expect(await metric(owner, 'forwarded_requests_total')).toBe(0);
    expect(await metric(other, 'received_requests_total')).toBe(4);
    expect(await metric(other, 'forwarded_requests_total')).toBe(4);
  });

  it('counts the replicas whose session this one ended', { timeout: 60_000 }, async () => {
    const data = await postgres.database();
    const [owner, other] = [await startReplica(data), await startReplica(data)];
    onTestFinished(() => void process.kill(owner.pid, 'SIGCONT'));
    await create(owner, 'one');
    await call(owner, 'one');
    await call(other, 'one');
    expect(await metric(other, 'deposed_replicas_total')).toBe(0);
    process.kill(owner.pid, 'SIGSTOP');
    // Its client gets no response, because the frozen replica may have processed it.
    await call(other, 'one').catch(() => {});
    await eventually(() => call(other, 'one'));
    expect(await metric(other, 'deposed_replicas_total')).toBe(1);
    expect(await metric(other, 'takeovers_total')).toBe(1);
  });
});

describe('/metrics of a server with a database', () => {
  it('counts the statements by their sandboxes and their time', async () => {
    const program = await start(await postgres.database());
    const before = await metricsOf(program.url);
    await create(program, 'one');
    await describeCoupon(program, 'stored');
    const after = await metricsOf(program.url);
    const grown = (name: string): number =>
      (after.get(`lp_sandbox_${name}`) ?? NaN) - (before.get(`lp_sandbox_${name}`) ?? NaN);
    expect(grown('batch_sandboxes_count')).toBeGreaterThanOrEqual(2);
    expect(grown('batch_sandboxes_sum')).toBe(grown('batch_sandboxes_count'));
    expect(grown('batch_sandboxes_bucket{le="1"}')).toBe(grown('batch_sandboxes_count'));
    expect(grown('statement_seconds_count')).toBe(grown('batch_sandboxes_count'));
    expect(grown('statement_seconds_bucket{le="+Inf"}')).toBe(grown('statement_seconds_count'));
    expect(grown('statement_seconds_sum')).toBeGreaterThan(0);
  });

  it('tells how long a statement took that had to wait', async () => {
    const data = await postgres.database();
    const program = await start(data);
    const release = await holdTable(data, 'sandbox');
    const changed = describeCoupon(program, 'stored');
    await eventually(async () => {
      const waiting = await postgres.query(data, 'select from pg_locks where not granted');
      expect(waiting).toHaveLength(1);
    });
    await pause(600);
    await release();
    await changed;
    const counted = await metricsOf(program.url);
    const [quick, all] = ['0.5', '+Inf'].map((le) =>
      counted.get(`lp_sandbox_statement_seconds_bucket{le="${le}"}`),
    );
    expect((all ?? NaN) - (quick ?? NaN)).toBe(1);
  });

  it('counts the sandboxes that it could not store, because another server had taken them', async () => {
    const data = await postgres.database();
    const program = await start(data);
    await create(program, 'one');
    expect(await metric(program, 'fenced_writes_total')).toBe(0);
    expect(await metric(program, 'owned_sandboxes')).toBe(2);
    await postgres.query(data, `update lp_sandbox.sandbox set owner = 999 where id = 'one'`);
    await supertest(program.url).post('/control/sandboxes/one/clock/advance').send({ seconds: 1 });
    expect(await metric(program, 'fenced_writes_total')).toBe(1);
    expect(await metric(program, 'owned_sandboxes')).toBe(1);
  });

  it('tells how old the oldest entry of a journal is that is not stored', async () => {
    const data = await postgres.database();
    const program = await start(data);
    await create(program, 'one');
    const release = await holdTable(data, 'journal');
    await call(program, 'one');
    await eventually(async () => expect(await metric(program, 'journal_lag_seconds')).toBeGreaterThan(0.5));
    await call(program, 'one');
    expect(await metric(program, 'journal_lag_seconds')).toBeGreaterThan(0.5);
    await release();
    await eventually(async () => expect(await metric(program, 'journal_lag_seconds')).toBe(0));
  });

  it('tells whether it is connected, and how often it connected again', async () => {
    const own = await Postgres.start();
    onTestFinished(() => own.end());
    const program = await start(await own.database());
    expect(await metric(program, 'database_connected')).toBe(1);
    expect(await metric(program, 'database_reconnects_total')).toBe(0);
    await own.crash();
    await eventually(async () => expect(await metric(program, 'database_connected')).toBe(0));
    expect(await metric(program, 'owned_sandboxes')).toBe(0);
    await own.run();
    await eventually(async () => expect(await metric(program, 'database_connected')).toBe(1));
    expect(await metric(program, 'database_reconnects_total')).toBe(1);
    expect(await metric(program, 'owned_sandboxes')).toBe(1);
  });

  it('has no metrics of other replicas if it shares its sandboxes with none, and no labels of sandboxes', async () => {
    const program = await start(await postgres.database());
    await create(program, 'a-tenant');
    await call(program, 'a-tenant');
    const text = await (await fetch(`${program.url}/metrics`)).text();
    expect(text).toContain('lp_sandbox_owned_sandboxes 2');
    expect(text).not.toMatch(/forwarded|deposed|a-tenant/);
  });
});

describe('docs/hosting.md', () => {
  it('names each metric of a replica that other servers do not have', async () => {
    const replica = await startReplica(await postgres.database());
    const program = await startProgram(['--port', '0']);
    onTestFinished(async () => void (await program.stop('SIGKILL')));
    const usual = await names(program);
    const own = (await names(replica)).filter((name) => !usual.includes(name));
    const table = readFileSync('docs/hosting.md', 'utf8').matchAll(/^\| `(lp_sandbox_\w+)`/gm);
    expect([...table].map(([, name]) => name)).toEqual(own);
  });
});
