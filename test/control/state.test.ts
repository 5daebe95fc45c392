import { join } from 'node:path';
import type { Response, Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { collectionNames } from '../../src/sandbox/seed.ts';
import { ConflictError, NotFoundError, ValidationError, type SandboxHandle } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import {
  coupon,
  instructors,
  items,
  labId,
  learner,
  products,
  quiz,
  schools,
  sessions,
} from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { failureOf, resultOf, sharedServer, world, type World } from '../support/world.ts';
import { errorOf } from '../support/error-of.ts';
import { serve } from '../support/serve.ts';

type StateDocument = Awaited<ReturnType<SandboxHandle['state']['export']>>;
type Products = Awaited<ReturnType<typeof productsOf>>;

const productsOf = ({ state }: SandboxHandle) => state.list('products');

/** Where an attempt that must be refused does not fit. */
async function placesOf(attempt: Promise<unknown>): Promise<readonly string[]> {
  const error = await errorOf(attempt);
  if (!(error instanceof ValidationError)) throw new Error(`Expected ValidationError, got ${String(error)}`);
  return error.violations.map(({ pointer }) => pointer);
}

/** A record that is surely there. */
function present<T>(record: T | null | undefined): T {
  if (record === null || record === undefined) throw new Error('The record is not there.');
  return record;
}

function path({ id }: SandboxHandle, rest: string): string {
  return `/control/sandboxes/${id}/state${rest}`;
}

const product = { id: 'f'.repeat(24), schoolId: schools.riverside, title: 'Astronomy' };

describe('records', () => {
  it.each([
    ['schools', 3, schools.riverside],
    ['products', null, products.python],
    ['courseItems', null, items.article],
    ['quizzes', null, quiz.id],
    ['coupons', null, coupon.id],
    ['labs', null, labId],
    ['users', null, learner.id],
    ['instructors', null, instructors.riverside.id],
    ['liveEventSessions', null, sessions.oneSource],
  ] as const)('are listed and read, of all schools: %s', async (collection, count, id) => {
    const { sandbox } = await world();
    const records = await sandbox.state.list(collection);
    if (count !== null) expect(records).toHaveLength(count);
    const one = await sandbox.state.get(collection, id);
    expect(one).toHaveProperty('id', id);
    expect(records).toContainEqual(one);
    expect(await sandbox.state.get(collection, 'none')).toBeNull();
  });

  it('are added behind the others, and replaced where they stand', async () => {
    const { sandbox } = await world();
    const before = await productsOf(sandbox);
    expect(await sandbox.state.put('products', product)).toEqual(product);
    expect(await productsOf(sandbox)).toEqual([...before, product]);
    const first = { ...present(before[0]), title: 'First' };
    await sandbox.state.put('products', first);
    await sandbox.state.put('products', { ...product, title: 'Last' });
    expect(await productsOf(sandbox)).toEqual([first, ...before.slice(1), { ...product, title: 'Last' }]);
  });

  it('are removed, whether of the seed or added; then they are not there to be removed again', async () => {
    const { sandbox } = await world();
    const before = await sandbox.state.list('coupons');
    const added = { id: 'mine', schoolId: schools.riverside, productId: products.python };
    await sandbox.state.put('coupons', added);
    await sandbox.state.remove('coupons', coupon.id);
    await sandbox.state.remove('coupons', 'mine');
    expect(await sandbox.state.list('coupons')).toEqual(before.filter(({ id }) => id !== coupon.id));
    const refused = await errorOf(sandbox.state.remove('coupons', 'mine'));
    expect(refused).toBeInstanceOf(NotFoundError);
    expect(refused.message).toBe('There is no record "mine" in coupons.');
  });

  it.each(['a/b', 'a?b#c', '100%', '%2F', 'ö ü', '', '__proto__', 'constructor', 'x'.repeat(300)])(
    'have any text for an id: "%s"',
    async (id) => {
      const { sandbox } = await world();
      const user = { id, schoolIds: [schools.riverside] };
      expect(await sandbox.state.get('users', id)).toBeNull();
      expect(await sandbox.state.put('users', user)).toEqual(user);
      expect(await sandbox.state.get('users', id)).toEqual(user);
      expect(await sandbox.state.patch('users', id, { email: 'kim@learners.example' })).toEqual({
        ...user,
        email: 'kim@learners.example',
      });
      await sandbox.state.remove('users', id);
      expect(await sandbox.state.get('users', id)).toBeNull();
    },
  );

  it('of the seed are never changed for others', async () => {
    const [one, other] = [await world(), await world()];
    const before = await other.sandbox.state.export();
    await one.sandbox.state.patch('products', products.python, { title: 'Mine alone' });
    await one.sandbox.state.remove('coupons', coupon.id);
    expect(await other.sandbox.state.export()).toEqual(before);
  });

  it('handed in can be changed by the caller afterwards, without effect', async () => {
    const { sandbox } = await world();
    const record = { id: 'l', schoolId: schools.riverside, labTitle: 'Kept', testCases: [{ input: [1] }] };
    await sandbox.state.put('labs', record);
    record.labTitle = 'Changed';
    present(record.testCases[0]).input.push(2);
    const patch = { testCases: [{ input: [3] }] };
    expect(await sandbox.state.get('labs', 'l')).toEqual({
      ...record,
      labTitle: 'Kept',
      testCases: [{ input: [1] }],
    });
    await sandbox.state.patch('labs', 'l', patch);
    present(patch.testCases[0]).input.push(4);
    expect(await sandbox.state.get('labs', 'l')).toHaveProperty('testCases', [{ input: [3] }]);

    const document = structuredClone(await sandbox.state.export());
    await sandbox.state.import(document);
    const imported = await sandbox.state.export();
    Object.assign(present(document.collections['labs']?.[0]), { labTitle: 'Changed' });
    Object.assign(present(document.collections['coupons']?.[0]), { description: 'Changed' });
    expect(await sandbox.state.export()).toEqual(imported);
  });

  it('handed out cannot be used to change what is kept', async () => {
    const { sandbox } = await world();
    const before = structuredClone(await sandbox.state.export());
    const [list, one, whole] = [
      await sandbox.state.list('quizzes'),
      present(await sandbox.state.get('quizzes', quiz.id)),
      await sandbox.state.export(),
    ];
    // In a program without types nothing says that these are not to be changed; some of it is refused by the
    // language itself.
    for (const victim of [list, one.questions, whole.collections['labs']] as unknown as unknown[][]) {
      try {
        victim.splice(0);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('can be looked at and arranged over HTTP, as JSON', async () => {
    const { url, sandbox } = await world();
    const client = supertest(url);
    const put = await client.put(path(sandbox, `/products/${product.id}`)).send(product);
    expect([put.status, put.type, put.body]).toEqual([200, 'application/json', product]);
    const patched = await client.patch(path(sandbox, `/products/${product.id}`)).send({ title: 'Geology' });
    expect([patched.status, patched.body]).toEqual([200, { ...product, title: 'Geology' }]);
    expect((await client.get(path(sandbox, `/products/${product.id}`))).body).toEqual({
      ...product,
      title: 'Geology',
    });
    expect((await client.get(path(sandbox, '/products'))).body).toEqual({
      records: await productsOf(sandbox),
    });
    const removed = await client.delete(path(sandbox, `/products/${product.id}`));
    expect([removed.status, removed.text]).toEqual([204, '']);
    const gone = await client.get(path(sandbox, `/products/${product.id}`));
    expect([gone.status, gone.type]).toEqual([404, 'application/problem+json']);
    expect((await client.delete(path(sandbox, `/products/${product.id}`))).status).toBe(404);
  });
});

describe('a record that does not fit is refused, naming each place, and changes nothing', () => {
  const article = { productId: products.python, schoolId: schools.riverside };
  it.each([
    ['the wrong type', 'products', { ...product, title: 7 }, ['/title']],
    ['a field left out', 'products', { id: product.id, schoolId: schools.riverside }, ['/title']],
    ['a field that its collection does not have', 'products', { ...product, price: 7 }, ['/price']],
    [
      'a moment without a zone',
      'liveEventSessions',
      { scheduledStartAtIso: '2026-02-11T09:30:00' },
      ['/scheduledStartAtIso'],
    ],
    [
      'a value that is not among those known',
      'liveEventSessions',
      { recordedSources: ['camera', 'drone'] },
      ['/recordedSources/1'],
    ],
    ['a text that is no e-mail address', 'users', { email: 'kim' }, ['/email']],
    ['a slug that no key could hold', 'schools', { slug: 'River Side' }, ['/slug']],
    ['the slug of another school', 'schools', { slug: 'hillcrest' }, ['/slug']],
    ['an id other than in the path', 'products', { ...product, id: 'other' }, ['/id']],
    ['a product that is not there', 'courseItems', { ...article, productId: 'none' }, ['/productId']],
    ['a quiz that is not there', 'courseItems', { ...article, quizId: 'none' }, ['/quizId']],
    [
      'two that are not there',
      'courseItems',
      { productId: 'none', quizId: 'none' },
      ['/productId', '/quizId'],
    ],
    [
      'a school that is not there, in a list',
      'users',
      { schoolIds: [schools.riverside, 'none'] },
      ['/schoolIds'],
    ],
    [
      'several at once',
      'products',
      { id: product.id, schoolId: 1, title: null, price: 7 },
      ['/price', '/schoolId', '/title'],
    ],
  ] as const)('%s', async (_, collection, change, places) => {
    const { url, sandbox } = await world();
    const before = await sandbox.state.export();
    const [seeded] = await sandbox.state.list(collection);
    const id = 'id' in change ? product.id : present(seeded).id;
    const record = 'id' in change ? change : { ...seeded, ...change };
    const reply = await supertest(url)
      .put(path(sandbox, `/${collection}/${id}`))
      .send(record);
    expect(reply).toMatchObject({
      status: 400,
      type: 'application/problem+json',
      body: { status: 400, title: 'Invalid input' },
    });
    // The schema's violations are a matter of the contract, and of its own test.
    const { violations, detail } = reply.body as {
      violations: readonly { pointer: string; message: string }[];
      detail: string;
    };
    expect(violations.map(({ pointer }) => pointer).toSorted()).toEqual(places);
    for (const { pointer, message } of violations) expect(detail).toContain(`${pointer} ${message}`);
    expect(await sandbox.state.export()).toEqual(before);
    expect(await sandbox.describe()).toHaveProperty('changedRecords', 0);
  });

  it.each([[[]], ['text'], [null], [7]])('%j in the place of a record', async (record) => {
    const { url, sandbox } = await world();
    for (const method of ['put', 'patch'] as const) {
      const client = supertest(url);
      const reply = await client[method](path(sandbox, `/products/${products.python}`))
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(record));
      expect(reply).toMatchObject({ status: 400, body: { violations: [{ pointer: '' }] } });
    }
    expect(await sandbox.describe()).toHaveProperty('changedRecords', 0);
  });

  it('a slug may be put again where it is the own one', async () => {
    const { sandbox } = await world();
    const school = present(await sandbox.state.get('schools', schools.riverside));
    expect(await sandbox.state.put('schools', { ...school, name: 'Renamed' })).toHaveProperty(
      'name',
      'Renamed',
    );
  });

  it('a collection that is none, with the one that was meant', async () => {
    const { url, sandbox } = await world();
    for (const rest of ['/courseItem', '/courseItem/x']) {
      const reply = await supertest(url).get(path(sandbox, rest));
      expect(reply).toMatchObject({ status: 404, type: 'application/problem+json' });
      expect(reply.body).toHaveProperty(
        'detail',
        expect.stringMatching(
          /^There is no collection "courseItem"\. Did you mean "courseItems"\? The collections are schools, products, /,
        ),
      );
    }
    const client = supertest(url);
    expect((await client.put(path(sandbox, '/courseItem/x')).send(product)).status).toBe(404);
    expect((await client.patch(path(sandbox, '/courseItem/x')).send({})).status).toBe(404);
    expect((await client.delete(path(sandbox, '/courseItem/x'))).status).toBe(404);
    for (const name of ['constructor', '__proto__', 'COUPONS']) {
      expect((await client.get(path(sandbox, `/${name}`))).status).toBe(404);
    }
  });
});

describe('a record that others name', () => {
  it('is refused with their ids shortened', async () => {
    const { sandbox } = await world();
    await sandbox.state.put('products', product);
    const naming = { id: `c${'~'.repeat(10_000)}`, schoolId: schools.riverside, productId: product.id };
    await sandbox.state.put('assignments', { ...naming, assignmentTitle: 'Look up' });
    const { message } = await errorOf(sandbox.state.remove('products', product.id));
    expect(message).toBe(
      `Other records refer to this record: assignments/c${'~'.repeat(99)}…. Remove or change them first.`,
    );
  });

  it('is not removed before they are; the refusal names them', async () => {
    const { sandbox } = await world();
    await sandbox.state.put('products', product);
    const naming = { id: 'c', schoolId: schools.riverside, productId: product.id };
    await sandbox.state.put('coupons', naming);
    await sandbox.state.put('assignments', { ...naming, id: 'a', assignmentTitle: 'Look up' });
    const refused = await errorOf(sandbox.state.remove('products', product.id));
    expect(refused).toBeInstanceOf(ConflictError);
    expect(refused.message).toBe(
      'Other records refer to this record: assignments/a, coupons/c. Remove or change them first.',
    );
    expect(await sandbox.state.get('products', product.id)).toEqual(product);
    await sandbox.state.remove('assignments', 'a');
    await sandbox.state.patch('coupons', 'c', { productId: products.python });
    await sandbox.state.remove('products', product.id);
    expect(await sandbox.state.get('products', product.id)).toBeNull();
  });

  it('is refused with 409, naming no more than ten', async () => {
    const { url, sandbox } = await world();
    const { status, body } = await supertest(url).delete(path(sandbox, `/schools/${schools.hillcrest}`));
    expect(status).toBe(409);
    const { detail } = body as { detail: string };
    expect(detail.match(/[a-zA-Z]+\/[0-9a-f]{24}/g)).toHaveLength(10);
    expect(detail).toContain(' …. Remove');
  });

  it('counts where it is one of a list', async () => {
    const { sandbox } = await world();
    const { userId } = present(await sandbox.state.get('instructors', instructors.riverside.id));
    expect((await errorOf(sandbox.state.remove('users', userId))).message).toContain(
      `instructors/${instructors.riverside.id}`,
    );
  });
});

describe('a patch', () => {
  it('changes the fields that it has, null removes one, the others stay', async () => {
    const { sandbox } = await world();
    const before = present(await sandbox.state.get('coupons', coupon.id));
    const { description, ...rest } = before;
    expect(description).toBeTypeOf('string');
    expect(await sandbox.state.patch('coupons', coupon.id, { description: null })).toEqual(rest);
    expect(await sandbox.state.patch('coupons', coupon.id, {})).toEqual(rest);
    expect(await sandbox.state.patch('coupons', coupon.id, { description: 'Back' })).toEqual({
      ...rest,
      description: 'Back',
    });
    expect(await sandbox.state.get('coupons', coupon.id)).toEqual({ ...rest, description: 'Back' });
  });

  it('merges objects and replaces lists', async () => {
    const { sandbox } = await world();
    await sandbox.state.patch('coupons', coupon.id, {
      couponTypeData: { type: 'percent-off', percentOff: 20, from: { a: 1, b: 2 } },
    });
    expect(
      await sandbox.state.patch('coupons', coupon.id, {
        couponTypeData: { percentOff: null, from: { b: 3 } },
      }),
    ).toHaveProperty('couponTypeData', { type: 'percent-off', from: { a: 1, b: 3 } });
    await sandbox.state.patch('labs', labId, { testCases: [1, { a: 2 }, 3] });
    expect(await sandbox.state.patch('labs', labId, { testCases: [{ b: null }] })).toHaveProperty(
      'testCases',
      [{ b: null }],
    );
  });

  it('is held against the schema and the references as a whole record is', async () => {
    const { sandbox } = await world();
    const before = await sandbox.state.export();
    const patching = (patch: object) => placesOf(sandbox.state.patch('products', products.python, patch));
    expect(await patching({ title: null })).toEqual(['/title']);
    expect(await patching({ title: 7, schoolId: null })).toEqual(['/schoolId', '/title']);
    expect(await patching({ schoolId: 'none' })).toEqual(['/schoolId']);
    expect(await patching({ id: 'other' })).toEqual(['/id']);
    expect(await patching({ id: null })).toEqual(['/id']);
    expect(await patching({ price: 7 })).toEqual(['/price']);
    expect(await placesOf(sandbox.state.patch('schools', schools.riverside, { slug: 'hillcrest' }))).toEqual([
      '/slug',
    ]);
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('makes no record where there is none', async () => {
    const { sandbox } = await world();
    expect(await errorOf(sandbox.state.patch('products', product.id, product))).toBeInstanceOf(NotFoundError);
    expect(await sandbox.state.get('products', product.id)).toBeNull();
  });
});

describe('what is arranged is what the operations answer', () => {
  it('a quiz', async () => {
    const { sandbox, call } = await world();
    await call('get-quiz-details', { quizId: quiz.id });
    await sandbox.state.patch('quizzes', quiz.id, { quizTitle: 'Arranged', questions: [] });
    expect(resultOf(await call('get-quiz-details', { quizId: quiz.id }))).toMatchObject({
      quizTitle: 'Arranged',
      questions: [],
    });
    const other = {
      id: 'q',
      schoolId: schools.riverside,
      createdAtIso: '2026-01-01T00:00:00.000Z',
      quizTitle: 'Put',
      questions: [],
    };
    await sandbox.state.put('quizzes', other);
    expect(resultOf(await call('get-quiz-details', { quizId: 'q' }))).toHaveProperty('quizTitle', 'Put');
    await sandbox.state.patch('quizzes', 'q', { schoolId: schools.hillcrest });
    expect(failureOf(await call('get-quiz-details', { quizId: 'q' }))).toContain('The school has no quiz');
    expect(resultOf(await call('get-quiz-details', { quizId: 'q' }, 'hillcrest'))).toHaveProperty(
      'quizTitle',
      'Put',
    );
    await sandbox.state.remove('quizzes', 'q');
    expect(failureOf(await call('get-quiz-details', { quizId: 'q' }, 'hillcrest'))).toContain(
      'The school has no quiz',
    );
  });

  it('a list, which was asked for before', async () => {
    const { sandbox, call } = await world();
    const listing = async (id: string) => {
      const { assignments } = resultOf(
        await call('list-assignments', { courseIdentifier: { type: 'product-id', digitalProductId: id } }),
      );
      return assignments;
    };
    expect(await listing(products.withoutAssignments)).toEqual([]);
    const assignment = {
      id: 'a',
      schoolId: schools.riverside,
      productId: products.withoutAssignments,
      assignmentTitle: 'Arranged',
    };
    await sandbox.state.put('assignments', assignment);
    expect(await listing(products.withoutAssignments)).toEqual([
      { assignmentId: 'a', assignmentTitle: 'Arranged' },
    ]);
    const [first] = await sandbox.state.list('assignments');
    await sandbox.state.patch('assignments', present(first).id, { productId: products.withoutAssignments });
    expect(await listing(products.withoutAssignments)).toHaveLength(2);
    expect(await listing(products.python)).not.toContainEqual({
      assignmentId: first?.id,
      assignmentTitle: first?.assignmentTitle,
    });
    await sandbox.state.remove('assignments', 'a');
    expect(await listing(products.withoutAssignments)).toHaveLength(1);
  });

  it('and what the operations change is what is there', async () => {
    const { sandbox, call } = await world();
    resultOf(await call('update-interactive-coding-lab', { labId, labTitle: 'Called' }));
    expect(await sandbox.state.get('labs', labId)).toHaveProperty('labTitle', 'Called');
  });

  it('a school of another slug has another key, and the old one names no school', async () => {
    const { url, sandbox, call } = await world();
    const old = sandbox.apiKey('riverside');
    resultOf(await call('get-quiz-details', { quizId: quiz.id }));
    await sandbox.state.patch('schools', schools.riverside, { slug: 'lakeside' });
    expect(sandbox.apiKey('lakeside')).toBe(`sbx_${sandbox.id}_lakeside`);
    expect(() => sandbox.apiKey('riverside')).toThrow('Its schools: lakeside, hillcrest, marevista.');
    resultOf(await call('get-quiz-details', { quizId: quiz.id }, 'lakeside'));
    const refused = await supertest(url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', old)
      .send({ data: [{ data: { quizId: quiz.id } }] });
    expect(refused.status).toBe(401);
    const seen = (await sandbox.journal.list()).map(({ school, outcome }) => [school, outcome]);
    expect(seen).toEqual([
      ['riverside', 'ok'],
      ['lakeside', 'ok'],
      [null, 'invalid-key'],
    ]);
  });

  it('a school that is put has a key of its own', async () => {
    const { sandbox, call } = await world();
    await sandbox.state.put('schools', { id: 's', slug: 'northgate', name: 'Northgate' });
    await sandbox.state.put('quizzes', {
      ...present(await sandbox.state.get('quizzes', quiz.id)),
      id: 'q',
      schoolId: 's',
    });
    resultOf(await call('get-quiz-details', { quizId: 'q' }, 'northgate'));
    expect(failureOf(await call('get-quiz-details', { quizId: 'q' }, 'riverside'))).toContain(
      'The school has no quiz',
    );
  });
});

/** Something of everything that can be done to records. */
async function rearrange({ sandbox, call }: World): Promise<void> {
  await sandbox.state.put('products', product);
  await sandbox.state.put('labs', { id: 'z', schoolId: schools.hillcrest });
  await sandbox.state.put('labs', { id: 'a', schoolId: schools.riverside, testCases: [null, { x: [] }] });
  await sandbox.state.remove('coupons', coupon.id);
  await sandbox.state.patch('quizzes', quiz.id, { quizTitle: 'Rearranged' });
  resultOf(
    await call('create-instructor-account', {
      instructorEmail: 'ana@teachers.example',
      instructorName: 'Ana',
    }),
  );
  resultOf(
    await call('submit-user-course-item', {
      courseItemId: items.article,
      userId: '../x',
      shouldMarkAsCompleted: true,
    }),
  );
}

describe('a whole state', () => {
  it('is exported with every record of every collection', async () => {
    const { url, sandbox } = await world();
    const document = await sandbox.state.export();
    expect(document).toMatchObject({ format: 'learning-platform-sandbox/document', seed: 'demo' });
    expect(Object.keys(document.collections)).toEqual(collectionNames);
    expect(document.collections).toMatchObject({
      products: await productsOf(sandbox),
      labs: await sandbox.state.list('labs'),
    });
    expect((await supertest(url).get(path(sandbox, ''))).body).toEqual(document);
  });

  it.each(['untouched', 'rearranged'])('that is imported where it came from is the same: %s', async (how) => {
    const there = await world();
    if (how === 'rearranged') await rearrange(there);
    const document = await there.sandbox.state.export();
    await there.sandbox.state.import(document);
    expect(await there.sandbox.state.export()).toEqual(document);
    if (how === 'untouched') expect(await there.sandbox.describe()).toHaveProperty('changedRecords', 0);
  });

  it.each([
    ['of the same seed', {}],
    ['of the empty seed', { seed: 'empty' }],
    ['of another time', { clock: { mode: 'frozen', now: '2020-01-01T00:00:00.000Z' } }],
  ] as const)(
    'goes over into another sandbox %s, by way of JSON, and back',
    { tags: ['slow'] },
    async (_, request) => {
      const [one, other] = [await world(), await world(request)];
      await rearrange(one);
      const [document, own] = [await one.sandbox.state.export(), await other.sandbox.state.export()];
      const reply = await supertest(one.url).put(path(other.sandbox, '')).send(document);
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect((await other.sandbox.state.export()).collections).toEqual(document.collections);
      expect(resultOf(await other.call('get-quiz-details', { quizId: quiz.id }))).toHaveProperty(
        'quizTitle',
        'Rearranged',
      );
      await other.sandbox.state.import(own);
      expect(await other.sandbox.state.export()).toEqual(own);
      expect((await one.sandbox.state.export()).collections).toEqual(document.collections);
    },
  );

  it('takes the place of all that was there: a collection that is left out is empty', async () => {
    const there = await world();
    await rearrange(there);
    const [school] = await there.sandbox.state.list('schools');
    await there.sandbox.state.import({ collections: { schools: [{ ...school }] } });
    const { collections } = await there.sandbox.state.export();
    expect(Object.values(collections).flat()).toEqual([school]);
    expect(failureOf(await there.call('get-quiz-details', { quizId: quiz.id }))).toContain(
      'The school has no quiz',
    );
    await there.sandbox.state.import({ collections: {} });
    expect(await there.sandbox.state.list('schools')).toEqual([]);
  });

  it('starts the limits anew', { tags: ['slow'] }, async () => {
    const { sandbox, call } = await world();
    await sandbox.limits.set({ operations: { 'get-quiz-details': 1 } });
    resultOf(await call('get-quiz-details', { quizId: quiz.id }));
    expect((await call('get-quiz-details', { quizId: quiz.id })).status).toBe(429);
    await sandbox.state.import(await sandbox.state.export());
    resultOf(await call('get-quiz-details', { quizId: quiz.id }));
  });

  it('goes back to the seed at a reset, after an import too', async () => {
    const there = await world({ clock: { mode: 'frozen', now: '2026-03-02T10:00:00.000Z' } });
    const seeded = await there.sandbox.state.export();
    await rearrange(there);
    await there.sandbox.state.import({ collections: {} });
    await there.sandbox.reset();
    expect(await there.sandbox.state.export()).toEqual(seeded);
    expect(await there.sandbox.describe()).toHaveProperty('changedRecords', 0);
  });
});

describe('an import that does not fit names every place and changes nothing', () => {
  const hillcrest = { id: schools.hillcrest, slug: 'hillcrest', name: 'Hillcrest College' };

  it.each<[string, (document: StateDocument) => object, readonly string[]]>([
    [
      'a record',
      ({ collections }) => ({ ...collections, products: [{ id: 'x' }] }),
      ['/collections/products/0/schoolId', '/collections/products/0/title'],
    ],
    ['what is no record', ({ collections }) => ({ ...collections, labs: [7] }), ['/collections/labs/0']],
    [
      'records of several collections',
      ({ collections }) => ({ ...collections, products: [{ id: 'x' }], labs: [{ id: 1, schoolId: 's' }] }),
      ['/collections/labs/0/id', '/collections/products/0/schoolId', '/collections/products/0/title'],
    ],
    [
      'unknown collections',
      ({ collections }) => ({ ...collections, courseItem: [], Labs: [] }),
      ['/collections/Labs', '/collections/courseItem'],
    ],
    [
      'ids that stand twice',
      () => ({ schools: [hillcrest, { ...hillcrest, slug: 'other' }] }),
      ['/collections/schools/1/id'],
    ],
    [
      'slugs that stand twice',
      () => ({ schools: [hillcrest, { ...hillcrest, id: 'x' }] }),
      ['/collections/schools/1/slug'],
    ],
  ])('%s', { tags: ['slow'] }, async (_, change, places) => {
    const { url, sandbox } = await world();
    await sandbox.state.patch('labs', labId, { labTitle: 'Mine' });
    const before = await sandbox.state.export();
    const collections = change(structuredClone(before));
    const reply = await supertest(url).put(path(sandbox, '')).send({ collections });
    expect(reply).toMatchObject({ status: 400, type: 'application/problem+json' });
    // The shape of problem documents is a matter of the contract, and of its own test.
    const { violations } = reply.body as { violations: readonly { pointer: string }[] };
    expect(violations.map(({ pointer }) => pointer).toSorted()).toEqual(places);
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('references to what is not in the document, the first 50 of many', async () => {
    const { sandbox } = await world();
    const before = await sandbox.state.export();
    const naming = Object.entries(before.collections).flatMap(([, list]) =>
      list.filter(({ productId }) => productId !== undefined),
    );
    const error = await errorOf(
      sandbox.state.import({ ...before, collections: { ...before.collections, products: [] } }),
    );
    if (!(error instanceof ValidationError)) throw error;
    expect(naming.length).toBeGreaterThan(50);
    expect(error.violations).toHaveLength(50);
    expect(error.message.endsWith(` And ${naming.length - 50} more.`)).toBe(true);
    for (const { message } of error.violations)
      expect(message).toMatch(/^must name a record of products, but is /);
    expect(await sandbox.state.export()).toEqual(before);
  });

  it.each([
    ['no collections', {}],
    ['collections that are a list', { collections: [] }],
    ['a collection that is no list', { collections: { labs: {} } }],
    ['a document of something else', { format: 'something-else', collections: {} }],
    ['a member that no document has', { collections: {}, extra: 1 }],
    ['nothing at all', undefined],
  ])('%s', async (_, document) => {
    const { url, sandbox } = await world();
    const before = await sandbox.state.export();
    const { status, body } = await supertest(url).put(path(sandbox, '')).send(document);
    expect({ status, body: body as object }).toMatchObject({ status: 400, body: { violations: [{}] } });
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('the own collections of every object', async () => {
    const { url, sandbox } = await world();
    const before = await sandbox.state.export();
    const reply = await supertest(url)
      .put(path(sandbox, ''))
      .set('Content-Type', 'application/json')
      .send('{"collections":{"__proto__":[{"id":"x"}],"constructor":[]}}');
    expect(reply).toMatchObject({
      status: 400,
      body: { violations: [{ pointer: '/collections/__proto__' }, { pointer: '/collections/constructor' }] },
    });
    expect(await sandbox.state.export()).toEqual(before);
  });
});

describe('a server with --data', () => {
  it('keeps what was put, patched, removed and imported', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    const source = await world();
    await rearrange(source);
    const document = await source.sandbox.state.export();
    await first.default.state.import(document);
    const [other, empty] = [
      await first.createSandbox({ id: 'other' }),
      await first.createSandbox({ id: 'empty', seed: 'empty' }),
    ];
    await other.state.put('products', product);
    await other.state.patch('quizzes', quiz.id, { quizTitle: 'Patched' });
    await other.state.remove('coupons', coupon.id);
    await empty.state.import(document);
    const before = [
      await first.default.state.export(),
      await other.state.export(),
      await empty.state.export(),
    ];
    await first.close();

    const second = await serve({ data });
    const kept = [
      second.default,
      present(await second.sandbox('other')),
      present(await second.sandbox('empty')),
    ];
    expect(await Promise.all(kept.map((sandbox) => sandbox.state.export()))).toEqual(before);
    expect(before[0]?.collections).toEqual(document.collections);
    await second.default.reset();
    expect(await second.default.describe()).toHaveProperty('changedRecords', 0);
  });

  it('keeps nothing of an import that does not fit', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    await first.default.state.patch('labs', labId, { labTitle: 'Kept' });
    const before = await first.default.state.export();
    await errorOf(first.default.state.import({ collections: { ...before.collections, schools: [] } }));
    await first.close();
    expect(await (await serve({ data })).default.state.export()).toEqual(before);
  });
});

/** The state with a word in everything that `asked` is answered from. */
function marked(document: StateDocument, word: string): StateDocument {
  // Records of their collections, as the export has them.
  const list = document.collections['products'] as unknown as Products;
  const assignments = [products.python, products.withoutAssignments].flatMap((productId) =>
    Array.from({ length: 5 }, (_, number) => ({
      id: `${word}-${productId}-${number}`,
      schoolId: schools.riverside,
      productId,
      assignmentTitle: word,
    })),
  );
  return {
    collections: {
      ...document.collections,
      products: list.map((record) => ({ ...record, title: word })),
      assignments,
    },
  };
}

function wordsIn({ text }: Response): readonly string[] {
  return ['old', 'new'].filter((word) => text.includes(`Title":"${word}"`));
}

describe('a change of the whole world is seen whole or not at all', () => {
  const asked = [products.python, products.withoutAssignments].map((digitalProductId) => ({
    courseIdentifier: { type: 'product-id', digitalProductId },
  }));

  it.each(['import', 'restore'])('%s', { tags: ['slow'] }, async (how) => {
    const { url, sandbox, batch } = await world();
    await sandbox.limits.set({ scale: null });
    const seeded = await sandbox.state.export();
    const documents = { old: marked(seeded, 'old'), new: marked(seeded, 'new') };
    for (const word of ['new', 'old'] as const) {
      await sandbox.state.import(documents[word]);
      expect(wordsIn(await batch('list-assignments', asked))).toEqual([word]);
      await sandbox.snapshots.take(word);
    }
    const change = (word: 'old' | 'new'): Test => {
      const base = `/control/sandboxes/${sandbox.id}`;
      const client = supertest(url);
      return how === 'import'
        ? client.put(`${base}/state`).send(documents[word])
        : client.post(`${base}/snapshots/${word}/restore`);
    };
    const replies: Response[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async (_, worker) => {
        for (let round = worker; round < worker + 5; round += 1) {
          const changing = change(round % 2 === 0 ? 'new' : 'old').expect(204);
          const [, one, other] = await Promise.all([
            changing,
            batch('list-assignments', asked),
            batch('list-assignments', asked),
          ]);
          replies.push(one, other);
        }
      }),
    );
    const seen = replies.map(wordsIn);
    expect(seen.filter((words) => words.length !== 1)).toEqual([]);
    await sandbox.state.import(documents.new);
    expect(wordsIn(await batch('list-assignments', asked))).toEqual(['new']);
  });

  it(
    'reset: a batch that writes is wholly there or not at all, and its reply is whole',
    { tags: ['slow'] },
    async () => {
      const { url, sandbox, batch } = await world();
      await sandbox.limits.set({ scale: null });
      const seeded = (await sandbox.state.list('coupons')).map(({ description = '' }) => description);
      const coupons = (await sandbox.state.list('coupons')).filter(
        ({ schoolId }) => schoolId === schools.riverside,
      );
      expect(coupons.length).toBeGreaterThan(3);
      const looks: (readonly string[])[] = [];
      await Promise.all(
        Array.from({ length: 60 }, async (_, number) => {
          const description = `by call ${number}`;
          const writing = batch(
            'update-digital-product-coupon',
            coupons.map(({ id, productId }) => ({
              serviceCouponCodeId: id,
              serviceDigitalProductId: productId,
              description,
            })),
          ).then((reply) => expect(reply.text).not.toContain('"error"'));
          const resetting = supertest(url).post(`/control/sandboxes/${sandbox.id}/reset`).expect(204);
          const looking = supertest(url).get(path(sandbox, '/coupons'));
          const [, , { body }] = await Promise.all([writing, resetting, looking]);
          // The list of coupons, as the contract has it.
          const { records } = body as { records: readonly { id: string; description: string }[] };
          looks.push(
            records
              .filter(({ id }) => coupons.some((one) => one.id === id))
              .map((record) => record.description),
          );
        }),
      );
      expect(looks).toHaveLength(60);
      const torn = looks.filter(
        (descriptions) =>
          new Set(descriptions).size !== 1 &&
          descriptions.some((description) => !seeded.includes(description)),
      );
      expect(torn).toEqual([]);
      await sandbox.reset();
      expect((await sandbox.state.list('coupons')).map(({ description = '' }) => description)).toEqual(
        seeded,
      );
    },
  );

  it('a sandbox goes on while it is imported into at every turn', { tags: ['slow'] }, async () => {
    const { sandbox } = await world();
    const document = await sandbox.state.export();
    await Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        await sandbox.state.patch('labs', labId, { labTitle: `${number}` });
        await sandbox.state.import(document);
      }),
    );
    expect(await sandbox.state.export()).toEqual(document);
    expect((await sharedServer()).url).toBe(sandbox.baseUrl);
  });
});
