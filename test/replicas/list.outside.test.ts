import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import type { Program } from '../support/command.ts';
import { expectDocumented } from '../support/control.ts';
import { pause } from '../support/crash-load.ts';
import { eventually } from '../support/eventually.ts';
import { call, control, describeCoupon, facts, read, type Json } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

interface Page {
  readonly sandboxes: readonly Json[];
  readonly next: string | null;
  readonly total: number;
}

async function page({ url }: Program, query = ''): Promise<Page> {
  const reply = await supertest(url).get(`/control/sandboxes${query}`);
  expect(reply.status, reply.text).toBe(200);
  expectDocumented('GET', '/control/sandboxes', reply);
  return reply.body as Page;
}

async function allIn(replica: Program, query: string): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const one: Page = await page(replica, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...one.sandboxes);
    cursor = one.next;
  }
  return found;
}

/** A description without what differs by replica and with time. */
function lasting(described: Json): Json {
  const { mode, now } = described['clock'] as Json;
  const { baseUrl: _baseUrl, usedAt: _usedAt, stateBytes: _stateBytes, ...others } = described;
  return { ...others, clock: mode === 'frozen' ? { mode, now } : { mode } };
}

/** What the owners show of all sandboxes. */
async function shown({ url }: Program): Promise<readonly Json[]> {
  const described: Json[] = [];
  for (const index of facts.keys())
    described.push(lasting(await control({ url, id: `fact-${index}` }, 'get', '')));
  return described;
}

function byId(all: readonly Json[]): readonly Json[] {
  return all
    .map(lasting)
    .toSorted((a, b) => Number(String(a['id']).slice(5)) - Number(String(b['id']).slice(5)));
}

async function create({ url }: Program, id: string, more: object = {}): Promise<void> {
  await supertest(url)
    .post('/control/sandboxes')
    .send({ id, ...more })
    .expect(201);
}

/** Adds copies of the sandbox `pattern`, each used later, created later and larger than the one before. */
async function addCopies(data: string, count: number, name = 'copy'): Promise<void> {
  await postgres.query(
    data,
    `insert into lp_sandbox.sandbox (id, generation, state, facts, last_number, used_at, expires_after, created_at,
       summary, schools, changed_records, state_bytes, used_rank, size_rank)
     select $1 || '-' || n, generation, state, facts, last_number, used_at + n * interval '1 s', expires_after,
       created_at + n * interval '1 ms',
       (summary::jsonb || jsonb_build_object('createdAt', (summary->>'createdAt')::bigint + n))::json, schools, changed_records, state_bytes + n,
       used_at + n * interval '1 s', state_bytes + n
     from lp_sandbox.sandbox, generate_series(1, $2::integer) as n where id = 'pattern'`,
    [name, count],
  );
  await postgres.query(
    data,
    `insert into lp_sandbox.journal select sandbox.id, upto, entries, count from lp_sandbox.journal, lp_sandbox.sandbox
     where sandbox.id like $1 || '-%'`,
    [name],
  );
  await postgres.query(data, 'analyze');
}

