import type { Response, Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import type { SandboxHandle } from '../../src/index.ts';
import { collectionNames } from '../../src/sandbox/seed.ts';
import { coupon, instructors, labId, learner, quiz, schools, sessions } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { resultOf, sharedServer, world, type World } from '../support/world.ts';

const clock = { mode: 'frozen', now: '2026-10-15T09:00:00.000Z' } as const;

/** Every kind of write, with the collections that it changes. */
const writes: readonly (readonly [operation: string, collections: readonly string[], parameters: object])[] =
  [
    [
      'update-digital-product-coupon',
      ['coupons'],
      { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId, description: 'Changed' },
    ],
    ['update-interactive-coding-lab', ['labs'], { labId, labTitle: 'Changed' }],
    [
      'submit-user-course-item',
      ['submissions'],
      { courseItemId: quiz.itemId, userId: learner.id, shouldMarkAsCompleted: true },
    ],
    [
      'submit-user-course-item',
      ['submissions', 'users'],
      { courseItemId: quiz.itemId, userId: 'a-learner-of-tomorrow' },
    ],
    [
      'create-instructor-account',
      ['instructors', 'users'],
      { instructorEmail: 'ines.duarte@riverside-academy.example' },
    ],
    ['create-instructor-account', ['instructors', 'users'], { instructorEmail: instructors.hillcrest.email }],
  ];

/** All that a sandbox remembers. */
async function contentOf({ state }: SandboxHandle): Promise<Readonly<Record<string, unknown>>> {
  const entries = await Promise.all(
    collectionNames.map(async (name) => [name, await state.list(name)] as const),
  );
  return Object.fromEntries(entries);
}

async function changedCollections(
  sandbox: SandboxHandle,
  before: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const after = await contentOf(sandbox);
  return collectionNames
    .filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
    .toSorted();
}

/** One call with a key of the caller's choice, to the server that all tests of the thread share. */
async function callWith(key: string, operation: string, parameters: object = {}): Promise<Response> {
  const { url } = await sharedServer();
  return supertest(url)
    .post(`/public/${operation}`)
    .set('SERVICE-API-KEY', key)
    .send({ data: [{ data: parameters }] });
}

async function listed({ call }: World): Promise<unknown> {
  return resultOf(await call('get-all-instructors'))['instructors'];
}

/** Asks for the recording of a session that is to come in the seed. */
function recordingOf({ call }: World): Test {
  return call('get-live-event-session-processed-mp4', { liveEventSessionId: sessions.future });
}

async function playbackKeyIn({ call }: World): Promise<unknown> {
  const parameters = { liveEventSessionId: sessions.oneSource };
  const { playbackSources } = resultOf(
    await call('get-signed-url-data-for-live-event-session-playback', parameters),
  );
  // The reply was held against the contract; the session has one source.
  return (playbackSources as { clearkeyDecryptionKeyInHex: string }[])[0]?.clearkeyDecryptionKeyInHex;
}

async function renameLab({ call }: World): Promise<void> {
  resultOf(await call('update-interactive-coding-lab', { labId, labTitle: 'Changed' }));
}

describe('two sandboxes', () => {
  it.each(writes)('keep %s on %j to the one that was called', async (operation, collections, parameters) => {
    const [one, other] = [await world({ clock }), await world({ clock })];
    const before = await contentOf(other.sandbox);
    expect(await contentOf(one.sandbox)).toEqual(before);
    resultOf(await one.call(operation, parameters));
    expect(await changedCollections(one.sandbox, before)).toEqual(collections);
    expect(await contentOf(other.sandbox)).toEqual(before);
  });

  it('answer later calls each from its own state', async () => {
    const [one, other] = [await world({ clock }), await world({ clock })];
    const before = await listed(other);
    resultOf(await one.call('create-instructor-account', { instructorEmail: instructors.hillcrest.email }));
    expect(await listed(one)).toHaveLength(10);
    expect(await listed(other)).toEqual(before);
  });

  it('have each a clock of its own', async () => {
    const [one, other] = [await world({ clock }), await world({ clock })];
    await one.sandbox.clock.advance({ seconds: 30 * 86_400 });
    expect(resultOf(await recordingOf(one))).toHaveProperty('downloadUrl');
    expect((await recordingOf(other)).text).toContain('has not ended');
    expect(await other.sandbox.clock.now()).toBe(clock.now);
  });

  it('have each limits and a journal of its own', async () => {
    const [one, other] = [await world({ clock }), await world({ clock })];
    for (let count = 0; count < 15; count += 1)
      expect((await one.call('get-all-instructors')).status).toBe(200);
    expect((await one.call('get-all-instructors')).status).toBe(429);
    expect((await other.call('get-all-instructors')).status).toBe(200);
    expect(await one.sandbox.journal.list()).toHaveLength(16);
    expect(await other.sandbox.journal.list()).toHaveLength(1);
  });

  it('have each keys of their own for their recordings', async () => {
    const [one, other] = [await world({ clock, randomSeed: 1 }), await world({ clock, randomSeed: 2 })];
    expect(await playbackKeyIn(one)).not.toBe(await playbackKeyIn(other));
  });
});

describe('a reset', () => {
  it.each(writes)(
    'takes back %s on %j, for the state and for later calls',
    async (operation, _, parameters) => {
      const { call, sandbox } = await world({ clock });
      const seeded = await contentOf(sandbox);
      const before = resultOf(await call('get-all-instructors'));
      resultOf(await call(operation, parameters));
      expect(await contentOf(sandbox)).not.toEqual(seeded);
      await sandbox.reset();
      expect(await contentOf(sandbox)).toEqual(seeded);
      expect(resultOf(await call('get-all-instructors'))).toEqual(before);
    },
  );

  it('leaves other sandboxes as they are', async () => {
    const [one, other] = [await world({ clock }), await world({ clock })];
    for (const place of [one, other]) await renameLab(place);
    await one.sandbox.reset();
    expect(await other.sandbox.state.get('labs', labId)).toHaveProperty('labTitle', 'Changed');
  });

  it('starts the limits anew, and keeps the journal', async () => {
    const { call, sandbox } = await world({ clock });
    for (let count = 0; count < 16; count += 1) await call('get-all-instructors');
    await sandbox.reset();
    expect((await call('get-all-instructors')).status).toBe(200);
    expect((await sandbox.journal.list()).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 15 }, () => 200),
      429,
      200,
    ]);
  });

  it('lets the same calls give the same ids again', async () => {
    const { call, sandbox } = await world({ clock });
    const created = async () =>
      resultOf(
        await call('create-instructor-account', { instructorEmail: 'ines.duarte@riverside-academy.example' }),
      );
    const first = await created();
    await sandbox.reset();
    expect(await created()).toEqual(first);
  });
});

