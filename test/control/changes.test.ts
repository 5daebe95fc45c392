import { describe, expect, it } from 'vitest';
import type { SlicedWork } from '../../src/base/sliced-work.ts';
import type { components } from '../../src/contract/generated/control.ts';
import { listCollections } from '../../src/control/changes.ts';
import { State } from '../../src/sandbox/state.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { controlled } from '../support/control.ts';
import { supertest } from '../support/supertest.ts';
import { world } from '../support/world.ts';

const riverside = '1d7181362df2b36a581c47d4';
const coupon = '5bb6bf98e3b6a0f3c19b07c3';

const demo = await readSeed('demo');

/** Removes a product, and after a pause undoes that. */
function* removing(state: State, id: string): SlicedWork<boolean> {
  state.remove('products', id);
  yield;
  return false;
}

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

  it('are those of one school, which the record has or had', async () => {
    const { ask, sandbox } = await controlled();
    const schools = (await sandbox.state.list('schools')).map(({ id, slug }) => ({ id, slug }));
    const other = schools.find(({ id }) => id !== riverside);
    const presets = await sandbox.state.list('permissionPresets');
    for (const { id } of presets) await sandbox.state.remove('permissionPresets', id);
    await sandbox.state.put('products', { id: 'new', schoolId: riverside, title: 'New' });
    const idsOf = async (slug: string | undefined) => {
      const { body } = await ask('GET', `/changes?school=${slug}`);
      return (body as components['schemas']['ChangeList']).changes.map(({ recordId }) => recordId);
    };
    const removedOf = (school: string | undefined) =>
      presets.filter(({ schoolId }) => schoolId === school).map(({ id }) => id);
    expect(await idsOf('riverside')).toEqual(['new', ...removedOf(riverside)]);
    expect(await idsOf(other?.slug)).toEqual(removedOf(other?.id));
    const { status, body } = await ask('GET', '/changes?school=riversid');
    expect([status, body]).toMatchObject([
      400,
      { violations: [{ pointer: '/school', message: expect.stringContaining('Did you mean "riverside"?') }] },
    ]);
  });

  it('are those with a text in a value, now or in the seed, in any case', async () => {
    const { ask, sandbox } = await controlled();
    const [removed] = await sandbox.state.list('permissionPresets');
    await sandbox.state.remove('permissionPresets', String(removed?.id));
    await sandbox.state.put('products', { id: 'new', schoolId: riverside, title: 'A Needle' });
    await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 7321 });
    const idsOf = async (text: string) => {
      const { body } = await ask('GET', `/changes?text=${text}&limit=10`);
      return (body as components['schemas']['ChangeList']).changes.map(({ recordId }) => recordId);
    };
    expect(await idsOf('needle')).toEqual(['new']);
    expect(await idsOf('732')).toEqual([coupon]);
    expect(await idsOf(String(removed?.id).toUpperCase())).toEqual([removed?.id]);
    expect(await idsOf('title')).toEqual([]);
    const { status, body } = await ask('GET', '/changes?text=a&text=b');
    expect([status, body]).toMatchObject([400, { violations: [{ pointer: '/text' }] }]);
  });

  it('are not records that were changed back', async () => {
    const { sandbox } = await world();
    const before = await sandbox.state.get('coupons', coupon);
    await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 7 });
    if (before !== null) await sandbox.state.put('coupons', before);
    expect(await sandbox.state.changes()).toEqual([]);
  });
});

describe('the collections', () => {
  it('have the number of their records, and of those that differ from the seed', async () => {
    const { ask, sandbox } = await controlled();
    const collections = async () => {
      const { body } = await ask('GET', '/collections');
      return (body as components['schemas']['CollectionList']).collections;
    };
    const before = await collections();
    const { collections: all } = await sandbox.state.export();
    expect(before).toEqual(
      Object.entries(all).map(([name, { length: records }]) => ({ name, records, differences: 0 })),
    );
    await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 7 });
    await sandbox.state.put('products', { id: 'new', schoolId: riverside, title: 'New' });
    const [removed] = await sandbox.state.list('permissionPresets');
    await sandbox.state.remove('permissionPresets', String(removed?.id));
    const growth = new Map([
      ['coupons', 0],
      ['products', 1],
      ['permissionPresets', -1],
    ]);
    expect(await collections()).toEqual(
      before.map(({ name, records }) => {
        const grown = growth.get(name);
        return { name, records: records + (grown ?? 0), differences: grown === undefined ? 0 : 1 };
      }),
    );
  });

  it('are counted again only if their records have changed', () => {
    const state = new State(demo, 0);
    const put = (id: string): void =>
      void state.put('products', {
        id,
        schoolId: riverside,
        title: 'New',
      });
    const counted = (): readonly [steps: number, differences: number | undefined] => {
      const work = listCollections({ state });
      for (let steps = 0; ; steps += 1) {
        const step = work.next();
        if (step.done !== true) continue;
        return [steps, step.value.collections.find(({ name }) => name === 'products')?.differences];
      }
    };
    for (let number = 0; number < 100; number += 1) put(`new-${number}`);
    expect(counted()).toEqual([100, 100]);
    expect(counted()).toEqual([0, 100]);
    state.put('schools', { id: 'other', name: 'Other', slug: 'other' });
    expect(counted()).toEqual([1, 100]);
    const undone = state.attempt(removing(state, 'new-7'));
    expect(undone.next()).toMatchObject({ done: false });
    expect(counted()).toEqual([99, 99]);
    expect(undone.next()).toMatchObject({ done: true });
    expect(counted()).toEqual([100, 100]);
  });

  it('list their own differences', async () => {
    const { ask, sandbox } = await controlled();
    await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 7 });
    await sandbox.state.put('products', { id: 'new', schoolId: riverside, title: 'New' });
    const { body } = await ask('GET', '/changes?collection=products');
    expect(body).toMatchObject({ changes: [{ collection: 'products', recordId: 'new' }] });
    const wrong = await ask('GET', '/changes?collection=coupon&colection=coupons&collection=quizzes');
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('must occur once')]);
    expect((await ask('GET', '/changes?collection=coupon')).text).toContain('is not a collection');
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
