import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { supertest } from '../support/supertest.ts';
import { describe, expect, it } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';

interface Listed {
  readonly id: string;
  readonly exchanges: number;
  readonly changedRecords: number;
}

function describeCoupon({ url }: SandboxServer, sandbox: string, description: string) {
  return supertest(url)
    .post('/public/update-digital-product-coupon')
    .set('SERVICE-API-KEY', `sbx_${sandbox}_riverside`)
    .send({
      data: [
        {
          data: {
            serviceCouponCodeId: coupon.id,
            serviceDigitalProductId: coupon.productId,
            description,
          },
        },
      ],
    });
}

async function descriptionIn({ url }: SandboxServer, sandbox: string): Promise<unknown> {
  const { body } = await supertest(url).get(`/control/sandboxes/${sandbox}/state/coupons/${coupon.id}`);
  return (body as { description?: unknown }).description;
}

/** A folder with sandboxes, each with a changed coupon. */
async function folderWith(sandboxes: readonly string[]): Promise<string> {
  const data = temporaryFolder();
  const server = await serve({ data });
  for (const sandbox of sandboxes) await describeCoupon(server, sandbox, `of ${sandbox}`).expect(200);
  await server.close();
  return data;
}

describe('a stored sandbox', () => {
  it('is not replaced by a new one while its files are missing', { tags: ['slow'] }, async () => {
    const data = await folderWith(['one']);
    const server = await serve({ data });
    renameSync(join(data, 'one.json'), join(data, 'aside'));
    const refused = await describeCoupon(server, 'one', 'never');
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('one.json and its log are missing'),
    ]);
    renameSync(join(data, 'aside'), join(data, 'one.json'));
    expect(await descriptionIn(server, 'one')).toBe('of one');
  });

  it('is loaded by its first call, also if many come at once', { tags: ['slow'] }, async () => {
    const data = await folderWith(['one', 'two']);
    const server = await serve({ data });
    const replies = await Promise.all(
      Array.from({ length: 15 }, () =>
        supertest(server.url)
          .post('/public/get-all-instructors')
          .set('SERVICE-API-KEY', 'sbx_one_riverside')
          .send({ data: [{ data: {} }] }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200));
    expect(new Set(replies.map(({ headers }) => String(headers['sandbox-request-id']))).size).toBe(15);
    expect(await descriptionIn(server, 'one')).toBe('of one');
  });

  it(
    'is loaded by its first request to the control plane, and is in the list before',
    { tags: ['slow'] },
    async () => {
      const data = await folderWith(['one', 'two']);
      const server = await serve({ data });
      expect(await descriptionIn(server, 'two')).toBe('of two');
      const { body } = await supertest(server.url).get('/control/sandboxes');
      const list = (body as { sandboxes: readonly { id: string; changedRecords: number }[] }).sandboxes;
      expect(Object.fromEntries(list.map(({ id, changedRecords }) => [id, changedRecords]))).toEqual({
        default: 0,
        one: 1,
        two: 1,
      });
    },
  );

  it('can be deleted, reset and replaced before its first call', { tags: ['slow'] }, async () => {
    const data = await folderWith(['one', 'two']);
    const server = await serve({ data });
    await supertest(server.url).delete('/control/sandboxes/one').expect(204);
    await supertest(server.url).post('/control/sandboxes/two/reset').expect(204);
    expect(readdirSync(data).some((name) => name.startsWith('one.'))).toBe(false);
    await supertest(server.url).post('/control/sandboxes').send({ id: 'one' }).expect(201);
    expect(await descriptionIn(server, 'one')).not.toBe('of one');
    expect(await descriptionIn(server, 'two')).not.toBe('of two');
  });

  it('has its id, so that no other one is created with it', async () => {
    const server = await serve({ data: await folderWith(['one']) });
    const { status, body } = await supertest(server.url).post('/control/sandboxes').send({ id: 'one' });
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ detail: 'A sandbox "one" already exists.' }),
    ]);
  });

  it(
    'is refused with 503 and the reason while its files cannot be used, and works when they can',
    { tags: ['slow'] },
    async () => {
      const data = await folderWith(['one']);
      const file = join(data, 'one.json');
      const good = readFileSync(file, 'utf8');
      const warnings: string[] = [];
      const server = await serve({ data, warn: (message) => warnings.push(message) });
      writeFileSync(file, good.replace('"version": 3', '"version": 4'));
      const refused = await describeCoupon(server, 'one', 'lost');
      expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
        503,
        '1',
        expect.objectContaining({
          detail: expect.stringContaining('The sandbox "one" cannot be loaded now: '),
        }),
      ]);
      const { body } = await supertest(server.url).get('/control/sandboxes/one').expect(503);
      expect(body).toMatchObject({
        title: 'Sandbox not loaded',
        detail: expect.stringMatching(/: its version .* Delete it if you do not need it\.$/),
      });
      writeFileSync(file, good);
      expect(await descriptionIn(server, 'one')).toBe('of one');
    },
  );

  it(
    'can be deleted although its files cannot be used, but not with files of other programs',
    { tags: ['slow'] },
    async () => {
      const data = await folderWith(['one', 'two']);
      const server = await serve({ data, warn: () => {} });
      const file = join(data, 'one.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"version": 3', '"version": 4'));
      writeFileSync(join(data, 'two.json'), '{"mine":2}');
      for (const id of ['one', 'two']) {
        await supertest(server.url).get(`/control/sandboxes/${id}`).expect(503);
        await supertest(server.url).delete(`/control/sandboxes/${id}`).expect(204);
        await supertest(server.url).get(`/control/sandboxes/${id}`).expect(404);
      }
      expect(readdirSync(data).filter((name) => name.startsWith('one.'))).toEqual([]);
      expect(readFileSync(join(data, 'two.json'), 'utf8')).toBe('{"mine":2}');
      await supertest(server.url).post('/control/sandboxes').send({ id: 'one' }).expect(201);
    },
  );

  it('expires without being used', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await supertest(first.url).post('/control/sandboxes').send({ id: 'brief', ttlSeconds: 1 }).expect(201);
    await describeCoupon(first, 'brief', 'gone').expect(200);
    const copy = crashCopy(data);
    await first.close();
    await serve({ data: copy });
    await eventually(() => expect(readdirSync(copy).filter((name) => name.startsWith('brief'))).toEqual([]));
  });
});

