import { fileURLToPath } from 'node:url';
import type { Response, Test } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultNames } from '../../src/faults/index.ts';
import { startSandbox, type NewSandbox } from '../../src/index.ts';
import { ask, askControl, controlled, controlOperations } from '../support/control.ts';
import { coupon, items, learner, quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { callText, openWire, repliesIn } from '../support/wire.ts';
import { failureOf, resultOf, sharedServer } from '../support/world.ts';

/** A place in what was sent, and what is wrong there. */
type Violation = readonly [pointer: string, message: string];

/** The violations that a problem tells, in the order of their places. */
function violationsOf({ body }: Response): readonly Violation[] {
  // Held against the schema Problem before.
  const { violations = [] } = body as {
    readonly violations?: readonly { readonly pointer: string; readonly message: string }[];
  };
  return violations
    .map(({ pointer, message }): Violation => [pointer, message])
    .toSorted(([one], [other]) => one.localeCompare(other));
}

function detailOf({ body }: Response): string {
  return (body as { readonly detail: string }).detail;
}

/**
 * A world whose faults may break the public contract, so that its replies are held against nothing. The key
 * outlives the sandbox.
 */
async function faulty(request?: NewSandbox) {
  const made = await controlled(request);
  const key = made.sandbox.apiKey('riverside');
  const send = (operation: string, parameters: object = {}): Test =>
    supertest(made.url)
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', key)
      .send({ data: [{ data: parameters }] });
  return { ...made, key, send };
}

const aCoupon = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };

/** Ids that no other test takes: all tests of a thread share a server. */
let taken = 0;
const freshId = (): string => `control-plane-${(taken += 1)}`;

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

describe('a sandbox is made', () => {
  it('with all that can be said of it', { tags: ['slow'] }, async () => {
    const id = freshId();
    const made = await ask('POST', '/sandboxes', {
      id,
      seed: 'empty',
      randomSeed: 4_294_967_295,
      profile: 'strict',
      assumptions: { missingKey: 'http-403' },
      scenario: 'key-revoked',
      clock: { mode: 'frozen', now: '2026-02-11T10:30:00.000+01:00' },
      ttlSeconds: 86_400,
    });
    const { url } = await sharedServer();
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      id,
      baseUrl: url,
      seed: 'empty',
      randomSeed: 4_294_967_295,
      scenario: 'key-revoked',
      clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' },
      ttlSeconds: 86_400,
      exchanges: 0,
      changedRecords: 0,
    });
    const { assumptions, profiles } = (await ask('GET', `/sandboxes/${id}/assumptions`)).body as {
      assumptions: { name: string; chosen: string; default: string }[];
      profiles: Record<string, Record<string, string>>;
    };
    const wanted: Readonly<Record<string, string>> = { ...profiles['strict'], missingKey: 'http-403' };
    expect(Object.keys(wanted).length).toBeGreaterThan(1);
    for (const { name, chosen, default: usual } of assumptions)
      expect([name, chosen]).toEqual([name, wanted[name] ?? usual]);
  });

  it('with nothing said, like the others of the server, and every school with its key', async () => {
    const made = await ask('POST', '/sandboxes', {});
    const { id } = made.body as { id: string };
    expect(id).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(made.body).toMatchObject({
      schools: [
        { name: 'Riverside Academy', slug: 'riverside', apiKey: `sbx_${id}_riverside` },
        { name: 'Hillcrest College', slug: 'hillcrest', apiKey: `sbx_${id}_hillcrest` },
        { name: 'Instituto Marevista', slug: 'marevista', apiKey: `sbx_${id}_marevista` },
      ],
      seed: 'demo',
      randomSeed: 1,
      scenario: null,
      clock: { mode: 'real' },
      ttlSeconds: null,
    });
  });

  it('whose keys open it at once', async () => {
    const made = await ask('POST', '/sandboxes', { id: freshId() });
    const { id, schools, baseUrl } = made.body as {
      id: string;
      baseUrl: string;
      schools: { apiKey: string }[];
    };
    const reply = await supertest(baseUrl)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', schools[0]?.apiKey ?? '')
      .send({ data: [{ data: { quizId: quiz.id } }] });
    expect([reply.status, reply.headers['sandbox-request-id']]).toEqual([200, `${id}-1`]);
  });

  it.each(['default', 'one that a request has made', 'one that a key has opened'])(
    'but not under an id that is taken: %s',
    async (kind) => {
      const id = kind === 'default' ? kind : freshId();
      if (kind.includes('request')) await ask('POST', '/sandboxes', { id });
      if (kind.includes('key')) {
        const { url } = await sharedServer();
        await supertest(url)
          .post('/public/get-all-instructors')
          .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
          .send({ data: [{ data: {} }] });
      }
      const refused = await ask('POST', '/sandboxes', { id });
      expect([refused.status, detailOf(refused)]).toEqual([409, `A sandbox "${id}" already exists.`]);
    },
  );

  it('but once, where two ask for one id at the same moment', async () => {
    const id = freshId();
    const replies = await Promise.all(
      [1, 2, 3].map(() => ask('POST', '/sandboxes', { id, scenario: 'slow-day' })),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409,
    ]);
  });

  it('but not where the request is malformed: every violation is told, each with its place', async () => {
    const refused = await ask('POST', '/sandboxes', {
      id: 'Spring Term',
      randomSeed: 1.5,
      colour: 'red',
      clock: { mode: 'slow', now: 'yesterday', speed: 2 },
      ttlSeconds: 0,
      assumptions: { unknownId: 404 },
      scenario: 7,
    });
    expect(refused.status).toBe(400);
    expect(violationsOf(refused).map(([pointer]) => pointer)).toEqual([
      '/assumptions/unknownId',
      '/clock/mode',
      '/clock/now',
      '/clock/speed',
      '/colour',
      '/id',
      '/randomSeed',
      '/scenario',
      '/ttlSeconds',
    ]);
    for (const [pointer, message] of violationsOf(refused))
      expect(detailOf(refused)).toContain(`${pointer} ${message}`);
  });

  it.each([
    [
      'seed',
      { seed: 'demos' },
      ['There is no seed "demos".', 'Did you mean "demo"?', 'Known seeds: demo, empty.'],
    ],
    [
      'scenario',
      { scenario: 'slow-days' },
      ['There is no scenario "slow-days".', 'Did you mean "slow-day"?', 'bad-gateway', 'schema-drift'],
    ],
    ['profile', { profile: 'stict' }, ['There is no such profile.', '/profile', 'Did you mean "strict"?']],
    [
      'assumption',
      { assumptions: { unknownID: 'http-404' } },
      ['/assumptions/unknownID', 'Did you mean "unknownId"?', 'missingKey', 'retryAfter'],
    ],
    [
      'option',
      { assumptions: { unknownId: 'http404' } },
      ['/assumptions/unknownId', 'element-error, http-404', 'Did you mean "http-404"?'],
    ],
  ])('but not with an unknown %s: what is meant and what there is are told', async (_, request, words) => {
    const id = freshId();
    const refused = await ask('POST', '/sandboxes', { id, ...request });
    expect(refused.status).toBe(400);
    for (const word of words) expect(detailOf(refused)).toContain(word);
    expect((await ask('GET', `/sandboxes/${id}`)).status).toBe(404);
  });

  it.each([
    ['seed', `${fixtures}demo`],
    ['seed', `${fixtures}no-such-folder`],
    ['seed', './fixtures/demo'],
    ['seed', '../fixtures/demo'],
    ['seed', 'scenarios'],
    ['scenario', `${fixtures}scenarios/slow-day.yaml`],
    ['scenario', `${fixtures}scenarios/no-such-file.yaml`],
    ['scenario', 'fixtures/scenarios/slow-day.yaml'],
    ['scenario', '../demo/schools.json'],
    ['scenario', 'slow-day.yaml'],
  ])('but with no %s from a file of the server: %s', async (kind, path) => {
    const refused = await ask('POST', '/sandboxes', { [kind]: path });
    expect([refused.status, detailOf(refused)]).toEqual([
      400,
      expect.stringContaining(`There is no ${kind} "${path}".`),
    ]);
    expect(detailOf(refused)).toMatch(/Known \w+s: [\w, -]+\.$/);
  });
});

