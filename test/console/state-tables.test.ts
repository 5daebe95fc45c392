import { describe, expect, it } from 'vitest';
import { columnsOf, labelOf, targetOf } from '../../src/console/panels/state/columns.ts';
import { differencesBetween } from '../../src/console/parts/differences.ts';
import { world } from '../support/world.ts';

describe('the tables of the state', () => {
  it.each([
    ['coupons', ['serviceDigitalProductCouponSlug', 'numberOfRedemptionsAllowed']],
    ['videos', ['videoTitle', 'status', 'folderPath']],
    ['liveEvents', ['name', 'slug', 'status', 'type', 'schoolId', 'productId']],
    ['users', ['name', 'email', 'schoolIds']],
  ] as const)('of %s begin with what a person looks for', async (collection, expected) => {
    const { sandbox } = await world();
    const columns = columnsOf(await sandbox.state.list(collection));
    expect(columns).toEqual(expect.arrayContaining([...expected]));
    expect(columns[0]).toBe(expected[0]);
    expect(columns.length).toBeLessThanOrEqual(6);
  });

  it('know the collection of each reference', async () => {
    const { sandbox } = await world();
    const { collections } = await sandbox.state.export();
    const names = Object.keys(collections);
    for (const field of [
      'schoolId',
      'schoolIds',
      'productId',
      'quizId',
      'userId',
      'courseItemId',
      'liveEventId',
    ])
      expect(names).toContain(targetOf(field, names));
    expect([targetOf('articleUniqueId', names), targetOf('title', names)]).toEqual([null, null]);
  });

  it('call a record by its title, name or address, else by its id', () => {
    expect(labelOf({ id: '1', quizTitle: 'Cells' })).toBe('Cells');
    expect(labelOf({ id: '1', email: 'a@b.example' })).toBe('a@b.example');
    expect(labelOf({ id: '1', title: '' })).toBe('1');
  });
});

describe('the difference of two records', () => {
  it('has the values that differ, at their places, and no others', () => {
    const before = { id: '1', same: [1, { a: null }], list: ['x'], gone: true };
    const after = { id: '1', same: [1, { a: null }], list: ['x', 'y'], 'a/b': {} };
    expect(differencesBetween(before, after)).toEqual([
      { pointer: '/gone', before: 'true', after: null },
      { pointer: '/list/1', before: null, after: '"y"' },
      { pointer: '/a~1b', before: null, after: '{}' },
    ]);
  });

  it('of an added record is the whole record', () => {
    expect(differencesBetween(null, { id: '1' })).toEqual([{ pointer: '/id', before: null, after: '"1"' }]);
    expect(differencesBetween({ id: '1' }, { id: '1' })).toEqual([]);
  });
});
