import { describe, expect, it } from 'vitest';
import { controlled } from '../support/control.ts';
import { coupon } from '../support/demo.ts';

const path = `/state/coupons/${coupon.id}`;

describe('a change of a record', () => {
  it('with If-Match has an effect only while the record has the tag', { tags: ['slow'] }, async () => {
    const { ask, sandbox } = await controlled();
    const got = await ask('GET', path);
    const { etag = '' } = got.headers;
    const record = got.body as { readonly id: string };
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const saved = await ask('PUT', path, { ...record, description: 'Mine' }).set('If-Match', etag);
    expect([saved.status, saved.headers['etag']]).not.toContain(etag);
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const body = method === 'DELETE' ? undefined : { ...record, description: 'Too late' };
      const refused = await ask(method, path, body).set('If-Match', etag);
      expect([refused.status, refused.text]).toEqual([412, expect.stringContaining('Get the record again')]);
      expect(refused.text).toContain(JSON.stringify(saved.headers['etag']).slice(1, -1));
    }
    expect(await sandbox.state.get('coupons', coupon.id)).toMatchObject({ description: 'Mine' });
    const again = await ask('PATCH', path, { description: 'Again' }).set(
      'If-Match',
      `"other", ${saved.headers['etag']}`,
    );
    expect(again.status).toBe(200);
    expect((await ask('DELETE', path).set('If-Match', '*')).status).toBe(204);
    expect((await ask('PUT', path, record).set('If-Match', '*')).status).toBe(412);
  });

  it('with If-None-Match: * only adds a record', async () => {
    const { ask, sandbox } = await controlled();
    const { body } = await ask('GET', path);
    const refused = await ask('PUT', path, body as object).set('If-None-Match', '*');
    expect([refused.status, refused.text]).toEqual([412, expect.stringContaining('use another id')]);
    await sandbox.state.remove('coupons', coupon.id);
    expect((await ask('PUT', path, body as object).set('If-None-Match', '*')).status).toBe(200);
  });

  it.each(['', 'W/'])(
    'with If-None-Match has none if the record has the tag, prefixed by "%s"',
    async (prefix) => {
      const { ask, sandbox } = await controlled();
      const got = await ask('GET', path);
      const names = `"other", ${prefix}${got.headers['etag']}`;
      for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
        const body = method === 'DELETE' ? undefined : { ...(got.body as object), description: 'Late' };
        expect((await ask(method, path, body).set('If-None-Match', names)).status).toBe(412);
      }
      expect(await sandbox.state.get('coupons', coupon.id)).toEqual(got.body);
      const other = await ask('PATCH', path, { description: 'New' }).set('If-None-Match', `${prefix}"other"`);
      expect(other.status).toBe(200);
    },
  );

  it('with If-Match has none if the tag is weak', async () => {
    const { ask } = await controlled();
    const { etag = '' } = (await ask('GET', path)).headers;
    const refused = await ask('PATCH', path, { description: 'New' }).set('If-Match', `W/${etag}`);
    expect(refused.status).toBe(412);
  });

  it('gives a record the same tag as long as its values are the same', async () => {
    const { ask, sandbox } = await controlled();
    const tag = async () => (await ask('GET', path)).headers['etag'];
    const before = await tag();
    await sandbox.state.patch('coupons', coupon.id, { description: 'Between' });
    expect(await tag()).not.toBe(before);
    await ask('POST', '/reset');
    expect(await tag()).toBe(before);
  });
});

describe('a change of something other than a record', () => {
  it.each(['If-Match', 'If-None-Match'])('is refused with %s, which would be ignored', async (header) => {
    const { ask, sandbox } = await controlled();
    await sandbox.snapshots.take('kept');
    const refused = await ask('PUT', '/snapshots/kept').set(header, '*');
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining(`does not support ${header}`),
    ]);
    expect((await ask('GET', '/snapshots/kept').set(header, '*')).status).toBe(200);
  });
});