describe('the sandboxes', () => {
  it('can begin with every seed that is listed', async () => {
    const { seeds } = (await ask('GET', '/seeds')).body as { seeds: readonly { name: string }[] };
    expect(seeds.map(({ name }) => name)).toEqual(expect.arrayContaining(['demo', 'empty']));
    for (const { name } of seeds) {
      const made = await ask('POST', '/sandboxes', { seed: name });
      expect([made.status, made.body]).toEqual([201, expect.objectContaining({ seed: name })]);
    }
  });

  it('are listed, and each is told by itself', async () => {
    const { sandbox, call, ask: control } = await controlled({ randomSeed: 77 });
    await call('get-all-instructors');
    const one = await control('GET', '');
    expect(one.body).toMatchObject({ id: sandbox.id, randomSeed: 77, exchanges: 1 });
    const { sandboxes } = (await ask('GET', '/sandboxes')).body as {
      sandboxes: { id: string; randomSeed: number }[];
    };
    expect(sandboxes.map(({ id }) => id)).toEqual(expect.arrayContaining(['default', sandbox.id]));
    expect(sandboxes.find(({ id }) => id === sandbox.id)).toMatchObject({ randomSeed: 77, exchanges: 1 });
  });

  it('that are not there are not found, with a hint at the id that was meant', async () => {
    const id = `${freshId()}-quite-a-name`;
    await ask('POST', '/sandboxes', { id });
    const missed = await ask('GET', `/sandboxes/${id}s`);
    expect([missed.status, detailOf(missed)]).toEqual([
      404,
      expect.stringContaining(`Did you mean "${id}"?`),
    ]);
  });

  it('are refused with all that cannot be had at once, each at its place', async () => {
    const wanted = {
      assumptions: { unknownId: 'http-405' },
      profile: 'stict',
      seed: 'dmo',
      scenario: 'slow-dy',
    };
    const { status, body } = await ask('POST', '/sandboxes', wanted);
    expect(status).toBe(400);
    // What a problem document has.
    const { violations } = body as {
      readonly violations: readonly { readonly pointer: string; readonly message: string }[];
    };
    expect(violations.map(({ pointer }) => pointer)).toEqual([
      '/assumptions/unknownId',
      '/profile',
      '/seed',
      '/scenario',
    ]);
    for (const meant of ['http-404', 'strict', 'demo', 'slow-day']) {
      expect(violations.some(({ message }) => message.includes(`Did you mean "${meant}"?`))).toBe(true);
    }
  });

  it('have no changed record if one was added and removed again', async () => {
    const { ask: control } = await faulty();
    await control('PUT', '/state/users/visitor', {
      id: 'visitor',
      schoolIds: [],
      email: 'a@visitors.example',
    });
    expect((await control('GET', '')).body).toMatchObject({ changedRecords: 1 });
    await control('DELETE', '/state/users/visitor');
    expect((await control('GET', '')).body).toMatchObject({ changedRecords: 0 });
    expect((await control('GET', '/state/users/visitor')).status).toBe(404);
  });

  it('are removed, and the key of a removed one opens a new one', async () => {
    const { sandbox, send, ask: control } = await faulty();
    await send('update-digital-product-coupon', { ...aCoupon, description: 'Only in the old world' });
    expect((await control('GET', '')).body).toMatchObject({ changedRecords: 1, exchanges: 1 });
    expect((await control('DELETE', '')).status).toBe(204);
    expect((await control('GET', '')).status).toBe(404);
    expect((await control('DELETE', '')).status).toBe(404);
    const reply = await send('get-all-instructors');
    expect([reply.status, reply.headers['sandbox-request-id']]).toEqual([200, `${sandbox.id}-1`]);
    expect((await control('GET', '')).body).toMatchObject({ changedRecords: 0, exchanges: 1 });
  });

  it('are removed under a call in flight, which is answered to its end', { tags: ['slow'] }, async () => {
    const { sandbox, ask: control } = await controlled();
    const wire = await openWire(sandbox);
    wire.send(
      callText(sandbox, {
        operation: 'get-all-instructors',
        elements: [{}],
        fault: 'slow-body; bytes=1000; ms=10',
      }),
    );
    // The head is there, so the call is in flight.
    await wire.hear((heard) => heard.includes('\r\n\r\n'));
    expect((await control('DELETE', '')).status).toBe(204);
    const [reply] = repliesIn(await wire.hear((heard) => repliesIn(heard).whole.length === 1)).whole;
    expect(reply).toMatchObject({ status: 200, headers: { 'sandbox-request-id': `${sandbox.id}-1` } });
    expect(JSON.parse(reply?.text ?? '')).toMatchObject([{ output: { status: 'ok' } }]);
  });

  it(
    'go back to their seed, with their limits, and keep their journal, snapshots and assumptions',
    { tags: ['slow'] },
    async () => {
      // Relative times are counted from quarters of an hour, one of which may begin meanwhile.
      const clock = { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' } as const;
      const { call, ask: control } = await controlled({ assumptions: { missingKey: 'http-403' }, clock });
      const before = (await control('GET', '/state')).body as unknown;
      resultOf(await call('update-digital-product-coupon', { ...aCoupon, description: 'Changed' }));
      await control('PUT', '/snapshots/changed');
      await control('POST', '/faults', { fault: 'delay', with: { ms: 1 }, operation: 'get-quiz-details' });
      expect((await control('GET', '')).body).toMatchObject({ changedRecords: 1 });
      expect((await control('POST', '/reset')).status).toBe(204);
      expect((await control('GET', '')).body).toMatchObject({ changedRecords: 0, exchanges: 1 });
      expect((await control('GET', '/state')).body).toEqual(before);
      expect((await control('GET', '/faults')).body).toEqual({ scenario: null, rules: [] });
      expect((await control('GET', '/snapshots')).body).toMatchObject({ snapshots: [{ name: 'changed' }] });
      expect((await control('GET', '/limits')).body).toMatchObject({
        operations: { 'update-digital-product-coupon': { counters: [] } },
      });
      expect(await chosenOf(control, 'missingKey')).toBe('http-403');
    },
  );
});

type Control = Awaited<ReturnType<typeof controlled>>['ask'];

async function chosenOf(control: Control, name: string): Promise<string | undefined> {
  const { assumptions } = (await control('GET', '/assumptions')).body as {
    assumptions: { name: string; chosen: string }[];
  };
  return assumptions.find((one) => one.name === name)?.chosen;
}

describe('the default sandbox', () => {
  it('stays when it is removed, and goes back to its seed instead', async () => {
    // Others use the shared server's.
    const { url, close } = await startSandbox({ port: 0 });
    onTestFinished(close);
    const about = `/control/sandboxes/default/state/coupons/${coupon.id}`;
    const { body: before } = await askControl(url, 'GET', about);
    await askControl(url, 'PATCH', about, { description: 'To be gone' });
    expect((await askControl(url, 'GET', about)).body).toMatchObject({ description: 'To be gone' });
    expect((await askControl(url, 'DELETE', '/control/sandboxes/default')).status).toBe(204);
    expect((await askControl(url, 'GET', about)).body).toEqual(before);
    expect((await askControl(url, 'GET', '/control/sandboxes/default')).body).toMatchObject({
      id: 'default',
      changedRecords: 0,
    });
  });
});

function shortenedKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-2)}`;
}

const pathsToRead = controlOperations
  .filter(({ method, path }) => method === 'GET' && path.includes('{sandboxId}') && !path.endsWith('/stream'))
  .map(({ examplePath }) => examplePath.replace('/control/sandboxes/default', ''));

/** Reads what there is to read of a sandbox, of which the parameters' examples must be there. */
async function expectNoWholeKey(id: string, paths = pathsToRead): Promise<void> {
  expect(paths.length).toBeGreaterThan(0);
  for (const path of [
    '/sandboxes',
    ...paths.map((one) => `/sandboxes/${id}${one.replace('/default-1', `/${id}-1`)}`),
  ]) {
    const { status, text } = await ask('GET', path);
    expect([path, status, /sbx_[a-z0-9-]+_[a-z0-9-]+/.exec(text)?.[0]]).toEqual([path, 200, undefined]);
  }
}

describe('keys', () => {
  it('are whole only in the answer that makes a sandbox', { tags: ['slow'] }, async () => {
    const { sandbox, key, send, ask: control } = await faulty();
    // As clients have them where they should not be, beside where they should.
    await send('get-quiz-details', { quizId: quiz.id, apiKey: key })
      .query({ api_key: key })
      .set({
        Authorization: `Bearer ${key}`,
        'X-API-Key': key,
        Cookie: `key=${key}`,
        Referer: `https://client.example/?key=${key}`,
      });
    await send('get-quiz-details', { quizId: quiz.id }).set('SERVICE-API-KEY', `${key}s`);
    await control('POST', '/faults', {
      id: 'http-error-1',
      match: { key },
      fault: 'http-error',
      with: { status: 503 },
    });
    await control('PUT', '/snapshots/before-lunch');
    await expectNoWholeKey(sandbox.id);
    expect((await control('GET', `/journal/${sandbox.id}-1`)).text).toContain(shortenedKey(key));
  });

  it('are shortened where the reply repeats them', { tags: ['slow'] }, async () => {
    const { sandbox, key, send } = await faulty();
    expect((await send('get-quiz-details', { quizId: key })).text).toContain(key);
    await expectNoWholeKey(sandbox.id, [`/journal/${sandbox.id}-1`, '/journal', '/journal.har']);
  });

  it('are shortened where they came without the header that they belong in', async () => {
    const { url } = await sharedServer();
    const key = 'sbx_default_riverside';
    const refused = await supertest(url)
      .post('/public/get-quiz-details')
      .query({ api_key: key })
      .send({ data: [{ data: { apiKey: key } }] });
    expect(refused.status).toBe(401);
    await expectNoWholeKey('default', [`/journal/${refused.headers['sandbox-request-id']}`]);
  });

  it('are shortened in what changing requests answer, too', async () => {
    const { sandbox, ask: control } = await controlled();
    const key = sandbox.apiKey('riverside');
    const added = await control('POST', '/faults', {
      id: 'mine',
      match: { key },
      fault: 'http-error',
      with: { status: 503 },
    });
    const changed = await control('PATCH', '/faults/mine', { with: { status: 500 } });
    for (const { text } of [added, changed]) expect(text).not.toContain(key);
  });
});