describe('a server with more stored sandboxes than --max-sandboxes', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('serves all of them, and refuses only new ones', { tags: ['slow'] }, async () => {
    const data = await folderWith(many);
    const server = await serve({ data, maxSandboxes: 3 });
    for (const sandbox of [...many, ...many]) {
      await describeCoupon(server, sandbox, `again of ${sandbox}`).expect(200);
      expect(await descriptionIn(server, sandbox)).toBe(`again of ${sandbox}`);
    }
    await supertest(server.url).post('/control/sandboxes').send({ id: 'new' }).expect(503);
    const { body } = await supertest(server.url).get('/control/sandboxes');
    expect((body as { sandboxes: readonly unknown[] }).sandboxes).toHaveLength(7);
  });

  it(
    'lists them without loading those again that were in memory, so that a list costs nobody a journal',
    { tags: ['slow'] },
    async () => {
      const data = await folderWith(many);
      const server = await serve({ data, maxSandboxes: 2 });
      const list = async (): Promise<readonly Listed[]> => {
        const { body } = await supertest(server.url).get('/control/sandboxes').expect(200);
        return (body as { sandboxes: readonly Listed[] }).sandboxes.filter(({ id }) => id !== 'default');
      };
      expect((await list()).map(({ changedRecords }) => changedRecords)).toEqual(many.map(() => 1));
      await supertest(server.url).post('/control/sandboxes/f/reset').expect(204);
      await describeCoupon(server, 'a', 'again of a').expect(200);
      for (const listed of [await list(), await list()])
        expect(
          listed.map(({ id, exchanges, changedRecords }) => `${id} ${exchanges} ${changedRecords}`),
        ).toEqual(['a 1 1', 'b 0 1', 'c 0 1', 'd 0 1', 'e 0 1', 'f 0 0']);
    },
  );

  it('keeps all that is in them when all are first used at the same moment', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    // The checks for this profile are not built in, so the first loads wait for the same thing.
    for (const id of many) {
      await supertest(first.url).post('/control/sandboxes').send({ id, profile: 'strict' }).expect(201);
      await supertest(first.url)
        .patch(`/control/sandboxes/${id}/state/coupons/${coupon.id}`)
        .send({ description: `of ${id}` })
        .expect(200);
    }
    await first.close();
    const server = await serve({ data, maxSandboxes: 2 });
    const replies = await Promise.all(
      many.map((id) =>
        supertest(server.url)
          .post('/public/get-all-instructors')
          .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
          .send({ data: [{ data: {} }] }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(many.map(() => 200));
    for (const id of many) expect(await descriptionIn(server, id)).toBe(`of ${id}`);
    await server.close();
    const again = await serve({ data });
    for (const id of many) expect(await descriptionIn(again, id)).toBe(`of ${id}`);
  });

  it(
    'keeps a sandbox with a frozen clock, a waiting call and a listener as it is',
    { tags: ['slow'] },
    async () => {
      const data = await folderWith(many);
      const server = await serve({ data, maxSandboxes: 2 });
      await supertest(server.url)
        .put('/control/sandboxes/a/clock')
        .send({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' })
        .expect(200);
      for (const sandbox of many) await describeCoupon(server, sandbox, 'again').expect(200);
      const { body } = await supertest(server.url).get('/control/sandboxes/a/clock');
      expect(body).toMatchObject({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
    },
  );
});

describe('a folder with files of others', () => {
  it('is used without touching them, and their names are no sandboxes', { tags: ['slow'] }, async () => {
    const data = await folderWith(['one']);
    writeFileSync(join(data, 'package.json'), '{"name":"a-project"}');
    writeFileSync(join(data, 'app.1.log'), 'started\n');
    const server = await serve({ data });
    const { body } = await supertest(server.url).get('/control/sandboxes');
    expect((body as { sandboxes: readonly { id: string }[] }).sandboxes.map(({ id }) => id)).toEqual([
      'default',
      'one',
    ]);
    const refused = await describeCoupon(server, 'app', 'never');
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('app.1.log, but that file is not a file of this program');
    await server.close();
    expect(readFileSync(join(data, 'app.1.log'), 'utf8')).toBe('started\n');
    expect(existsSync(join(data, 'package.json'))).toBe(true);
  });
});
