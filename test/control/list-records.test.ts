import { describe, expect, it } from 'vitest';
import { chooseOptions } from '../../src/assumptions.ts';
import type { components } from '../../src/contract/generated/control.ts';
import { ParameterCheckSource } from '../../src/contract/parameter-checks.ts';
import { listRecords } from '../../src/control/list-records.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { controlled } from '../support/control.ts';

const riverside = '1d7181362df2b36a581c47d4';

type RecordList = components['schemas']['RecordList'];
type ChangeList = components['schemas']['ChangeList'];

/** A sandbox, and functions that list its coupons and its changes. */
async function listed() {
  const { ask, sandbox } = await controlled();
  const list = async (query: string) => (await ask('GET', `/state/coupons${query}`)).body as RecordList;
  const changes = async (query: string) => (await ask('GET', `/changes${query}`)).body as ChangeList;
  return { ask, sandbox, list, changes, all: await sandbox.state.list('coupons') };
}

describe('a list of records', () => {
  it('is whole and only records, unless the query asks for a part', async () => {
    const { list, all } = await listed();
    expect(await list('')).toEqual({ records: all });
    expect(Object.keys(await list('?school=riverside'))).toEqual(['records']);
  });

  it('has pages, each with the number of all matching records', async () => {
    const { list, all } = await listed();
    expect(await list('?limit=2')).toEqual({ records: all.slice(0, 2), total: all.length, changes: [] });
    expect((await list('?offset=1&limit=2')).records).toEqual(all.slice(1, 3));
    expect(await list(`?offset=${all.length}`)).toEqual({ records: [], total: all.length, changes: [] });
  });

  it('has only the records with a text in any case, and of a school', async () => {
    const { list, all } = await listed();
    const [, second] = all;
    const text = String(second?.serviceDigitalProductCouponSlug).toLowerCase();
    expect(await list(`?text=${text}&limit=1`)).toMatchObject({ records: [second], total: 1 });
    const ofSchool = all.filter(({ schoolId }) => schoolId === riverside);
    expect(await list('?text=&school=riverside&limit=1')).toMatchObject({ total: ofSchool.length });
    expect(await list('?text=nothing-has-this')).toEqual({ records: [], total: 0, changes: [] });
  });

  it('has the records with a text as it is shown, at any depth, and not those with such a field', async () => {
    const { list, sandbox, all } = await listed();
    const id = String(all[0]?.id);
    const totalOf = async (text: string) => (await list(`?text=${encodeURIComponent(text)}`)).total;
    await sandbox.state.patch('coupons', id, {
      description: 'What is "scope"?\nA \\ b',
      numberOfRedemptionsAllowed: 73_519,
    });
    expect(await totalOf('IS "Scope"?\na \\ b')).toBe(1);
    expect(await totalOf('73519')).toBe(1);
    expect(await totalOf('numberOfRedemptionsAllowed')).toBe(0);
    expect(await totalOf('"description":')).toBe(0);
    expect(await totalOf('percentage')).toBe(0);
  });

  it('changes the case of a long text, and searches in it, in a turn each', async () => {
    const options = chooseOptions();
    const checks = await new ParameterCheckSource().checksUnder(options);
    const seed = await readSeed('demo');
    const sandboxes = new Sandboxes({
      seed,
      options,
      checks,
      randomSeed: 1,
      limitScale: null,
      scenario: null,
      labels: true,
    });
    const sandbox = sandboxes.create({ id: 'long', origin: 'key' });
    const [video] = sandbox.state.collection('videos').all();
    if (video === undefined) throw new Error('The demo data has no videos.');
    // The longest text that a record can have, in its longest form as JSON.
    for (const id of ['first', 'second'])
      sandbox.state.put('videos', { ...video, id, videoTitle: '\ud800'.repeat(690_000) });
    const work = listRecords(sandbox, 'videos', { text: `${'\ud800'.repeat(99)}x`, id: ['first', 'second'] });
    let turns = 0;
    while (work.next().done !== true) turns += 1;
    expect(turns).toBe(4);
  });

  it('has the records of some ids in their order, each once, without those that do not exist', async () => {
    const { list, all } = await listed();
    const [first, second] = all;
    const ids = [second?.id, 'none', first?.id, second?.id].map((id) => `id=${id}`).join('&');
    expect(await list(`?${ids}`)).toEqual({ records: [second, first], total: 2, changes: [] });
  });

  it('names the returned records that differ from the seed, and can have only those', async () => {
    const { list, sandbox, all } = await listed();
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('The demo data has no coupons.');
    await sandbox.state.patch('coupons', first.id, { numberOfRedemptionsAllowed: 7 });
    await sandbox.state.put('coupons', { ...second, id: 'new' });
    await sandbox.state.patch('coupons', second.id, {});
    const changed = { recordId: first.id, kind: 'changed' };
    expect((await list('?limit=2')).changes).toEqual([changed]);
    const differing = await list('?differs=true');
    expect(differing.records.map(({ id }) => id)).toEqual([first.id, 'new']);
    expect(differing).toMatchObject({ total: 2, changes: [changed, { recordId: 'new', kind: 'added' }] });
  });

  it.each([
    ['limit=0', '/limit', 'must be a whole number from 1, but is the string "0".'],
    ['limit=all', '/limit', 'must be a whole number from 1, but is the string "all".'],
    ['offset=-1', '/offset', 'must be a whole number from 0, but is the string "-1".'],
    ['text=a&text=b', '/text', 'must occur once.'],
    ['differs=no', '/differs', 'must be true, or absent for all records, but is the string "no".'],
    [
      'ofset=2',
      '/ofset',
      'is unknown. Did you mean "offset"? The filters are school, id, text, folder, differs, offset, limit.',
    ],
  ])('is refused for the query %s', async (query, pointer, message) => {
    const { ask } = await listed();
    const { status, body } = await ask('GET', `/state/coupons?${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { violations: [{ pointer, message }] } });
  });
});

const idsOf = ({ changes }: ChangeList) => changes.map(({ recordId }) => recordId);

describe('a list of changes', () => {
  it('can have the changes of a kind and of a record, and only the first of them', async () => {
    const { changes, sandbox, all } = await listed();
    const [first, second, third] = all.map(({ id }) => id);
    await sandbox.state.patch('coupons', first ?? '', { numberOfRedemptionsAllowed: 7 });
    await sandbox.state.remove('coupons', second ?? '');
    await sandbox.state.remove('coupons', third ?? '');
    const removed = await changes('?collection=coupons&kind=removed&limit=1');
    expect([idsOf(removed), removed.total]).toEqual([[second], 2]);
    const one = await changes(`?recordId=${first}`);
    expect([idsOf(one), one.total]).toEqual([[first], undefined]);
  });

  it.each([
    ['kind=gone', '/kind', 'must be added, changed or removed, but is the string "gone".'],
    ['recordId=a&recordId=b', '/recordId', 'must occur once.'],
    ['limit=0', '/limit', 'must be a whole number from 1, but is the string "0".'],
  ])('is refused for the query %s', async (query, pointer, message) => {
    const { ask } = await listed();
    const { status, body } = await ask('GET', `/changes?${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { violations: [{ pointer, message }] } });
  });
});