describe('what the control plane does not have', () => {
  it('is not found, with a hint at what was meant and at the contract', async () => {
    const missed = await ask('GET', '/sandboxs');
    expect(missed.status).toBe(404);
    expect(detailOf(missed)).toContain('Did you mean "/control/sandboxes"?');
    expect(detailOf(missed)).toContain('GET /control/openapi.yaml');
  });

  it.each([
    '',
    '/',
    '/sandboxes/default/',
    '/sandboxes/default/state/coupons/1/2',
    '/journal',
    '/sandboxes/default/report.pdf',
    '/sandboxes/default/report.constructor',
    '/sandboxes/fault.http-error.503',
  ])('is not found: /control%s', async (path) => {
    expect((await ask('GET', path)).status).toBe(404);
  });

  it('is not found in a collection, with a hint at the one that was meant', async () => {
    const missed = await ask('GET', '/sandboxes/default/state/coupon');
    expect([missed.status, detailOf(missed)]).toEqual([
      404,
      expect.stringContaining('Did you mean "coupons"?'),
    ]);
  });

  it.each([
    ['DELETE', '/sandboxes', ['GET', 'POST']],
    ['PUT', '/sandboxes/default', ['DELETE', 'GET']],
    ['GET', '/sandboxes/default/reset', ['POST']],
    ['POST', '/sandboxes/default/state', ['GET', 'PUT']],
    ['POST', '/sandboxes/default/state/coupons/1', ['DELETE', 'GET', 'PATCH', 'PUT']],
    ['POST', '/sandboxes/default/scenario', ['DELETE', 'PUT']],
    ['POST', '/scenarios', ['GET']],
    ['PATCH', '/sandboxes/default/limits/counters', ['DELETE']],
    ['POST', '/sandboxes/default/journal/stream', ['GET']],
    ['POST', '/sandboxes/default/report.html', ['GET']],
    ['DELETE', '/openapi.yaml', ['GET']],
  ] as const)(
    '%s of /control%s is refused, and the reply lists the allowed methods',
    async (method, path, allowed) => {
      const refused = await ask(method, path);
      const listed = String(refused.headers['allow']).split(', ');
      expect([refused.status, listed.filter((name) => name !== 'HEAD').toSorted()]).toEqual([405, allowed]);
      for (const name of allowed) expect(detailOf(refused)).toContain(name);
    },
  );
});