describe('the list of the sandboxes of all replicas', { timeout: 120_000 }, () => {
  it('shows each as its owner does, on every replica, also those that are in no memory', async () => {
    const data = await postgres.database();
    const [one, other, last] = [await startReplica(data), await startReplica(data), await startReplica(data)];
    for (const [index, [, happen]] of facts.entries()) {
      const owner = [one, other, last][index % 3] ?? one;
      const id = `fact-${index}`;
      await create(owner, id, index % 2 === 0 ? { ttlSeconds: 5000 } : { seed: 'demo', randomSeed: 9 });
      await happen({ url: owner.url, id });
    }
    await control({ url: one.url, id: 'fact-0' }, 'patch', '/state/schools/1d7181362df2b36a581c47d4', {
      name: 'Renamed',
    });
    const described = await shown(one);
    expect(described.some(({ exchanges }) => exchanges === 3)).toBe(true);
    for (const replica of [one, other, last])
      // The journal is stored a moment later.
      await eventually(async () => {
        expect(byId(await allIn(replica, 'limit=4'))).toEqual(described);
      });
    await one.stop('SIGKILL');
    await other.stop('SIGTERM');
    expect(byId((await page(last, '?limit=1000')).sandboxes)).toEqual(described);
    const { total, next } = await page(last);
    expect([total, next]).toEqual([facts.length, null]);
  });

  it('has pages in each order, with cursors that are the same on each replica', async () => {
    const data = await postgres.database();
    const [one, other] = [await startReplica(data), await startReplica(data)];
    const ids = ['d', 'a-1', 'b', 'a1', 'c'];
    for (const [index, id] of ids.entries()) await create(index % 2 === 0 ? one : other, id);
    await describeCoupon({ url: one.url, id: 'c' }, 'x'.repeat(2000));
    await describeCoupon({ url: one.url, id: 'a1' }, 'x'.repeat(500));
    const inOrder = async (order: string): Promise<readonly unknown[]> => {
      const first = await page(one, `?order=${order}&limit=2`);
      const second = await page(other, `?limit=2&cursor=${first.next ?? ''}`);
      const third = await page(one, `?order=${order}&limit=2&cursor=${second.next ?? ''}`);
      expect([first.sandboxes.length, second.sandboxes.length, third.next]).toEqual([2, 2, null]);
      return [first, second, third].flatMap(({ sandboxes }) => sandboxes.map(({ id }) => id));
    };
    expect(await inOrder('id')).toEqual(['a-1', 'a1', 'b', 'c', 'd']);
    expect(await inOrder('created')).toEqual(ids);
    expect((await inOrder('size')).slice(0, 2)).toEqual(['c', 'a1']);
    expect((await inOrder('used')).slice(0, 2)).toEqual(['a1', 'c']);
    await supertest(one.url).get('/control/sandboxes?order=name').expect(400);
  });

  it('has pages in each order of a long list, each sandbox once, without reading the whole tables', async () => {
    const data = await postgres.database();
    const replica = await startReplica(data);
    await create(replica, 'pattern');
    await read({ url: replica.url, id: 'pattern' });
    await eventually(async () => {
      expect((await page(replica)).sandboxes).toMatchObject([{ exchanges: 1 }]);
    });
    await addCopies(data, 3000);
    await create(replica, 'newest');
    await describeCoupon({ url: replica.url, id: 'newest' }, 'x'.repeat(5000));
    const scans = async (): Promise<unknown> => {
      await pause(1100);
      return postgres.query(
        data,
        `select relname, seq_scan from pg_stat_user_tables where relname in ('sandbox', 'journal') order by relname`,
      );
    };
    const before = await scans();
    for (const order of ['id', 'created', 'used', 'size']) {
      const all = await allIn(replica, `order=${order}&limit=701`);
      expect(new Set(all.map(({ id }) => id)).size, order).toBe(3002);
      expect(all).toHaveLength(3002);
    }
    expect(await scans()).toEqual(before);
    const first = async (order: string): Promise<unknown> =>
      (await page(replica, `?order=${order}&limit=3`)).sandboxes.map(({ id }) => id);
    expect(await first('size')).toEqual(['newest', 'copy-3000', 'copy-2999']);
    expect(await first('used')).toEqual(['copy-3000', 'copy-2999', 'copy-2998']);
    const used = await allIn(replica, 'order=used&limit=1000');
    expect(used.slice(-2).map(({ id }) => id)).toEqual(['newest', 'pattern'].toSorted());
  });

  it('changes no column that has an index with most writes, so that PostgreSQL updates rows in place', async () => {
    const data = await postgres.database();
    const replica = await startReplica(data);
    await create(replica, 'busy');
    const place = { url: replica.url, id: 'busy' };
    const listed = (): Promise<readonly Json[]> =>
      postgres.query(data, 'select used_rank, size_rank, used_at, state_bytes from lp_sandbox.sandbox');
    await describeCoupon(place, 'x'.repeat(3000));
    const [before] = await listed();
    for (let index = 0; index < 5; index += 1) await describeCoupon(place, 'y'.repeat(3001 + index));
    const [after] = await listed();
    expect([after?.['used_rank'], after?.['size_rank']]).toEqual([
      before?.['used_rank'],
      before?.['size_rank'],
    ]);
    expect(after?.['state_bytes']).not.toEqual(before?.['state_bytes']);
    const indexes = await postgres.query(
      data,
      `select indexdef from pg_indexes where schemaname = 'lp_sandbox' and tablename = 'sandbox'
         and indexdef ~ 'used_at|last_number|changed_records|state_bytes'`,
    );
    expect(indexes).toEqual([]);
    // A sandbox that leaves memory gets its exact places.
    await replica.stop('SIGTERM');
    const [given] = await listed();
    expect([given?.['used_rank'], given?.['size_rank']]).toEqual([
      given?.['used_at'],
      given?.['state_bytes'],
    ]);
  });

  it('has an exact total of up to 10,000 sandboxes, and counts more in the background', async () => {
    const data = await postgres.database();
    const replica = await startReplica(data);
    const total = async (): Promise<number> => (await page(replica, '?limit=1')).total;
    expect(await total()).toBe(0);
    await create(replica, 'pattern');
    expect(await total()).toBe(1);
    await addCopies(data, 9999);
    expect(await total()).toBe(10_000);
    await addCopies(data, 45_000, 'more');
    expect(await total()).toBeGreaterThan(10_000);
    await eventually(async () => expect(await total()).toBe(55_000));
    await postgres.query(data, `delete from lp_sandbox.sandbox where id like 'more-%'`);
    // The next count is due after some seconds.
    await eventually(async () => expect(await total()).toBe(10_000));
  });

  it('waits for no lock on a row, takes no sandbox, and is fast with 10,000 sandboxes', async () => {
    const data = await postgres.database();
    const [one, other] = [await startReplica(data), await startReplica(data)];
    await create(one, 'pattern');
    await read({ url: one.url, id: 'pattern' });
    await eventually(async () => {
      expect((await page(other)).sandboxes).toMatchObject([{ exchanges: 1 }]);
    });
    await addCopies(data, 10_000);
    const locking = new Client({ connectionString: data });
    await locking.connect();
    await locking.query('begin');
    await locking.query('select from lp_sandbox.sandbox for update');
    try {
      for (const order of ['id', 'created', 'used', 'size']) {
        const first = await page(other, `?order=${order}`);
        expect([first.sandboxes.length, first.total]).toEqual([100, 10_001]);
        const times: number[] = [];
        for (let cursor = first.next, count = 0; count < 10; count += 1) {
          const since = performance.now();
          const target = `${other.url}/control/sandboxes?order=${order}&limit=100&cursor=${cursor ?? ''}`;
          const next = (await (await fetch(target)).json()) as Page;
          times.push(performance.now() - since);
          expect(next.sandboxes).toHaveLength(100);
          cursor = next.next;
        }
        // 15 to 40 ms on a quiet machine; others may use this one.
        expect(Math.min(...times), `${order}: ${times.join(' ')}`).toBeLessThan(1000);
      }
    } finally {
      await locking.end();
    }
    const owners = await postgres.query(
      data,
      'select count(owner)::integer as owned from lp_sandbox.sandbox',
    );
    expect(owners).toEqual([{ owned: 1 }]);
    const { status } = await call({ url: other.url, id: 'copy-7' }, 'get-all-instructors', {});
    expect(status).toBe(200);
  });
});