describe('a key', () => {
  it('opens its own sandbox on first use, seeded afresh', async () => {
    const server = await sharedServer();
    expect(await server.sandbox('opened-by-key')).toBeNull();
    const { quizTitle } = resultOf(
      await callWith('sbx_opened-by-key_riverside', 'get-quiz-details', { quizId: quiz.id }),
    );
    expect(quizTitle).toBe('Lists, Tuples and Dictionaries');
    const opened = await server.sandbox('opened-by-key');
    // Their times count from the last full quarter of an hour, which may be another one by now.
    const timeless = { createdAtIso: expect.any(String) };
    expect(await opened?.state.list('quizzes')).toEqual(
      (await server.default.state.list('quizzes')).map((record) => ({ ...record, ...timeless })),
    );
    expect(await opened?.journal.list()).toHaveLength(1);
  });

  it('finds that sandbox as it left it, and so does the key of its other school', async () => {
    const server = await sharedServer();
    const { email, id } = instructors.riverside;
    const created = resultOf(
      await callWith('sbx_kept-by-key_riverside', 'update-interactive-coding-lab', {
        labId,
        labTitle: 'Changed',
      }),
    );
    expect(created).toEqual({});
    expect(await (await server.sandbox('kept-by-key'))?.state.get('labs', labId)).toHaveProperty(
      'labTitle',
      'Changed',
    );
    resultOf(
      await callWith('sbx_kept-by-key_hillcrest', 'create-instructor-account', { instructorEmail: email }),
    );
    const sandbox = await server.sandbox('kept-by-key');
    expect(await sandbox?.state.get('labs', labId)).toHaveProperty('labTitle', 'Changed');
    expect(await sandbox?.state.get('instructors', id)).toHaveProperty('schoolIds', [
      schools.riverside,
      schools.hillcrest,
    ]);
    expect(await server.default.state.get('instructors', id)).toHaveProperty('schoolIds', [
      schools.riverside,
    ]);
  });

  it('reaches a sandbox that was created from code', async () => {
    const { sandbox } = await world();
    resultOf(
      await callWith(`sbx_${sandbox.id}_riverside`, 'update-interactive-coding-lab', {
        labId,
        labTitle: 'Changed',
      }),
    );
    expect(await sandbox.state.get('labs', labId)).toHaveProperty('labTitle', 'Changed');
  });

  it.each([
    ['a school that the seed does not have', 'sbx_never-opened_lakeside', 'never-opened'],
    ['an id of other characters', 'sbx_Never_Opened_riverside', 'Never'],
    ['an id that is too long', `sbx_${'n'.repeat(65)}_riverside`, 'n'.repeat(65)],
  ])('with %s opens nothing', async (_, key, id) => {
    const server = await sharedServer();
    expect((await callWith(key, 'get-all-instructors')).status).toBe(401);
    expect(await server.sandbox(id)).toBeNull();
  });

  it('with an id of 64 characters opens its sandbox', async () => {
    const id = 'a-'.repeat(32);
    resultOf(await callWith(`sbx_${id}_riverside`, 'get-all-instructors'));
    expect((await (await sharedServer()).sandbox(id))?.id).toBe(id);
  });
});

describe('the random seed', () => {
  const calls = [
    'ines.duarte@riverside-academy.example',
    'paulo.duarte@riverside-academy.example',
    instructors.hillcrest.email,
  ];

  async function idsWith(
    randomSeed: number,
    between: (place: World) => Promise<unknown> = async () => {},
  ): Promise<readonly unknown[]> {
    const place = await world({ randomSeed });
    const ids: unknown[] = [];
    for (const instructorEmail of calls) {
      ids.push(resultOf(await place.call('create-instructor-account', { instructorEmail })));
      await between(place);
    }
    return ids;
  }

  it('gives the same calls in two sandboxes the same ids', async () => {
    expect(await idsWith(7)).toEqual(await idsWith(7));
  });

  it('gives them whatever other operations run between', async () => {
    expect(await idsWith(7, renameLab)).toEqual(await idsWith(7));
  });

  it('gives other ids where it is another one', async () => {
    const [[first], [other]] = [await idsWith(7), await idsWith(8)];
    expect(first).not.toEqual(other);
  });
});