describe('a list of videos', () => {
  it(
    'can have those directly in a folder, which leads to all folders below it',
    { tags: ['slow'] },
    async () => {
      const { ask, sandbox } = await controlled();
      const seen: string[] = [];
      const visit = async (path: string): Promise<number> => {
        const query = `school=riverside&folder=${encodeURIComponent(path)}`;
        const { records } = (await ask('GET', `/state/videos?${query}`)).body as RecordList;
        expect(new Set(records.map(({ folderPath }) => folderPath))).toEqual(
          new Set(records.length === 0 ? [] : [path]),
        );
        seen.push(...records.map(({ id }) => String(id)));
        const { videos, folders } = (await ask('GET', `/video-folders?${query}`))
          .body as components['schemas']['VideoFolder'];
        let inside = records.length;
        for (const folder of folders) {
          const count = await visit(folder.path);
          expect(count).toBe(folder.videos);
          inside += count;
        }
        expect(videos).toBe(inside);
        return inside;
      };
      await visit('/');
      const videos = await sandbox.state.list('videos');
      const own = videos.filter(({ schoolId }) => schoolId === riverside).map(({ id }) => id);
      expect(seen.toSorted()).toEqual(own.toSorted());
      expect((await ask('GET', '/video-folders?folder=/Nowhere')).body).toEqual({
        path: '/Nowhere',
        videos: 0,
        folders: [],
      });
    },
  );

  it('is refused for a folder of other records, and for two', async () => {
    const { ask } = await controlled();
    for (const [path, pointer] of [
      ['/state/coupons?folder=/', '/folder'],
      ['/state/videos?folder=/&folder=/', '/folder'],
      ['/video-folders?school=nowhere', '/school'],
      ['/video-folders?folder=/&folder=/', '/folder'],
      ['/video-folders?text=x', '/text'],
    ] as const) {
      const { status, body } = await ask('GET', path);
      expect([status, body], path).toMatchObject([400, { violations: [{ pointer }] }]);
    }
  });
});
