import { describe, expect, it } from 'vitest';
import { supertest } from '../support/supertest.ts';
import { world } from '../support/world.ts';

const riverside = '1d7181362df2b36a581c47d4';
const coupon = '5bb6bf98e3b6a0f3c19b07c3';

describe('the differences from the seed', () => {
  it('are none in a fresh sandbox', async () => {
    const { sandbox } = await world();
    expect(await sandbox.state.changes()).toEqual([]);
  });

  it('are changed, added and removed records, each before and after', async () => {
    const { sandbox } = await world();
    const before = await sandbox.state.get('coupons', coupon);
    const after = await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 7 });
    const added = await sandbox.state.put('products', { id: 'new', schoolId: riverside, title: 'New' });
    const [removed] = await sandbox.state.list('permissionPresets');
    const id = String(removed?.id);
    await sandbox.state.remove('permissionPresets', id);
    expect(await sandbox.state.changes()).toEqual([
      { collection: 'products', recordId: 'new', kind: 'added', before: null, after: added },
      { collection: 'coupons', recordId: coupon, kind: 'changed', before, after },
      { collection: 'permissionPresets', recordId: id, kind: 'removed', before: removed, after: null },
    ]);
  });

  it('are not records that were changed back', async () => {
    const { sandbox } = await world();
    const before = await sandbox.state.get('coupons', coupon);
    await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 7 });
    if (before !== null) await sandbox.state.put('coupons', before);
    expect(await sandbox.state.changes()).toEqual([]);
  });
});

describe('the records of a school', () => {
  it.each(['schools', 'coupons', 'instructors', 'liveEventSessions'])(
    'of %s are some of all',
    async (collection) => {
      const { url, sandbox } = await world();
      const list = async (query: string): Promise<readonly { id: string }[]> => {
        const { body } = await supertest(url).get(
          `/control/sandboxes/${sandbox.id}/state/${collection}${query}`,
        );
        return (body as { records: { id: string }[] }).records;
      };
      const [all, ofRiverside, ofHillcrest, ofMarevista] = [
        await list(''),
        await list('?school=riverside'),
        await list('?school=hillcrest'),
        await list('?school=marevista'),
      ];
      expect(ofRiverside.length).toBeGreaterThan(0);
      expect(ofHillcrest.length).toBeGreaterThan(0);
      expect(ofRiverside.length).toBeLessThan(all.length);
      const ids = new Set([...ofRiverside, ...ofHillcrest, ...ofMarevista].map(({ id }) => id));
      expect(ids).toEqual(new Set(all.map(({ id }) => id)));
    },
  );

  it.each([
    ['school=riversid', '/school', 'Did you mean \\"riverside\\"?'],
    ['school=riverside&school=hillcrest', '/school', 'must occur once.'],
    ['schol=riverside', '/schol', 'is unknown. Did you mean \\"school\\"?'],
  ])('are refused for the query %s', async (query, pointer, message) => {
    const { url, sandbox } = await world();
    const response = await supertest(url).get(`/control/sandboxes/${sandbox.id}/state/coupons?${query}`);
    expect([response.status, response.body]).toMatchObject([400, { violations: [{ pointer }] }]);
    expect(response.text).toContain(message);
  });
});
