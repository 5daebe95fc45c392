import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { coupon, labId } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { call, control, describeCoupon, facts, read, shown, type Json } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** Starts a server that stores its sandboxes in the database. */
async function start(data: string, ...more: readonly string[]): Promise<Program> {
  const program = await startProgram(['--port', '0', '--data', data, ...more]);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

async function sandboxIn({ url }: Pick<Program, 'url'>, settings: object): Promise<void> {
  await supertest(url).post('/control/sandboxes').send(settings).expect(201);
}

/** What is shown of a sandbox before the end of its server, after `kill -9`, and after a stop. */
interface Life {
  readonly before: Json;
  readonly killed: Json;
  readonly stopped: Json;
}

async function live(): Promise<ReadonlyMap<string, Life>> {
  const data = await postgres.database();
  const first = await start(data);
  const ids = facts.map((_, index) => `fact-${index}`);
  for (const [index, [, happen]] of facts.entries()) {
    const id = ids[index] ?? '';
    await sandboxIn(first, { id });
    await happen({ url: first.url, id });
  }
  const shownBy = async ({ url }: Program): Promise<readonly Json[]> => {
    const all: Json[] = [];
    for (const id of ids) all.push(await shown({ url, id }));
    return all;
  };
  const before = await shownBy(first);
  await first.stop('SIGKILL');
  const second = await start(data);
  const killed = await shownBy(second);
  expect(await second.stop('SIGTERM')).toMatchObject({ code: 0, err: '' });
  const stopped = await shownBy(await start(data));
  return new Map(
    facts.map(([name], index) => [
      name,
      { before: before[index] ?? {}, killed: killed[index] ?? {}, stopped: stopped[index] ?? {} },
    ]),
  );
}

/** A sandbox for each fact, all of one server: every start reads the demo data. */
let lives: Promise<ReadonlyMap<string, Life>> | null = null;

describe('a sandbox in a database', () => {
  it.each(facts.map(([name], index) => [name, index] as const))(
    'has %s after kill -9 as before, and after a stop',
    // The first one waits for the lives of all.
    { timeout: 180_000 },
    async (name, index) => {
      lives ??= live();
      const life = (await lives).get(name);
      expect(life?.before).toHaveProperty('id', `fact-${index}`);
      expect(life?.killed).toEqual(life?.before);
      expect(life?.stopped).toEqual(life?.before);
    },
  );

  it('continues after kill -9: a rule and a limit count on, and request ids only increase', async () => {
    const data = await postgres.database();
    const first = await start(data);
    await control(first, 'post', '/faults', { fault: 'http-error', when: { first: 5 } });
    await control(first, 'put', '/limits', { operations: { 'list-assignments': 2 } });
    const ids: number[] = [];
    const add = ({ headers }: Awaited<ReturnType<typeof read>>): void =>
      void ids.push(Number(String(headers['sandbox-request-id']).replace('default-', '')));
    for (let calls = 0; calls < 3; calls += 1) add(await read(first));
    for (let calls = 0; calls < 2; calls += 1)
      add(await call(first, 'list-assignments', { courseIdentifier: {} }));
    await first.stop('SIGKILL');
    const second = await start(data);
    const statuses: number[] = [];
    for (let calls = 0; calls < 2; calls += 1) {
      const reply = await read(second);
      statuses.push(reply.status);
      add(reply);
    }
    const throttled = await call(second, 'list-assignments', { courseIdentifier: {} });
    add(throttled);
    expect([...statuses, throttled.status]).toEqual([200, 200, 429]);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
  });

  it('has no sandbox that was deleted, and a new one of its name is new', async () => {
    const data = await postgres.database();
    const first = await start(data);
    await sandboxIn(first, { id: 'one' });
    await control(first, 'patch', `/state/labs/${labId}`, { labTitle: 'old' }, 'one');
    await control(first, 'delete', '', undefined, 'one');
    await sandboxIn(first, { id: 'two' });
    await control(first, 'delete', '', undefined, 'two');
    await sandboxIn(first, { id: 'two' });
    const before = await control(first, 'get', '/state/labs/' + labId, undefined, 'two');
    await first.stop('SIGKILL');
    const second = await start(data);
    await supertest(second.url).get('/control/sandboxes/one').expect(404);
    expect(await control(second, 'get', `/state/labs/${labId}`, undefined, 'two')).toEqual(before);
    await sandboxIn(second, { id: 'one' });
    expect(await control(second, 'get', `/state/labs/${labId}`, undefined, 'one')).toEqual(before);
  });

  it('deletes a sandbox that was not used for its time to live, also after a restart', async () => {
    const data = await postgres.database();
    const first = await start(data);
    await sandboxIn(first, { id: 'short', ttlSeconds: 2 });
    await sandboxIn(first, { id: 'long', ttlSeconds: 3600 });
    await first.stop('SIGKILL');
    await start(data);
    await eventually(async () => {
      const rows = await postgres.query(data, 'select id from lp_sandbox.sandbox order by id');
      expect(rows).toEqual([{ id: 'default' }, { id: 'long' }]);
    });
  });

  it('counts its time to live from the last request, also if that only reads', async () => {
    const data = await postgres.database();
    const { url } = await start(data);
    await sandboxIn({ url }, { id: 'one', ttlSeconds: 2 });
    const usedAt = async (): Promise<unknown> =>
      (await postgres.query(data, `select used_at::text from lp_sandbox.sandbox where id = 'one'`))[0];
    for (const use of [
      () => supertest(url).get('/control/sandboxes/one/limits'),
      () => call({ url, id: 'one' }, 'no-such-operation', {}),
    ]) {
      const before = await usedAt();
      await eventually(async () => {
        await use();
        expect(await usedAt()).not.toEqual(before);
      });
    }
  });

  it('lists all sandboxes, loads one with the first call to it, and gives the longest unused its memory back', async () => {
    const data = await postgres.database();
    const first = await start(data);
    for (const id of ['one', 'two', 'three']) {
      await sandboxIn(first, { id });
      await describeCoupon({ url: first.url, id }, `of ${id}`);
    }
    await first.stop('SIGKILL');
    const second = await start(data, '--max-sandboxes', '2');
    const { body } = await supertest(second.url).get('/control/sandboxes').expect(200);
    expect(body).toMatchObject({
      sandboxes: [{ id: 'default' }, { id: 'one' }, { id: 'two' }, { id: 'three' }],
    });
    for (const id of ['one', 'two', 'three', 'one']) {
      const described = await control(second, 'get', `/state/coupons/${coupon.id}`, undefined, id);
      expect(described).toMatchObject({ description: `of ${id}` });
      await eventually(async () => {
        const rows = await postgres.query(
          data,
          'select id from lp_sandbox.sandbox where owner is not null order by id',
        );
        expect(rows).toEqual([{ id: 'default' }, { id }]);
      });
    }
  });

  it('keeps records whose ids no index would accept, and the order in which records were added', async () => {
    const data = await postgres.database();
    const first = await start(data);
    const { collections } = await control(first, 'get', '/state');
    const [lab] = (collections as Readonly<Record<string, readonly Json[]>>)['labs'] ?? [];
    const ids = ['b', 'ä\u0000', 'x'.repeat(10_000), 'a'];
    const put = (id: string): Promise<Json> =>
      control(first, 'put', `/state/labs/${encodeURIComponent(id)}`, {
        ...lab,
        id,
        labTitle: '\u0000\ud800',
      });
    for (const id of ids) await put(id);
    await control(first, 'delete', '/state/labs/b');
    await put('b');
    await put('a');
    const before = await shown(first);
    await first.stop('SIGKILL');
    expect(await shown(await start(data))).toEqual(before);
  });

  it('deletes the rows of a state that was replaced', async () => {
    const data = await postgres.database();
    const server = await start(data);
    await describeCoupon(server, 'old');
    await control(server, 'post', '/reset');
    await describeCoupon(server, 'new');
    await eventually(async () => {
      const rows = await postgres.query(data, 'select generation, change from lp_sandbox.record');
      expect(rows).toMatchObject([{ generation: 2, change: { description: 'new' } }]);
    });
  });

  it('belongs to one server: a second one says who has it', async () => {
    const data = await postgres.database();
    const { pid } = await start(data);
    await expect(start(data)).rejects.toThrow(`is in use by process ${pid}`);
  });
});
