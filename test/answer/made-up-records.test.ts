import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fieldOf } from '../../src/base/is-object.ts';
import { operationFacts, type Records } from '../../src/contract/generated/facts.ts';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { startSandbox } from '../../src/index.ts';
import { MadeUp, type RecordAuthor } from '../../src/sandbox/made-up.ts';
import { Random } from '../../src/sandbox/random.ts';
import { collectionNames, type CollectionName } from '../../src/sandbox/seed.ts';
import { temporaryFolder } from '../support/command.ts';
import { quiz, schools } from '../support/demo.ts';
import { requestExamples, responseExamples } from '../support/examples.ts';
import { supertest } from '../support/supertest.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';

const synthesise = { unknownId: 'synthesise' } as const;
const open = (randomSeed = 1): Promise<World> => world({ assumptions: synthesise, randomSeed });
const nobody = 'f'.repeat(24);

/** Every operation that takes an identifier. */
const operations = operationNames.filter((name) =>
  /Id"/.test(JSON.stringify(operationFacts[name].parameters)),
);

/** The parameters of the first example that succeeds. */
function exampleOf(operation: OperationName): object {
  const successful = responseExamples(operation).find(({ value }) => value[0]?.output.status === 'ok');
  // A request of the contract, so it is an envelope.
  const { data } = (requestExamples(operation)[successful?.name ?? '']?.value ?? { data: [] }) as {
    readonly data: readonly { readonly data: object }[];
  };
  return data[0]?.data ?? {};
}