describe('HEAD', () => {
  it('of a stream of the journal ends at once', async () => {
    const { url, sandbox } = await controlled();
    const asked = fetch(`${url}/control/sandboxes/${sandbox.id}/journal/stream`, {
      method: 'HEAD',
      signal: AbortSignal.timeout(10_000),
    });
    await expect(asked.then(({ status }) => status)).resolves.toBe(200);
  });

  it.each([
    '/sandboxes',
    '/sandboxes/default',
    '/sandboxes/default/journal',
    '/sandboxes/default/report',
    '/openapi.yaml',
  ])('of /control%s answers as GET does, without content', async (path) => {
    const { url } = await sharedServer();
    const head = await supertest(url).head(`/control${path}`);
    const get = await ask('GET', path);
    expect([head.status, head.headers['content-type'], head.text ?? '']).toEqual([
      200,
      get.headers['content-type'],
      '',
    ]);
  });

  it('of a refused request has the length that GET has', async () => {
    const { url } = await sharedServer();
    const path = '/sandboxes/nobody';
    const head = await supertest(url).head(`/control${path}`);
    const get = await ask('GET', path);
    expect([head.status, head.headers['content-length']]).toEqual([404, get.headers['content-length']]);
    expect(Number(head.headers['content-length'])).toBe(get.text.length);
  });
});

/** Sends a text as the assumptions to choose in a new sandbox. */
async function sendText(text: string, type = 'application/json'): Promise<Response> {
  const { ask: control } = await controlled();
  return control('PATCH', '/assumptions').set('Content-Type', type).send(text);
}

