import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { control, describeCoupon, read } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

async function create(url: string, body: object): Promise<void> {
  await supertest(url).post('/control/sandboxes').send(body).expect(201);
}

/** The ids of the stored sandboxes, those in the memory of a replica in capital letters. */
async function stored(data: string): Promise<readonly unknown[]> {
  const rows = await postgres.query(
    data,
    'select case when owner is null then id else upper(id) end as id from lp_sandbox.sandbox order by sandbox.id',
  );
  return rows.map(({ id }) => id);
}

describe('a sandbox on replicas that nobody uses', { timeout: 120_000 }, () => {
  it('leaves memory, stays in the database as it was, and is there again for the next call', async () => {
    const data = await postgres.database();
    const [one, other] = [
      await startReplica(data, ['--idle-release', 'PT2S', '--idle-expiry', 'P14D']),
      await startReplica(data),
    ];
    await create(one.url, { id: 'idle' });
    await create(one.url, { id: 'used' });
    await describeCoupon({ url: one.url, id: 'idle' }, 'kept');
    await read({ url: one.url, id: 'used' });
    const before = await control({ url: one.url, id: 'idle' }, 'get', '/state');
    expect(await stored(data)).toEqual(['IDLE', 'USED']);
    await eventually(async () => {
      await read({ url: one.url, id: 'used' });
      expect(await stored(data)).toEqual(['idle', 'USED']);
    });
    expect(await control({ url: other.url, id: 'idle' }, 'get', '/state')).toEqual(before);
    expect(await control({ url: other.url, id: 'idle' }, 'get', '')).toMatchObject({
      ttlSeconds: 1_209_600,
      changedRecords: 1,
      exchanges: 1,
    });
  });

  it('is deleted after --idle-expiry unless it sets its own time, also from the database', async () => {
    const data = await postgres.database();
    const { url } = await startReplica(data, ['--idle-release', 'PT1S', '--idle-expiry', 'PT3S']);
    await create(url, { id: 'short' });
    await create(url, { id: 'never', ttlSeconds: null });
    await create(url, { id: 'own', ttlSeconds: 5000 });
    for (const id of ['short', 'never', 'own']) await read({ url, id });
    expect(await stored(data)).toEqual(['NEVER', 'OWN', 'SHORT']);
    await eventually(async () => {
      expect(await stored(data)).toEqual(['never', 'own', 'short']);
    });
    await eventually(async () => {
      expect(await stored(data)).toEqual(['never', 'own']);
    });
    await supertest(url).get('/control/sandboxes/short').expect(404);
  });

  it('makes room for others, so that replicas have more sandboxes than fit into memory', async () => {
    const data = await postgres.database();
    const { url } = await startReplica(data, ['--max-sandboxes', '3', '--idle-expiry', 'P14D']);
    for (let number = 0; number < 6; number += 1) {
      await create(url, { id: `s${number}` });
      await read({ url, id: `s${number}` });
      // The journal is stored a moment later; until then, a sandbox stays.
      await new Promise((done) => setTimeout(done, 500));
    }
    const all = await stored(data);
    expect(all).toHaveLength(6);
    expect(all.filter((id) => id === String(id).toUpperCase()).length).toBeLessThanOrEqual(3);
  });
});