/** The place of the first identifier in the parameters, which says what the operation is about. */
function idPath(parameters: object): readonly string[] {
  for (const [name, value] of Object.entries(parameters) as [string, unknown][]) {
    if (typeof value === 'string' && name.endsWith('Id')) return [name];
    const inner = typeof value === 'object' && value !== null ? idPath(value) : [];
    if (inner.length > 0) return [name, ...inner];
  }
  return [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? fieldOf(value, name) : undefined;
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  return valueAt(memberOf(value, name), rest);
}

function withValueAt(value: unknown, [name, ...rest]: readonly string[], inner: unknown): unknown {
  if (name === undefined) return inner;
  return { ...(value as object), [name]: withValueAt(memberOf(value, name), rest, inner) };
}

/** The parameters of the example, about another record. */
function about(operation: OperationName, id: string): object {
  const example = exampleOf(operation);
  return withValueAt(example, idPath(example), id) as object;
}

const answers = {
  courseItemType: 'Quiz',
  questionsToUpsert: [{ questionUniqueId: 'anything', newSelectedOptionIds: ['some', 'more'] }],
};

/** Hillcrest's records of the collection that the example of the operation is about. */
async function foreignIds({ sandbox }: World, operation: OperationName): Promise<readonly string[]> {
  const example = exampleOf(operation);
  const id = valueAt(example, idPath(example));
  const { collections } = await sandbox.state.export();
  const records = collectionNames
    .map((name): readonly object[] => collections[name] ?? [])
    .find((list) => list.some((record) => fieldOf(record, 'id') === id));
  const ids = (records ?? [])
    .filter((record) => fieldOf(record, 'schoolId') === schools.hillcrest)
    .map((record) => String(fieldOf(record, 'id')));
  expect(
    ids,
    `The demo needs a record of Hillcrest in the collection of ${JSON.stringify(id)}, the first identifier in the example of ${operation}.`,
  ).not.toEqual([]);
  return ids.slice(0, 100);
}

/** What tells replies apart, but for what differs in any two. */
function marks(response: Response): object {
  const { status, headers } = response;
  const names = Object.keys(headers).filter((name) => name !== 'content-length');
  const shapes = outputsOf(response).map(shapeOf);
  return { status, names, assumed: headers['sandbox-assumed'] as unknown, shapes };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value === 'object' ? 'string' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** The first output, without what is each sandbox's or moment's own. */
function strip(reply: Response): unknown {
  return JSON.parse(JSON.stringify(outputsOf(reply)[0]).replaceAll(/sandbox-\d+|expires=[^"]+/g, ''));
}

describe.each(operations)('%s with an unknown identifier, under synthesise,', (operation) => {
  const parameters = (id: string): object => about(operation, id);

  // Whether each reply fits the contract, `call` has looked.
  it.each([nobody, ' ', 'no id/of the ü&ual "form"', 'x'.repeat(5000)])(
    'answers %j well',
    { tags: ['slow'] },
    async (id) => {
      const { call } = await open();
      const reply = await call(operation, parameters(id));
      expect(resultOf(reply)).toBeTypeOf('object');
      expect(reply.headers['sandbox-assumed']).toContain('unknownId=synthesise');
    },
  );

  it('hints at an identifier that is likely a mistake', async () => {
    const { call } = await open();
    const hinted = (await call(operation, parameters('undefined'))).headers['sandbox-hint'];
    const pointer = `/data/0/data/${idPath(parameters(nobody)).join('/')}`;
    expect(hinted).toContain(`${pointer}: no `);
    expect(hinted).toContain(
      'has this identifier, so the sandbox generated one. It looks like the text of an empty variable.',
    );
    expect((await call(operation, parameters(nobody))).headers).not.toHaveProperty('sandbox-hint');
  });

  it('answers the same again, later, in a batch, and in another sandbox of the same random seed', async () => {
    const [one, other] = [await open(), await open()];
    const first = strip(await one.call(operation, parameters(nobody)));
    await one.sandbox.clock.advance({ seconds: 40 });
    expect(strip(await one.call(operation, parameters(nobody)))).toEqual(first);
    expect(strip(await one.batch(operation, [parameters(nobody), parameters('other')]))).toEqual(first);
    expect(strip(await other.call(operation, parameters(nobody)))).toEqual(first);
  });

  it("answers another school's as ones that nobody has, before and after", async () => {
    const place = await open();
    const foreign = await foreignIds(place, operation);
    const unknown = foreign.map((id) => createHash('sha256').update(id).digest('hex').slice(0, 24));
    for (const round of ['first', 'again']) {
      const theirs = await place.batch(operation, foreign.map(parameters));
      const missing = await place.batch(operation, unknown.map(parameters));
      expect(
        [round, marks(theirs)],
        "The operation shows another school's records: find them with `find`, and list them with `childrenOf`.",
      ).toEqual([round, marks(missing)]);
    }
  });

  it("leaves other schools' records as they are", async () => {
    const place = await open();
    const foreign = await foreignIds(place, operation);
    const before = await place.sandbox.state.export();
    await place.batch(operation, foreign.map(parameters));
    const after = await place.sandbox.state.export();
    for (const name of collectionNames) {
      const kept = new Set(after.collections[name]?.map((record) => JSON.stringify(record)));
      const changed = before.collections[name]?.filter((record) => !kept.has(JSON.stringify(record)));
      expect(changed ?? [], name).toEqual([]);
    }
  });
});

/** Writes next to nothing: a record takes no time. */
class HastyAuthor implements RecordAuthor {
  write<N extends CollectionName>(_: N, name: string, __: object, given: Partial<Records[N]>): Records[N] {
    // The tests below look at nothing else of a record.
    return { ...given, id: name } as Records[N];
  }

  idOf(_: CollectionName, name: string): string {
    return name;
  }
}

/** Makes labs up, for identifiers that Riverside does not have. */
function labMaker(): (id: string) => object {
  const random = new Random(1);
  const madeUp = new MadeUp(new HastyAuthor(), random);
  const asker = { school: { id: schools.riverside, name: 'Riverside', slug: 'riverside' }, beginning: 0 };
  return (id) => madeUp.record('labs', id, asker);
}

describe('the memory of what is made up', () => {
  it('holds at most 1000 records, and an identifier that was forgotten has the same record again', () => {
    const make = labMaker();
    const lab = (number: number): object => make(`lab-${number}`);
    const first = lab(0);
    for (let number = 1; number < 1000; number += 1) lab(number);
    expect(lab(0)).toBe(first);
    lab(1000);
    expect(lab(0)).not.toBe(first);
    expect(lab(0)).toEqual(first);
  });

  it('holds none with an identifier of more than 200 characters', () => {
    const make = labMaker();
    const lab = (length: number): object => make('x'.repeat(length));
    expect(lab(200)).toBe(lab(200));
    expect(lab(201)).not.toBe(lab(201));
    expect(lab(201)).toEqual(lab(201));
  });
});

describe('what is made up', () => {
  it('follows from the random seed and the identifier', async () => {
    const titles = await Promise.all(
      [
        [1, 'a'],
        [1, 'b'],
        [2, 'a'],
      ].map(async ([seed, id]) =>
        JSON.stringify(resultOf(await (await open(Number(seed))).call('get-quiz-details', { quizId: id }))),
      ),
    );
    expect(new Set(titles).size).toBe(3);
  });

  it('is not kept by reading, and in no list', async () => {
    const { call, sandbox } = await open();
    for (const operation of operations)
      if (!operationFacts[operation].writes) await call(operation, about(operation, nobody));
    expect(await sandbox.describe()).toHaveProperty('changedRecords', 0);
  });

  it('is not kept where the element fails, nor where the batch is undone', async () => {
    const failing = {
      serviceCouponCodeId: nobody,
      serviceDigitalProductId: 'p',
      couponTypeData: { type: 'percent-off', percentOff: 101 },
    };
    const one = await open();
    expect(failureOf(await one.call('update-digital-product-coupon', failing))).toContain('percentOff');
    expect(await one.sandbox.describe()).toHaveProperty('changedRecords', 0);
    const all = await world({ assumptions: { ...synthesise, batchProcessing: 'all-or-nothing' } });
    await all.batch('update-digital-product-coupon', [
      { ...failing, couponTypeData: { type: 'percent-off', percentOff: 9 } },
      failing,
    ]);
    expect(await all.sandbox.describe()).toHaveProperty('changedRecords', 0);
  });

  it(
    'comes into being when it is written, with what it names, and holds together',
    { tags: ['slow'] },
    async () => {
      const { call, sandbox } = await open();
      const product = { courseIdentifier: { type: 'product-id', digitalProductId: 'my-product' } };
      const before = resultOf(await call('list-assignments', product));
      expect(before['assignments']).toHaveLength(3);
      const coupon = {
        serviceCouponCodeId: 'my-coupon',
        serviceDigitalProductId: 'my-product',
        description: 'Mine',
      };
      resultOf(await call('update-digital-product-coupon', coupon));
      resultOf(
        await call('update-digital-product-coupon', {
          ...coupon,
          description: undefined,
          numberOfRedemptionsAllowed: 3,
        }),
      );
      expect(await sandbox.state.get('coupons', 'my-coupon')).toMatchObject({
        productId: 'my-product',
        description: 'Mine',
        numberOfRedemptionsAllowed: 3,
      });
      expect(resultOf(await call('list-assignments', product))).toEqual(before);
      resultOf(
        await call('submit-user-course-item', { courseItemId: 'my-item', userId: 'me', details: answers }),
      );
      // An import holds every record and reference against the schemas.
      await sandbox.state.import(await sandbox.state.export());
      const submissions = await sandbox.state.list('submissions');
      expect(submissions.at(-1)).toMatchObject({
        courseItemId: 'my-item',
        answers: [{ questionUniqueId: 'anything', selectedOptionIds: ['some', 'more'] }],
      });
      const failure = failureOf(
        await call('update-digital-product-coupon', { ...coupon, serviceDigitalProductId: 'another' }),
      );
      expect(failure).toBe(
        `/data/0/data/serviceCouponCodeId: The product "another" has no coupon with the identifier "my-coupon". The coupon belongs to the product "${coupon.serviceDigitalProductId}".`,
      );
    },
  );

  it('has what the caller did not name, too: a coupon has a product', async () => {
    const { call, sandbox } = await world({ assumptions: { ...synthesise, requiredFields: 'stated-only' } });
    resultOf(
      await call('update-digital-product-coupon', { serviceCouponCodeId: 'my-coupon', description: 'Mine' }),
    );
    const { productId } = (await sandbox.state.get('coupons', 'my-coupon')) ?? {};
    expect(await sandbox.state.get('products', productId ?? '')).toMatchObject({ id: productId });
    // An import holds every record and reference against the schemas.
    await sandbox.state.import(await sandbox.state.export());
    expect(await sandbox.state.get('coupons', 'my-coupon')).toMatchObject({ productId, description: 'Mine' });
  });

  it('is there again after a restart', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'state.json');
    for (const description of ['once', 'twice']) {
      const warnings: string[] = [];
      const server = await startSandbox({
        port: 0,
        data,
        assume: synthesise,
        warn: (text) => void warnings.push(text),
      });
      onTestFinished(() => server.close().catch(() => {}));
      expect((await server.default.state.get('coupons', 'mine'))?.description).toBe(
        description === 'once' ? undefined : 'once',
      );
      const { body } = await supertest(server.url)
        .post('/public/update-digital-product-coupon')
        .set('SERVICE-API-KEY', server.default.apiKey('riverside'))
        .send({
          data: [{ data: { serviceCouponCodeId: 'mine', serviceDigitalProductId: 'p', description } }],
        });
      expect(body).toMatchObject([{ output: { status: 'ok' } }]);
      await server.close();
      expect(warnings).toEqual([]);
    }
  });

  it('has a recording that plays', async () => {
    const { call, url } = await open();
    const { playbackSources } = resultOf(
      await call('get-signed-url-data-for-live-event-session-playback', { liveEventSessionId: 'any' }),
    );
    for (const { masterM3u8Pathname, urlSearchParamString } of playbackSources as Record<string, string>[]) {
      const playlist = await supertest(url).get(`${masterM3u8Pathname}${urlSearchParamString}`);
      expect([playlist.status, playlist.text]).toEqual([200, expect.stringContaining('#EXTM3U')]);
    }
    expect(playbackSources).toHaveLength(2);
    const { downloadUrl } = resultOf(
      await call('get-live-event-session-processed-mp4', { liveEventSessionId: 'any' }),
    );
    const download = new URL(String(downloadUrl));
    expect((await supertest(url).get(`${download.pathname}${download.search}`)).status).toBe(200);
  });

  it("has a recording of its own where another school's session has the identifier", async () => {
    const { call, url, sandbox } = await open();
    const session = (await sandbox.state.list('liveEventSessions')).find(
      ({ schoolId }) => schoolId === schools.hillcrest,
    );
    const id = session?.id ?? '';
    await sandbox.state.patch('liveEventSessions', id, { recordedSources: [] });
    const { downloadUrl } = resultOf(
      await call('get-live-event-session-processed-mp4', { liveEventSessionId: id }),
    );
    const download = new URL(String(downloadUrl));
    expect(download.pathname).not.toContain(id);
    expect((await supertest(url).get(`${download.pathname}${download.search}`)).status).toBe(200);
  });

  it('gives way to a known record, and to a fault that asks for none', async () => {
    const { call, post, sandbox } = await open();
    const known = await call('get-quiz-details', { quizId: quiz.id });
    expect(known.headers).not.toHaveProperty('sandbox-assumed');
    const faulty = await post('get-quiz-details')
      .set({ 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Sandbox-Fault': 'not-found' })
      .send({ data: [{ data: { quizId: nobody } }] });
    expect(outputsOf(faulty)).toMatchObject([{ status: 'error' }]);
  });

  it('begins when the option is chosen, and ends with it', async () => {
    const { call, sandbox } = await world();
    const ask = async (): Promise<string | undefined> =>
      outputsOf(await call('get-quiz-details', { quizId: nobody }))[0]?.status;
    expect(await ask()).toBe('error');
    await sandbox.assumptions.choose(synthesise);
    expect(await ask()).toBe('ok');
    await sandbox.assumptions.choose({ unknownId: 'element-error' });
    expect(await ask()).toBe('error');
  });
});
