import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { instructors, schools } from '../support/demo.ts';
import { moment } from '../support/examples.ts';
import { outputsOf, resultOf, world, type World } from '../support/world.ts';

interface Listed {
  readonly serviceInstructorId: string;
  readonly profilePhotoUrl: string;
}

async function listed({ call }: World, school?: string): Promise<readonly Listed[]> {
  // The reply was held against the contract; the fields used here are in every instructor of the demo seed.
  return resultOf(await call('get-all-instructors', {}, school))['instructors'] as Listed[];
}

describe('get-all-instructors', () => {
  it.each([
    ['riverside', schools.riverside, 9],
    ['hillcrest', schools.hillcrest, 5],
  ])("lists %s's instructors as the state has them", async (slug, schoolId, count) => {
    const place = await world();
    const kept = (await place.sandbox.state.list('instructors')).filter(({ schoolIds }) =>
      schoolIds.includes(schoolId),
    );
    const expected = kept.map(({ id, profilePhotoUrl, ...profile }) => ({
      serviceInstructorId: id,
      name: profile.name,
      email: profile.email,
      profilePhotoUrl: `${place.url}${profilePhotoUrl}`,
      tagline: profile.tagline,
      longDescriptionMarkdown: profile.longDescriptionMarkdown,
      createdAt: profile.createdAt,
      lastUpdatedAt: profile.lastUpdatedAt,
    }));
    expect(await listed(place, slug)).toEqual(expected);
    expect(expected).toHaveLength(count);
  });

  it('lists who teaches at both schools for both, and the others for their own only', async () => {
    const place = await world();
    const idsOf = async (school: string) =>
      (await listed(place, school)).map(({ serviceInstructorId }) => serviceInstructorId);
    const [riverside, hillcrest] = [await idsOf('riverside'), await idsOf('hillcrest')];
    const at = (id: string) => ({ riverside: riverside.includes(id), hillcrest: hillcrest.includes(id) });
    expect(at(instructors.both.id)).toEqual({ riverside: true, hillcrest: true });
    expect(at(instructors.riverside.id)).toEqual({ riverside: true, hillcrest: false });
    expect(at(instructors.hillcrest.id)).toEqual({ riverside: false, hillcrest: true });
  });

  it('links to pictures that this server has', { tags: ['slow'] }, async () => {
    const place = await world();
    for (const { profilePhotoUrl } of await listed(place)) {
      const { status, type } = await supertest(place.url).get(new URL(profilePhotoUrl).pathname);
      expect({ profilePhotoUrl, status, type }).toEqual({
        profilePhotoUrl,
        status: 200,
        type: 'image/svg+xml',
      });
    }
  });

  it('links to where the client reached the server', async () => {
    const { call } = await world();
    const reply = await call('get-all-instructors').set('Host', 'sandbox.riverside-academy.example:8080');
    const [first] = resultOf(reply)['instructors'] as Listed[];
    expect(first?.profilePhotoUrl).toBe(
      'http://sandbox.riverside-academy.example:8080/assets/instructors/mira-okafor.svg',
    );
  });

  it('writes timestamps in ISO 8601', async () => {
    const place = await world({ clock: { mode: 'frozen', now: moment } });
    const [first] = await listed(place);
    expect(first).toMatchObject({
      createdAt: '2025-08-04T08:15:23.277Z',
      lastUpdatedAt: '2026-09-01T07:52:04.937Z',
    });
  });

  it('answers an empty list for a school that has none', async () => {
    expect(await listed(await world({ seed: 'empty' }))).toEqual([]);
  });

  it('answers every element of a batch with the list', async () => {
    const { batch } = await world();
    const [first, second, ...more] = outputsOf(await batch('get-all-instructors', [{}, {}]));
    expect(first?.status).toBe('ok');
    expect(second).toEqual(first);
    expect(more).toEqual([]);
  });
});
