import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { assumedBy } from '../assumptions/option-tests.ts';
import { hillcrestLearner, instructors, learner, schools } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';

const now = '2026-10-15T09:00:00.000Z';
const clock = { mode: 'frozen', now } as const;
const operation = 'create-instructor-account';
const newcomer = { instructorEmail: 'ines.duarte@riverside-academy.example', instructorName: 'Inês Duarte' };
const hexId = /^[0-9a-f]{24}$/;

/** All instructors and users: what the operation can change. */
async function accounts({
  sandbox,
}: World): Promise<{ readonly instructors: readonly object[]; readonly users: readonly object[] }> {
  return { instructors: await sandbox.state.list('instructors'), users: await sandbox.state.list('users') };
}

async function listed({ call }: World, school: string): Promise<readonly unknown[]> {
  const ids = resultOf(await call('get-all-instructors', {}, school))['instructors'] as {
    serviceInstructorId: string;
  }[];
  return ids.map(({ serviceInstructorId }) => serviceInstructorId);
}

describe('create-instructor-account for a new address', () => {
  it("creates an instructor of the caller's school and the user of it", async () => {
    const place = await world({ clock });
    const before = await accounts(place);
    const result = resultOf(await place.call(operation, newcomer));
    const { serviceInstructorId: id, associatedServiceUserId: userId } = result;
    expect(result).toEqual({
      serviceInstructorId: expect.stringMatching(hexId),
      associatedServiceUserId: expect.stringMatching(hexId),
    });
    const instructor = {
      id,
      schoolIds: [schools.riverside],
      userId,
      name: 'Inês Duarte',
      email: newcomer.instructorEmail,
      profilePhotoUrl: '/assets/instructors/new.svg',
      tagline: '',
      longDescriptionMarkdown: '',
      createdAt: now,
      lastUpdatedAt: now,
    };
    expect(await accounts(place)).toEqual({
      instructors: [...before.instructors, instructor],
      users: [
        ...before.users,
        { id: userId, schoolIds: [schools.riverside], email: newcomer.instructorEmail },
      ],
    });
  });

  it("shows it to the caller's school at once, and to no other", async () => {
    const place = await world();
    const { serviceInstructorId } = resultOf(await place.call(operation, newcomer));
    expect((await listed(place, 'riverside')).at(-1)).toBe(serviceInstructorId);
    expect(await listed(place, 'hillcrest')).not.toContain(serviceInstructorId);
  });

  it('gives the instructor a picture that this server has', async () => {
    const { call, url } = await world();
    resultOf(await call(operation, newcomer));
    const { instructors: all } = resultOf(await call('get-all-instructors')) as {
      instructors: { profilePhotoUrl: string }[];
    };
    const { status, type } = await supertest(url).get(new URL(all.at(-1)?.profilePhotoUrl ?? '').pathname);
    expect({ status, type }).toEqual({ status: 200, type: 'image/svg+xml' });
  });

  it('takes the part before the @ for a name that was not sent', async () => {
    const { call, sandbox } = await world();
    const { serviceInstructorId } = resultOf(
      await call(operation, { instructorEmail: newcomer.instructorEmail }),
    );
    expect(await sandbox.state.get('instructors', String(serviceInstructorId))).toHaveProperty(
      'name',
      'ines.duarte',
    );
  });

  it.each([
    ['exactly', learner.email],
    ['but for its case', learner.email.toUpperCase()],
  ])(
    'makes the user who has the address %s an instructor, and no second user',
    async (_, instructorEmail) => {
      const place = await world();
      const { users } = await accounts(place);
      const { associatedServiceUserId } = resultOf(
        await place.call(operation, { ...newcomer, instructorEmail }),
      );
      expect(associatedServiceUserId).toBe(learner.id);
      expect((await accounts(place)).users).toEqual(users);
    },
  );

  it("adds another school's user with that address to the caller's school", async () => {
    const { call, sandbox } = await world();
    const { associatedServiceUserId } = resultOf(
      await call(operation, { ...newcomer, instructorEmail: hillcrestLearner.email }),
    );
    expect(associatedServiceUserId).toBe(hillcrestLearner.id);
    expect(await sandbox.state.get('users', hillcrestLearner.id)).toEqual({
      ...hillcrestLearner,
      name: 'Isla MacRae',
      schoolIds: [schools.hillcrest, schools.riverside],
    });
  });
});

