import { describe, expect, it } from 'vitest';
import { schools } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';

const operation = 'get-instructor-permission-presets';

/** A school's presets as an answer is to show them, from the records of the state. */
async function expected({ sandbox }: World, school: string): Promise<readonly unknown[]> {
  return (await sandbox.state.list('permissionPresets'))
    .filter(({ schoolId }) => schoolId === school)
    .map(({ requiresResourceIds, permissionSets }) => ({
      requiresResourceIds,
      permissionSets: permissionSets.map(({ permissions }) => ({ permissions, resourceIdType: 'All' })),
    }));
}

describe('get-instructor-permission-presets', () => {
  it.each([
    ['riverside', schools.riverside, 8],
    ['hillcrest', schools.hillcrest, 3],
  ])("lists %s's presets as the state has them, and no others", async (slug, schoolId, totalPresetCount) => {
    const place = await world();
    const presets = await expected(place, schoolId);
    expect(presets).toHaveLength(totalPresetCount);
    expect(resultOf(await place.call(operation, {}, slug))).toEqual({ totalPresetCount, presets });
    expect(resultOf(await place.call(operation, { pageNumber: 1, limit: 100 }, slug))).toEqual({
      totalPresetCount,
      presets,
    });
  });

  it('splits a permission into a resource and an action, and takes no more of it', async () => {
    const { call, sandbox } = await world({ assumptions: { permissionShape: 'objects' } });
    const [preset] = await sandbox.state.list('permissionPresets');
    const permissionSets = [{ permissions: ['courses:read', 'all', ':::', 'a:b:c'], resourceIdType: 'All' }];
    await sandbox.state.patch('permissionPresets', String(preset?.id), { permissionSets });
    const { presets = [] } = resultOf(await call(operation, { pageNumber: 1, limit: 1 })) as {
      readonly presets?: readonly { readonly permissionSets: readonly { readonly permissions: unknown }[] }[];
    };
    expect(presets[0]?.permissionSets[0]?.permissions).toEqual([
      { resource: 'courses', action: 'read' },
      { resource: 'all', action: '' },
      { resource: '', action: '' },
      { resource: 'a', action: 'b' },
    ]);
  });

  it('pages through them: every preset once, in order, with the same total on every page', async () => {
    const place = await world();
    const all = await expected(place, schools.riverside);
    const pages = [all.slice(0, 3), all.slice(3, 6), all.slice(6), []];
    for (const [index, presets] of pages.entries()) {
      expect(resultOf(await place.call(operation, { pageNumber: index + 1, limit: 3 }))).toEqual({
        totalPresetCount: 8,
        presets,
      });
    }
  });

  it('takes the first page where no page number is sent', async () => {
    const place = await world();
    const all = await expected(place, schools.riverside);
    expect(resultOf(await place.call(operation, { limit: 3 }))['presets']).toEqual(all.slice(0, 3));
  });

  it.each([
    [2.5, 2],
    [2.999, 2],
    [1.01, 1],
    [8.5, 8],
    [1e300, 8],
  ])('reads a limit of %d as %d', async (limit, size) => {
    const place = await world();
    const all = await expected(place, schools.riverside);
    expect(resultOf(await place.call(operation, { pageNumber: 1, limit }))['presets']).toEqual(
      all.slice(0, size),
    );
  });

  it('counts the pages of a fractional limit by the whole number', async () => {
    const place = await world();
    const all = await expected(place, schools.riverside);
    expect(resultOf(await place.call(operation, { pageNumber: 3, limit: 2.7 }))['presets']).toEqual(
      all.slice(4, 6),
    );
  });

  it.each([0, -1, 2, 1e300])(
    'answers page %d, which there is not, with no presets and the true total',
    async (pageNumber) => {
      const { call } = await world();
      expect(resultOf(await call(operation, { pageNumber }))).toEqual({ totalPresetCount: 8, presets: [] });
    },
  );

  it.each([0, -1, 0.5, -2.5])('refuses a limit of %d', async (limit) => {
    const { call } = await world();
    expect(failureOf(await call(operation, { limit }))).toBe(
      `/data/0/data/limit must be at least 1, but is ${limit}.`,
    );
  });

  it.each([
    [{ pageNumber: 1.5 }, '/data/0/data/pageNumber must be an integer, but is the number 1.5'],
    [{ pageNumber: '1' }, '/data/0/data/pageNumber must be an integer, but is the string "1"'],
    [{ limit: '10' }, '/data/0/data/limit must be a number, but is the string "10"'],
    [{ limit: null }, '/data/0/data/limit must be a number, but is null'],
  ])('refuses %j with a pointer to what is wrong', async (parameters, message) => {
    const { call } = await world();
    expect(failureOf(await call(operation, parameters))).toContain(message);
  });

  it('answers a batch element by element', async () => {
    const place = await world();
    const all = await expected(place, schools.riverside);
    const outputs = outputsOf(
      await place.batch(operation, [{ limit: 1 }, { limit: 0 }, { pageNumber: 2, limit: 1 }, {}]),
    );
    expect(outputs).toEqual([
      { status: 'ok', data: { totalPresetCount: 8, presets: all.slice(0, 1) } },
      { status: 'error', errorMessage: '/data/1/data/limit must be at least 1, but is 0.' },
      { status: 'ok', data: { totalPresetCount: 8, presets: all.slice(1, 2) } },
      { status: 'ok', data: { totalPresetCount: 8, presets: all } },
    ]);
  });

  it('answers no presets for a school that has none', async () => {
    const { call } = await world({ seed: 'empty' });
    expect(resultOf(await call(operation, { pageNumber: 1, limit: 10 }))).toEqual({
      totalPresetCount: 0,
      presets: [],
    });
  });
});