describe('a body', () => {
  it.each(['{"unknownId":', "{'unknownId': 'http-404'}", 'unknownId=http-404', '\u0000'])(
    'that is not JSON is refused: %j',
    async (text) => {
      const refused = await sendText(text);
      expect([refused.status, detailOf(refused)]).toEqual([
        400,
        expect.stringMatching(/^The body is not JSON(: it ends (?:before|inside)| at line 1, column) /),
      ]);
    },
  );

  it.each(['[]', '"http-404"', '7', 'null', 'true'])('that is no object is refused: %s', async (text) => {
    const refused = await sendText(text);
    expect(refused.status).toBe(400);
    expect(violationsOf(refused)).toEqual([['', expect.stringContaining('must be an object')]]);
  });

  it('that is missing is refused', async () => {
    const { ask: control } = await controlled();
    const refused = await control('PATCH', '/assumptions');
    expect([refused.status, violationsOf(refused).map(([pointer]) => pointer)]).toEqual([400, ['']]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
  ])('that is declared as %s is refused, with what to declare it as', async (type) => {
    const refused = await sendText('{"unknownId":"http-404"}', type);
    expect(refused.status).toBe(415);
    expect(detailOf(refused)).toContain('Content-Type: application/json');
    expect(detailOf(refused)).toContain(JSON.stringify(type));
  });

  it('may name its charset', async () => {
    expect((await sendText('{"unknownId":"http-404"}', 'application/json; charset=utf-8')).status).toBe(200);
  });

  it.each([
    ['lists', `${'['.repeat(1001)}${']'.repeat(1001)}`],
    ['objects', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`],
    ['a great many lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ])('that is nested too deep is refused: %s', async (_, text) => {
    const refused = await sendText(text);
    expect([refused.status, violationsOf(refused)]).toEqual([
      400,
      [['', expect.stringContaining('1000 levels deep')]],
    ]);
  });

  it('that is refused changes nothing', async () => {
    const { ask: control } = await controlled();
    const refused = await control('PATCH', '/assumptions', {
      missingKey: 'http-403',
      invalidKey: 'http-418',
    });
    expect([refused.status, violationsOf(refused).map(([pointer]) => pointer)]).toEqual([
      400,
      ['/invalidKey'],
    ]);
    expect(await chosenOf(control, 'missingKey')).toBe('http-401');
  });
});

describe('a fault rule', () => {
  it('with an unknown fault is refused, with the one that was meant and all that there are', async () => {
    const { ask: control } = await controlled();
    const refused = await control('POST', '/faults', { fault: 'http-eror' });
    expect(refused.status).toBe(400);
    const [[pointer, message] = ['', '']] = violationsOf(refused);
    expect(pointer).toBe('/fault');
    expect(message).toContain('Did you mean "http-error"?');
    for (const known of ['delay', 'timeout', 'reset', 'garbage', 'unicode-strings', 'short-output'])
      expect(message).toContain(known);
    expect((await control('GET', '/faults')).body).toEqual({ scenario: null, rules: [] });
  });

  it('with much that is wrong is refused with all of it', async () => {
    const { ask: control } = await controlled();
    const refused = await control('POST', '/faults', {
      fault: 'http-eror',
      operation: 7,
      when: { first: -1 },
      colour: 'red',
    });
    expect(refused.status).toBe(400);
    expect(violationsOf(refused).map(([pointer]) => pointer)).toEqual([
      '/colour',
      '/fault',
      '/operation',
      '/when/first',
    ]);
  });

  it('has an id of its own', async () => {
    const { ask: control } = await controlled();
    const rule = { id: 'mine', fault: 'http-error', with: { status: 503 } };
    expect((await control('POST', '/faults', rule)).status).toBe(201);
    expect((await control('POST', '/faults', rule)).status).toBe(409);
    expect((await control('GET', '/faults/mine')).body).toMatchObject({ ...rule, matched: 0, fired: 0 });
    expect((await control('DELETE', '/faults/mine')).status).toBe(204);
    expect((await control('GET', '/faults/mine')).status).toBe(404);
  });

  it('that is changed keeps its place and the rest of it, and counts anew', async () => {
    const { send, ask: control } = await faulty();
    const operation = 'get-quiz-details';
    for (const [id, status] of Object.entries({ first: 500, second: 502, third: 503 })) {
      await control('POST', '/faults', { id, operation, fault: 'http-error', with: { status } });
    }
    expect((await send(operation)).status).toBe(500);
    expect((await control('GET', '/faults/first')).body).toMatchObject({ matched: 1, fired: 1 });
    const changed = await control('PATCH', '/faults/first', { with: { status: 504 }, when: { times: 1 } });
    expect(changed.body).toMatchObject({
      id: 'first',
      operation,
      with: { status: 504 },
      when: { times: 1 },
      matched: 0,
      fired: 0,
    });
    const { rules } = (await control('GET', '/faults')).body as { rules: { id: string }[] };
    expect(rules.map(({ id }) => id)).toEqual(['first', 'second', 'third']);
    const statuses = await statusesOf(2, () => send(operation));
    expect(statuses).toEqual([504, 502]);
    expect((await control('PATCH', '/faults/first', { when: null })).body).not.toHaveProperty('when');
  });

  it('that is changed for the worse stays as it was', async () => {
    const { ask: control } = await controlled();
    await control('POST', '/faults', { id: 'mine', fault: 'http-error', with: { status: 503 } });
    for (const patch of [
      { fault: 'http-eror' },
      { fault: null },
      { with: { status: 200 } },
      { id: 'yours' },
      { when: { every: 0 } },
    ]) {
      expect((await control('PATCH', '/faults/mine', patch)).status).toBe(400);
    }
    expect((await control('GET', '/faults')).body).toMatchObject({
      rules: [{ id: 'mine', fault: 'http-error', with: { status: 503 } }],
    });
  });

  it('about a school that is not there is refused, when it is added and when it is changed', async () => {
    const { ask: control } = await controlled();
    const added = await control('POST', '/faults', { fault: 'reset', match: { school: 'riversyde' } });
    expect([added.status, violationsOf(added)]).toEqual([
      400,
      [['/match/school', expect.stringContaining('Did you mean "riverside"?')]],
    ]);
    await control('POST', '/faults', { id: 'mine', fault: 'reset', match: { school: 'riverside' } });
    const changed = await control('PATCH', '/faults/mine', { match: { school: 'riversyde' } });
    expect([changed.status, violationsOf(changed).map(([pointer]) => pointer)]).toEqual([
      400,
      ['/match/school'],
    ]);
  });

  it('hits the operations and nothing of the control plane', async () => {
    const { send, ask: control } = await faulty({ scenario: 'outage-then-recovery' });
    await control('POST', '/faults', { id: 'all', fault: 'http-error', with: { status: 502 } });
    expect((await send('get-all-instructors')).status).toBe(502);
    for (const { method, path, success } of controlOperations.filter(
      (one) => one.method === 'GET' && /\{id\}(\/[a-z]+)?$/.test(one.path),
    )) {
      const reply = await control(method, path.replace('/control/sandboxes/{sandboxId}', ''));
      expect([path, reply.status, reply.headers['sandbox-fault']]).toEqual([path, success, undefined]);
    }
    const asked = await control('GET', '/faults/all').set('Sandbox-Fault', 'http-error; status=503');
    expect([asked.status, asked.body]).toEqual([
      200,
      expect.objectContaining({ id: 'all', matched: 1, fired: 1 }),
    ]);
    await control('DELETE', '/faults');
    expect((await send('get-all-instructors')).status).toBe(200);
    expect((await control('GET', '/faults')).body).toEqual({ scenario: null, rules: [] });
  });
});

describe('limits of a sandbox', () => {
  it('do not hold for the control plane', { tags: ['slow'] }, async () => {
    const { send, ask: control } = await faulty();
    await control('PUT', '/limits', { scale: 0.001 });
    expect(await statusesOf(2, () => send('get-all-instructors'))).toEqual([200, 429]);
    expect(new Set(await statusesOf(70, () => control('GET', '')))).toEqual(new Set([200]));
  });
});

describe('a snapshot', () => {
  it.each(['Before-Lunch', 'before_lunch', 'x'.repeat(65), 'a%20b'])('is not called %s', async (name) => {
    const { ask: control } = await controlled();
    expect((await control('PUT', `/snapshots/${name}`)).status).toBe(400);
    expect((await control('GET', '/snapshots')).body).toEqual({ snapshots: [] });
  });
});

describe('the list of faults', () => {
  it(
    'explains every fault that a rule can name, with parameters whose standards a rule takes',
    { tags: ['slow'] },
    async () => {
      const { faults } = (await ask('GET', '/faults')).body as {
        faults: {
          name: string;
          phase: string;
          summary: string;
          parameters: { name: string; help: string; standard: unknown }[];
        }[];
      };
      expect(faults.map(({ name }) => name)).toEqual(faultNames);
      const { ask: control } = await controlled();
      for (const { name, phase, summary, parameters } of faults) {
        expect([summary, ...parameters.map(({ help }) => help)], name).not.toContain('');
        const given = parameters.flatMap(({ name: parameter, standard }) =>
          standard === null ? [] : [[parameter, standard]],
        );
        const added = await control('POST', '/faults', {
          fault: name,
          phase,
          with: Object.fromEntries(given),
        });
        expect(added.status, name).toBe(201);
      }
    },
  );
});

describe('a scenario', () => {
  it('is known by its name', async () => {
    const { scenarios } = (await ask('GET', '/scenarios')).body as { scenarios: { name: string }[] };
    expect(scenarios.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['bad-gateway', 'key-revoked', 'slow-day']),
    );
    const { ask: control } = await controlled();
    await control('POST', '/faults', { id: 'mine', fault: 'reset' });
    const playing = (await control('PUT', '/scenario', { name: 'bad-gateway' })).body as {
      rules: { id: string; scenario: string | null }[];
    };
    expect(playing).toMatchObject({ scenario: 'bad-gateway' });
    expect(playing.rules.at(-1)).toMatchObject({ id: 'mine', scenario: null });
    expect(playing.rules[0]).toMatchObject({ scenario: 'bad-gateway' });
    expect((await control('GET', '')).body).toMatchObject({ scenario: 'bad-gateway' });
    expect((await control('DELETE', '/scenario')).status).toBe(204);
    expect((await control('GET', '/faults')).body).toMatchObject({ scenario: null, rules: [{ id: 'mine' }] });
  });

  it('can be written out, and starts anew at a reset', async () => {
    const { call, ask: control } = await controlled();
    const script = {
      summary: 'The first call fails.',
      rules: [{ fault: 'http-error', with: { status: 503 }, when: { first: 1 } }],
    };
    const playing = await control('PUT', '/scenario', { name: 'mine', script });
    expect(playing.body).toMatchObject({
      scenario: 'mine',
      rules: [{ id: 'mine-1', scenario: 'mine', fault: 'http-error' }],
    });
    const statuses: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      for (let number = 0; number < 2; number += 1) statuses.push((await call('get-all-instructors')).status);
      await control('POST', '/reset');
    }
    expect(statuses).toEqual([503, 200, 503, 200]);
  });

  it.each([
    ['an unknown name', { name: 'bad-gatway' }],
    ['a file of the server', { name: `${fixtures}scenarios/bad-gateway.yaml` }],
    ['no name', { script: { summary: 'It has none.', rules: [{ fault: 'reset' }] } }],
    ['a script without rules', { name: 'mine', script: { summary: 'Nothing happens.', rules: [] } }],
    [
      'a script with an unknown fault',
      { name: 'mine', script: { summary: 'It fails.', rules: [{ fault: 'rest' }] } },
    ],
  ])('with %s is refused, and the one before plays on', async (_, chosen) => {
    const { ask: control } = await controlled({ scenario: 'slow-day' });
    const before = (await control('GET', '/faults')).body as unknown;
    expect((await control('PUT', '/scenario', chosen)).status).toBe(400);
    expect((await control('GET', '/faults')).body).toEqual(before);
  });

  it('that is written out wrongly is refused with the places in the request', async () => {
    const { ask: control } = await controlled();
    const rules = [{ fault: 'reset' }, { fault: 'rest' }, { fault: 'reset', operation: 'get-quiz' }];
    const refused = await control('PUT', '/scenario', {
      name: 'mine',
      script: { summary: 'It fails.', rules },
    });
    expect(refused.status).toBe(400);
    expect(violationsOf(refused).map(([pointer]) => pointer)).toEqual([
      '/script/rules/1/fault',
      '/script/rules/2/operation',
    ]);
  });

  it('with a rule of an id that the sandbox has already is refused', async () => {
    const { ask: control } = await controlled();
    await control('POST', '/faults', { id: 'taken', fault: 'reset' });
    const script = { summary: 'It clashes.', rules: [{ id: 'taken', fault: 'delay', with: { ms: 1 } }] };
    const refused = await control('PUT', '/scenario', { name: 'mine', script });
    expect([refused.status, detailOf(refused)]).toEqual([409, expect.stringContaining('"taken"')]);
    expect((await control('GET', '/faults')).body).toMatchObject({
      scenario: null,
      rules: [{ id: 'taken', fault: 'reset' }],
    });
  });
});

interface ToldLimit {
  readonly requests: number | null;
  readonly windowSeconds: number;
  readonly stated: number | null;
  readonly own: number | null;
  readonly counters: readonly { readonly who: string; readonly used: number }[];
}

async function limitOf(control: Control, operation: string): Promise<ToldLimit | undefined> {
  const { operations } = (await control('GET', '/limits')).body as { operations: Record<string, ToldLimit> };
  return operations[operation];
}

describe('limits', () => {
  const operation = 'get-all-instructors';

  it('are told with what is used of them, per key, the key shortened', async () => {
    const { sandbox, call, ask: control } = await controlled();
    const key = sandbox.apiKey('riverside');
    await call(operation);
    await call(operation);
    await call(operation, {}, 'hillcrest');
    const told = await limitOf(control, operation);
    expect(told).toMatchObject({ requests: 15, windowSeconds: 60, stated: 15 });
    expect(told?.counters.map(({ used }) => used).toSorted((one, other) => one - other)).toEqual([1, 2]);
    expect(told?.counters).toContainEqual({ who: shortenedKey(key), used: 2 });
    expect(await limitOf(control, 'get-quiz-details')).toMatchObject({ requests: 60, counters: [] });
  });

  it('under a sliding window are told with what was used within the window, to the millisecond', async () => {
    const now = Date.parse('2026-11-20T10:00:00.000Z');
    const clock = { mode: 'frozen', now: new Date(now).toISOString() } as const;
    const { call, ask: control } = await controlled({ clock, assumptions: { rateLimitWindow: 'sliding' } });
    await call(operation);
    for (const [afterMs, used] of [
      [0, 1],
      [59_999, 1],
      [60_000, 0],
    ] as const) {
      await control('PUT', '/clock', { mode: 'frozen', now: new Date(now + afterMs).toISOString() });
      expect([afterMs, (await limitOf(control, operation))?.counters]).toMatchObject([afterMs, [{ used }]]);
    }
  });

  it('are scaled', async () => {
    const { call, ask: control } = await controlled();
    expect((await control('PUT', '/limits', { scale: 0.2 })).body).toMatchObject({
      scale: 0.2,
      operations: {
        [operation]: { requests: 3, stated: 15 },
        'get-quiz-details': { requests: 12, stated: 60 },
      },
    });
    expect(await statusesOf(5, () => call(operation))).toEqual([200, 200, 200, 429, 429]);
  });

  it('are switched off with null', async () => {
    const { call, ask: control } = await controlled();
    expect((await control('PUT', '/limits', { scale: null })).body).toMatchObject({
      scale: null,
      operations: { [operation]: { requests: null } },
    });
    expect(new Set(await statusesOf(20, () => call(operation)))).toEqual(new Set([200]));
  });

  it('of some operations can be their own, and all that is left out is as specified', async () => {
    const { call, ask: control } = await controlled();
    await control('PUT', '/limits', { scale: 10 });
    const set = await control('PUT', '/limits', { operations: { [operation]: 2 } });
    expect(set.body).toMatchObject({
      scale: 1,
      operations: {
        [operation]: { requests: 2, stated: 15, own: 2 },
        'get-all-live-events': { requests: 15, own: null },
      },
    });
    expect(await statusesOf(3, () => call(operation))).toEqual([200, 200, 429]);
    expect((await control('PUT', '/limits', {})).body).toMatchObject({
      scale: 1,
      operations: { [operation]: { requests: 15 } },
    });
  });

  it(
    'start anew when their counters are cleared, and when the clock has left the window',
    { tags: ['slow'] },
    async () => {
      const { call, ask: control } = await controlled();
      await control('PUT', '/limits', { operations: { [operation]: 1 } });
      expect(await statusesOf(2, () => call(operation))).toEqual([200, 429]);
      expect((await control('DELETE', '/limits/counters')).status).toBe(204);
      expect((await limitOf(control, operation))?.counters).toEqual([]);
      expect(await statusesOf(2, () => call(operation))).toEqual([200, 429]);
      await control('POST', '/clock/advance', { seconds: 61 });
      expect((await limitOf(control, operation))?.counters.map(({ used }) => used)).not.toContain(1);
      expect((await call(operation)).status).toBe(200);
    },
  );

  it.each([
    ['a scale of 0', { scale: 0 }, '/scale'],
    ['a scale in words', { scale: 'off' }, '/scale'],
    [
      'an operation that is not there',
      { operations: { 'get-all-instructor': 3 } },
      '/operations/get-all-instructor',
    ],
    ['a limit of no calls', { operations: { [operation]: 0 } }, `/operations/${operation}`],
    ['something else', { factor: 2 }, '/factor'],
  ])('with %s are refused and stay', async (_, setting, pointer) => {
    const { ask: control } = await controlled();
    await control('PUT', '/limits', { scale: 0.5 });
    const refused = await control('PUT', '/limits', setting);
    expect([refused.status, violationsOf(refused).map(([place]) => place)]).toEqual([400, [pointer]]);
    expect((await control('GET', '/limits')).body).toMatchObject({
      scale: 0.5,
      operations: { [operation]: { requests: 7 } },
    });
  });
});

async function statusesOf(count: number, call: () => Test): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number += 1) statuses.push((await call()).status);
  return statuses;
}

describe('the clock', () => {
  const now = '2026-02-11T09:30:00.000Z';

  it('is frozen at a moment, moved on and back, and let go again', async () => {
    const { ask: control } = await controlled();
    expect((await control('PUT', '/clock', { mode: 'frozen', now })).body).toEqual({ mode: 'frozen', now });
    expect((await control('POST', '/clock/advance', { seconds: 90.5 })).body).toEqual({
      mode: 'frozen',
      now: '2026-02-11T09:31:30.500Z',
    });
    expect((await control('POST', '/clock/advance', { seconds: -90.5 })).body).toEqual({
      mode: 'frozen',
      now,
    });
    expect((await control('GET', '/clock')).body).toEqual({ mode: 'frozen', now });
    const running = (await control('PUT', '/clock', { mode: 'real' })).body as { mode: string; now: string };
    expect(running.mode).toBe('real');
    expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(now));
    expect(Date.parse(running.now)).toBeLessThan(Date.parse(now) + 60_000);
  });

  it('is the one of the journal', async () => {
    const { call, ask: control } = await controlled({ clock: { mode: 'frozen', now } });
    await control('POST', '/clock/advance', { seconds: 60 });
    await call('get-all-instructors');
    expect((await control('GET', '/journal')).body).toMatchObject({
      entries: [{ at: '2026-02-11T09:31:00.000Z' }],
    });
  });

  it.each([
    ['PUT', '/clock', { mode: 'slow' }],
    ['PUT', '/clock', { mode: 'frozen', now: 'noon' }],
    ['PUT', '/clock', { mode: 'frozen', now: '2026-02-30T00:00:00Z' }],
    ['PUT', '/clock', { mode: 'frozen', now: '2016-12-31T23:59:60Z' }],
    ['PUT', '/clock', { now }],
    ['POST', '/clock/advance', {}],
    ['POST', '/clock/advance', { seconds: '60' }],
    ['POST', '/clock/advance', { seconds: 1e300 }],
    ['POST', '/clock/advance', { seconds: -1e300 }],
    ['POST', '/clock/advance', { seconds: 60, minutes: 1 }],
  ] as const)('stays where it is after %s %s %j', async (method, path, body) => {
    const { ask: control } = await controlled({ clock: { mode: 'frozen', now } });
    expect((await control(method, path, body)).status).toBe(400);
    expect((await control('GET', '/clock')).body).toEqual({ mode: 'frozen', now });
  });
});

describe('assumptions', () => {
  it('are told with their question, their options and what is chosen', async () => {
    const { ask: control } = await controlled({ assumptions: { unknownId: 'http-404' } });
    const { assumptions } = (await control('GET', '/assumptions')).body as {
      assumptions: { name: string }[];
    };
    const told = assumptions.find(({ name }) => name === 'unknownId');
    expect(told).toMatchObject({
      options: { 'element-error': expect.any(String) },
      default: 'element-error',
      chosen: 'http-404',
    });
  });

  it('take effect on the next call, and the others stay', async () => {
    const { call, ask: control } = await controlled({ assumptions: { missingKey: 'http-403' } });
    const unknown = { quizId: '000000000000000000000000' };
    expect((await call('get-quiz-details', unknown)).status).toBe(200);
    expect((await control('PATCH', '/assumptions', { unknownId: 'http-404' })).status).toBe(200);
    const after = await call('get-quiz-details', unknown);
    expect([after.status, after.headers['sandbox-assumed']]).toEqual([
      404,
      expect.stringContaining('unknownId=http-404'),
    ]);
    expect(await chosenOf(control, 'missingKey')).toBe('http-403');
  });

  it('that say which fields are known take effect on the next call', { tags: ['slow'] }, async () => {
    const { call, ask: control } = await controlled();
    const sent = { quizId: quiz.id, colour: 'red' };
    expect(resultOf(await call('get-quiz-details', sent))).toBeTypeOf('object');
    await control('PATCH', '/assumptions', { unknownFields: 'refuse' });
    expect(failureOf(await call('get-quiz-details', sent))).toContain('colour');
    await control('PATCH', '/assumptions', { unknownFields: 'ignore' });
    expect(resultOf(await call('get-quiz-details', sent))).toBeTypeOf('object');
  });

  it('that say which fields are required take effect on the next call', async () => {
    const { call, ask: control } = await controlled();
    expect(resultOf(await call('get-video-library'))).toBeTypeOf('object');
    await control('PATCH', '/assumptions', { requiredFields: 'all' });
    expect(failureOf(await call('get-video-library'))).toContain('is required');
    await control('PATCH', '/assumptions', { requiredFields: 'identifiers' });
    expect(resultOf(await call('get-video-library'))).toBeTypeOf('object');
  });

  it(
    'of a profile are chosen together, and all that it does not set get their default',
    { tags: ['slow'] },
    async () => {
      const { ask: control } = await controlled({
        assumptions: { failureMessages: 'generic', missingKey: 'output-error' },
      });
      const reply = await control('PUT', '/profile', { profile: 'strict' });
      expect(reply.status).toBe(200);
      const { assumptions, profiles } = reply.body as {
        assumptions: { name: string; chosen: string; default: string }[];
        profiles: Record<string, Record<string, string>>;
      };
      for (const { name, chosen, default: usual } of assumptions)
        expect([name, chosen]).toEqual([name, profiles['strict']?.[name] ?? usual]);
    },
  );

  it.each([
    ['PATCH', '/assumptions', { unknownId: 'http-404', missingKye: 'http-403' }, '/missingKye'],
    ['PATCH', '/assumptions', { unknownId: 'http-404', missingKey: null }, '/missingKey'],
    ['PUT', '/profile', { profile: 'stict' }, '/profile'],
    ['PUT', '/profile', {}, '/profile'],
  ] as const)('stay as they are after %s %s %j', async (method, path, body, pointer) => {
    const { ask: control } = await controlled();
    const before = (await control('GET', '/assumptions')).body as unknown;
    const refused = await control(method, path, body);
    expect([refused.status, violationsOf(refused).map(([place]) => place)]).toEqual([400, [pointer]]);
    expect((await control('GET', '/assumptions')).body).toEqual(before);
  });
});

describe('what is done to one sandbox', () => {
  it('is done to no other', { tags: ['slow'] }, async () => {
    const [one, other] = [await controlled(), await controlled()];
    await one.call('submit-user-course-item', {
      userId: learner.id,
      courseItemId: items.article,
      shouldMarkAsCompleted: true,
    });
    await one.ask('PATCH', '/assumptions', { unknownId: 'http-404' });
    await one.ask('PUT', '/limits', { scale: null });
    await one.ask('PUT', '/scenario', { name: 'slow-day' });
    await one.ask('PUT', '/clock', { mode: 'frozen', now: '2001-01-01T00:00:00.000Z' });
    await one.ask('PUT', '/snapshots/mine');
    expect((await other.ask('GET', '')).body).toMatchObject({
      scenario: null,
      clock: { mode: 'real' },
      exchanges: 0,
      changedRecords: 0,
    });
    expect((await other.ask('GET', '/limits')).body).toMatchObject({ scale: 1 });
    expect((await other.ask('GET', '/snapshots')).body).toEqual({ snapshots: [] });
    expect(await chosenOf(other.ask, 'unknownId')).toBe('element-error');
  });
});