describe('create-instructor-account for an address that has an account', () => {
  it.each([
    ['the same address', newcomer.instructorEmail],
    ['the address in other case', 'Ines.Duarte@RIVERSIDE-academy.example'],
  ])('answers %s with the same ids and changes nothing', async (_, instructorEmail) => {
    const place = await world({ clock });
    const first = resultOf(await place.call(operation, newcomer));
    const before = await accounts(place);
    await place.sandbox.clock.advance({ seconds: 3600 });
    expect(resultOf(await place.call(operation, { instructorEmail, instructorName: 'Inês D.' }))).toEqual(
      first,
    );
    expect(await accounts(place)).toEqual(before);
  });

  it.each([instructors.riverside, instructors.both])(
    'changes nothing for the instructor $email of the seed',
    async ({ id, email }) => {
      const place = await world();
      const before = await accounts(place);
      const { serviceInstructorId } = resultOf(
        await place.call(operation, { instructorEmail: email, instructorName: 'Another Name' }),
      );
      expect(serviceInstructorId).toBe(id);
      expect(await accounts(place)).toEqual(before);
    },
  );

  it.each([
    ['no name', {}],
    ['the name that it has', { instructorName: 'Mira Okafor' }],
  ])(
    'changes nothing for %s, even where names are overwritten, and says nothing of that',
    async (_, name) => {
      const place = await world({ clock, assumptions: { existingInstructorName: 'overwrite' } });
      const before = await accounts(place);
      const reply = await place.call(operation, { instructorEmail: instructors.riverside.email, ...name });
      expect(resultOf(reply)['serviceInstructorId']).toBe(instructors.riverside.id);
      expect(await accounts(place)).toEqual(before);
      expect(assumedBy(reply).filter((one) => one.startsWith('existingInstructorName'))).toEqual([]);
    },
  );

  it.each([
    ['the address', instructors.hillcrest.email],
    ['the address in other case', instructors.hillcrest.email.toUpperCase()],
  ])(
    "adds another school's instructor and its user to the caller's school by %s",
    async (_, instructorEmail) => {
      const place = await world();
      const { id, userId } = instructors.hillcrest;
      const [before, user] = [
        await place.sandbox.state.get('instructors', id),
        await place.sandbox.state.get('users', userId),
      ];
      const counts = {
        riverside: (await listed(place, 'riverside')).length,
        hillcrest: await listed(place, 'hillcrest'),
      };
      const result = resultOf(
        await place.call(operation, { instructorEmail, instructorName: 'Somebody Else' }),
      );
      expect(result).toEqual({ serviceInstructorId: id, associatedServiceUserId: userId });
      const schoolIds = [schools.hillcrest, schools.riverside];
      expect(await place.sandbox.state.get('instructors', id)).toEqual({ ...before, schoolIds });
      expect(await place.sandbox.state.get('users', userId)).toEqual({ ...user, schoolIds });
      expect(await listed(place, 'riverside')).toHaveLength(counts.riverside + 1);
      expect(await listed(place, 'riverside')).toContain(id);
      expect(await listed(place, 'hillcrest')).toEqual(counts.hillcrest);
    },
  );

  it('adds an instructor to a school once, however often it is asked', async () => {
    const { call, sandbox } = await world();
    const parameters = { instructorEmail: instructors.hillcrest.email };
    for (let time = 0; time < 3; time += 1) resultOf(await call(operation, parameters));
    const schoolIds = [schools.hillcrest, schools.riverside];
    expect(await sandbox.state.get('instructors', instructors.hillcrest.id)).toHaveProperty(
      'schoolIds',
      schoolIds,
    );
    expect(await sandbox.state.get('users', instructors.hillcrest.userId)).toHaveProperty(
      'schoolIds',
      schoolIds,
    );
  });

  it('joins the second school to the account that the first one created', async () => {
    const { call, sandbox } = await world();
    const first = resultOf(await call(operation, newcomer, 'hillcrest'));
    expect(resultOf(await call(operation, newcomer, 'riverside'))).toEqual(first);
    const kept = await sandbox.state.get('instructors', String(first['serviceInstructorId']));
    expect(kept).toHaveProperty('schoolIds', [schools.hillcrest, schools.riverside]);
  });
});

describe('create-instructor-account', () => {
  it('answers a batch element by element: one account for one address, an error where it is none', async () => {
    const place = await world();
    const before = await accounts(place);
    const outputs = outputsOf(
      await place.batch(operation, [
        newcomer,
        { instructorEmail: 'not an address' },
        { ...newcomer, instructorEmail: newcomer.instructorEmail.toUpperCase() },
        { instructorEmail: 'paulo.duarte@riverside-academy.example' },
      ]),
    );
    expect(outputs.map(({ status }) => status)).toEqual(['ok', 'error', 'ok', 'ok']);
    expect(outputs[2]).toEqual(outputs[0]);
    expect(outputs[3]).not.toEqual(outputs[0]);
    expect((await accounts(place)).instructors).toHaveLength(before.instructors.length + 2);
  });

  it.each([
    [{ instructorName: 'Inês Duarte' }, '/data/0/data/instructorEmail is required, but missing'],
    [{ instructorEmail: '' }, '/data/0/data/instructorEmail must be an e-mail address'],
    [{ instructorEmail: 'ines.duarte' }, '/data/0/data/instructorEmail must be an e-mail address'],
    [{ instructorEmail: null }, '/data/0/data/instructorEmail must be a string, but is null'],
    [{ ...newcomer, instructorName: 7 }, '/data/0/data/instructorName must be a string, but is the number 7'],
  ])('refuses %j and creates nothing', async (parameters, message) => {
    const place = await world();
    const before = await accounts(place);
    expect(failureOf(await place.call(operation, parameters))).toContain(message);
    expect(await accounts(place)).toEqual(before);
  });
});
