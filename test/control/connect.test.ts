import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ConflictError,
  connectSandbox,
  CapacityError,
  SandboxError,
  NotFoundError,
  startSandbox,
  ValidationError,
  type NewSandbox,
  type SandboxHandle,
  type SandboxServer,
  type StartOptions,
} from '../../src/index.ts';
import { startServer, type Running } from '../../src/server/server.ts';
import { errorOf } from '../support/error-of.ts';
import { coupon, items, products, quiz, schools } from '../support/demo.ts';
import { refusingPort, unassignedPort } from '../support/ports.ts';
import { aQuiz, fetchCall } from '../support/wire.ts';
import { sharedServer } from '../support/world.ts';

const connected = async (): Promise<SandboxServer> => connectSandbox({ url: (await sharedServer()).url });

const ways = [
  ['in its own process', sharedServer],
  ['through connectSandbox', connected],
] as const;

/** A server of the test's own, which is closed after it. */
async function ownServer(options: StartOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** The paths of all functions of a handle, such as `clock.now`. */
function functionsOf(handle: object, path = ''): readonly string[] {
  return Object.entries(handle).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') return [`${path}${name}`];
    return typeof member === 'object' && member !== null ? functionsOf(member, `${path}${name}.`) : [];
  });
}

/** The same handle, with a list of the functions that were called. */
function watched<T extends object>(handle: T, called: Set<string>, path = ''): T {
  return new Proxy(handle, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function') called.add(`${path}${String(name)}`);
      else if (typeof member === 'object' && member !== null)
        return watched(member, called, `${path}${String(name)}.`);
      return member;
    },
  });
}

const frozen = { clock: { mode: 'frozen', now: '2026-03-02T10:00:00.000Z' } } as const;

/** Does everything that can be done with a sandbox, and tells what came of it. */
async function doEverything(sandbox: SandboxHandle) {
  const said: Record<string, unknown> = {};

  await sandbox.clock.set({ mode: 'frozen', now: '2026-03-02T12:00:00.000Z' });
  await sandbox.clock.advance({ seconds: 90 });
  said['clock'] = await sandbox.clock.now();

  said['coupon'] = await sandbox.state.get('coupons', coupon.id);
  said['no coupon'] = await sandbox.state.get('coupons', 'nowhere/at all?');
  said['patched'] = await sandbox.state.patch('coupons', coupon.id, {
    description: 'größer',
    expireAtIsoString: null,
  });
  const whole = await sandbox.state.get('coupons', coupon.id);
  if (whole === null) throw new Error('The coupon is gone');
  said['put'] = await sandbox.state.put('coupons', { ...whole, id: 'a/b ?#%2F' });
  said['listed'] = (await sandbox.state.list('coupons')).map(({ id }) => id);
  await sandbox.state.remove('coupons', 'a/b ?#%2F');
  said['left'] = (await sandbox.state.list('coupons')).length;
  said['changes'] = (await sandbox.state.changes()).map(({ recordId }) => recordId);

  await sandbox.assumptions.choose({ unknownId: 'http-404' });
  await sandbox.snapshots.take('before');
  said['snapshots'] = await sandbox.snapshots.list();
  const exported = await sandbox.state.export();
  said['exported'] = exported;
  await sandbox.state.import({ collections: { schools: exported.collections['schools'] ?? [] } });
  said['imported'] = (await sandbox.state.export()).collections;
  await sandbox.assumptions.profile('strict');
  said['profile'] = (await sandbox.assumptions.list()).map(({ name, chosen }) => `${name}=${chosen}`);
  await sandbox.snapshots.restore('before');
  await sandbox.snapshots.remove('before');
  said['restored'] = [
    await sandbox.state.export(),
    await sandbox.assumptions.list(),
    await sandbox.snapshots.list(),
  ];

  said['rule'] = await sandbox.faults.add({
    id: 'mine',
    operation: 'get-quiz-details',
    fault: 'http-error',
    with: { status: 503 },
  });
  said['changed'] = await sandbox.faults.change('mine', { when: { first: 1 } });
  await sandbox.scenario.play('lost-replies');
  said['scenario'] = [await sandbox.scenario.current(), await sandbox.faults.list()];
  await sandbox.scenario.stop();
  await sandbox.faults.add({ id: 'other', fault: 'reset', when: { times: 0 } });
  await sandbox.faults.remove('other');
  said['no scenario'] = [await sandbox.scenario.current(), (await sandbox.faults.list()).map(({ id }) => id)];

  await sandbox.limits.set({ scale: 2, operations: { 'get-quiz-details': 3 } });
  said['statuses'] = [
    (await fetchCall(sandbox, aQuiz)).status,
    (await fetchCall(sandbox, aQuiz)).status,
    (await fetchCall(sandbox, { ...aQuiz, elements: [{ quizId: 'missing' }] })).status,
  ];
  said['limits'] = (await sandbox.limits.read()).operations['get-quiz-details'];
  await sandbox.limits.clearCounters();
  said['counters'] = (await sandbox.limits.read()).operations['get-quiz-details']?.counters;
  said['fired'] = await sandbox.faults.list();
  await sandbox.faults.clear();
  said['no rules'] = await sandbox.faults.list();

  const first = `${sandbox.id}-1`;
  said['journal'] = [
    (await sandbox.journal.list()).map(({ requestId, outcome }) => [requestId, outcome]),
    (await sandbox.journal.list({ outcome: 'ok', limit: 1 })).map(({ requestId }) => requestId),
    (await sandbox.journal.list({ since: first, school: 'riverside' })).map(({ requestId }) => requestId),
    (await sandbox.journal.list({ since: '2026-03-02T12:01:30+00:00' })).length,
  ];
  const { durationMs, receivedAt, connection, connectionOpenedAt, ...exchange } = (await sandbox.journal.get(
    first,
  )) ?? {
    durationMs: 0,
  };
  expect(durationMs).toBeGreaterThan(0);
  expect([receivedAt, connectionOpenedAt, connection]).toEqual([
    expect.stringMatching(/^20.+Z$/),
    expect.stringMatching(/^20.+Z$/),
    expect.stringMatching(/:\d+$/),
  ]);
  said['exchange'] = exchange;
  said['no exchange'] = await sandbox.journal.get('nothing/of that?name');
  said['verdict'] = await sandbox.journal.verify({
    counts: [{ operation: 'get-quiz-details', times: 7 }],
    waitMs: 1,
  });
  said['har'] = Object.keys(await sandbox.journal.har());
  await sandbox.scope('a test');
  await fetchCall(sandbox, aQuiz);
  said['scope'] = (await sandbox.journal.list({ scope: 'a test' })).length;
  await sandbox.scope(null);
  const report = await sandbox.report();
  expect(typeof report).toBe('object');
  said['report'] = Object.keys(report);
  await sandbox.journal.clear();
  said['cleared'] = await sandbox.journal.list();
  await sandbox.journal.restore();
  said['refilled'] = (await sandbox.journal.list()).length > 0;

  await sandbox.quotas.set({ journalEntries: 1500 });
  said['quota'] = (await sandbox.quotas.read()).journalEntries;
  await sandbox.state.patch('coupons', coupon.id, { description: 'again' });
  await sandbox.reset();
  said['reset'] = await sandbox.state.get('coupons', coupon.id);
  said['keys'] = [sandbox.apiKey('riverside'), sandbox.apiKey('hillcrest')];
  const { createdAt, ...description } = await sandbox.describe();
  expect(Date.parse(createdAt)).not.toBeNaN();
  said['description'] = description;
  said['token'] = [sandbox.token, await errorOf(sandbox.issueToken())];
  await sandbox.remove();
  return said;
}

/** The same with one id in the place of another. */
function renamed<T>(value: T, from: string, to: string): T {
  // Replacing a text within texts leaves the form as it is.
  return JSON.parse(JSON.stringify(value).replaceAll(from, to)) as T;
}

describe.each(ways)('a sandbox %s', (_, way) => {
  it('can do everything that its handle has', { tags: ['slow'] }, async () => {
    const server = await way();
    const sandbox = await server.createSandbox({ ...frozen, randomSeed: 7 });
    const called = new Set<string>();
    const said = await doEverything(watched(sandbox, called));
    expect([...called].toSorted()).toEqual(functionsOf(sandbox).toSorted());
    expect(said).toMatchObject({
      clock: '2026-03-02T12:01:30.000Z',
      changes: [coupon.id],
      coupon: { id: coupon.id, schoolId: schools.riverside },
      'no coupon': null,
      patched: { description: 'größer' },
      put: { id: 'a/b ?#%2F' },
      snapshots: [{ name: 'before', at: '2026-03-02T12:01:30.000Z' }],
      imported: { coupons: [], schools: expect.any(Array) },
      changed: { id: 'mine', when: { first: 1 } },
      'no scenario': [null, ['mine']],
      statuses: [503, 200, 404],
      limits: { requests: 6, counters: [{ used: 3 }] },
      quota: { own: 1500, max: 1500 },
      counters: [],
      token: [null, expect.any(ConflictError)],
      fired: [{ id: 'mine', fired: 1 }],
      'no rules': [],
      'no exchange': null,
      verdict: { holds: false, counts: [{ found: 3 }] },
      har: ['log'],
      scope: 1,
      cleared: [],
      keys: [`sbx_${sandbox.id}_riverside`, `sbx_${sandbox.id}_hillcrest`],
      description: { id: sandbox.id, randomSeed: 7, baseUrl: sandbox.baseUrl, changedRecords: 0 },
    });
    expect(said['patched']).not.toHaveProperty('expireAtIsoString');
    expect(said['listed']).toContain('a/b ?#%2F');
    expect(said['scenario']).toEqual([
      'lost-replies',
      expect.arrayContaining([expect.objectContaining({ id: 'mine', scenario: null })]),
    ]);
    expect(said['refilled']).toBe(true);
    expect(said['restored']).toEqual([said['exported'], expect.any(Array), []]);
    // Its expiry is counted from the last full quarter of an hour before the reset.
    expect(said['reset']).toEqual({
      ...Object(said['coupon']),
      expireAtIsoString: '2026-05-01T17:00:00.000Z',
    });
    expect(await server.sandbox(sandbox.id)).toBeNull();
  });

  it('is made as it was asked for', async () => {
    const server = await way();
    const id = `made-${Math.floor(performance.now() * 1000)}`;
    const request: NewSandbox = {
      ...frozen,
      id,
      seed: 'empty',
      randomSeed: 11,
      profile: 'strict',
      assumptions: { unknownId: 'http-404' },
      scenario: 'slow-day',
      ttlSeconds: 60,
    };
    const sandbox = await server.createSandbox(request);
    expect(sandbox.id).toBe(id);
    expect(await sandbox.describe()).toMatchObject({
      id,
      seed: 'empty',
      randomSeed: 11,
      scenario: 'slow-day',
      ttlSeconds: 60,
      clock: { mode: 'frozen', now: '2026-03-02T10:00:00.000Z' },
    });
    const chosen = (await sandbox.assumptions.list()).find(({ name }) => name === 'unknownId')?.chosen;
    expect(chosen).toBe('http-404');
    expect(await sandbox.state.list('quizzes')).toEqual([]);
    expect((await (await server.createSandbox()).describe()).seed).toBe('demo');
  });

  it('is found by its id, and null where there is none', async () => {
    const server = await way();
    const sandbox = await server.createSandbox();
    const found = await server.sandbox(sandbox.id);
    expect([found?.id, found?.baseUrl, found?.apiKey('riverside')]).toEqual([
      sandbox.id,
      sandbox.baseUrl,
      sandbox.apiKey('riverside'),
    ]);
    await found?.state.patch('coupons', coupon.id, { description: 'by another handle' });
    expect(await sandbox.state.get('coupons', coupon.id)).toMatchObject({ description: 'by another handle' });
    for (const id of ['nowhere-at-all', '', '.', '..', 'Größe', 'a/b', `${sandbox.id}/state`])
      expect(await server.sandbox(id), id).toBeNull();
  });

  it('is the default one where that is asked for', async () => {
    const server = await way();
    expect(server.default.id).toBe('default');
    expect(server.default.baseUrl).toBe(server.url);
    expect(server.default.apiKey('hillcrest')).toBe('sbx_default_hillcrest');
    expect((await server.default.describe()).id).toBe('default');
    expect((await server.sandbox('default'))?.id).toBe('default');
  });

  it('has keys that open it, and no others', async () => {
    const server = await way();
    const sandbox = await server.createSandbox();
    expect((await fetchCall(sandbox, aQuiz)).status).toBe(200);
    expect(() => sandbox.apiKey('nowhere')).toThrow(
      new SandboxError(
        `The sandbox "${sandbox.id}" has no school "nowhere". Its schools: riverside, hillcrest, marevista.`,
      ),
    );
    expect(() => sandbox.apiKey('nowhere')).toThrow(SandboxError);
  });

  it('does not answer for an exchange with the name of another path of the journal', async () => {
    const sandbox = await (await way()).createSandbox();
    for (const id of ['stream', 'verify', '.', '..']) expect(await sandbox.journal.get(id), id).toBeNull();
  });

  it('does not see what a caller does to an object afterwards', async () => {
    const sandbox = await (await way()).createSandbox();
    const whole = await sandbox.state.get('coupons', coupon.id);
    if (whole === null) throw new Error('The coupon is gone');
    const mine = { ...whole, description: 'mine' };
    await sandbox.state.put('coupons', mine);
    mine.description = 'changed later';
    expect(await sandbox.state.get('coupons', coupon.id)).toMatchObject({ description: 'mine' });
    const [assumption] = await sandbox.assumptions.list();
    if (assumption === undefined) throw new Error('There are no assumptions');
    try {
      // A frozen object refuses this, a copy takes it; either is fine.
      Object.assign(assumption.options, { invented: 'by a caller' });
    } catch {}
    onTestFinished(() => void Reflect.deleteProperty(assumption.options, 'invented'));
    expect((await sandbox.assumptions.list())[0]?.options).not.toHaveProperty('invented');
  });
});

it('comes to the same, whichever way it is done', { tags: ['slow'] }, async () => {
  const [here, there] = await Promise.all(
    ways.map(async ([, way]) => {
      const sandbox = await (await way()).createSandbox({ ...frozen, randomSeed: 7 });
      return { id: sandbox.id, functions: functionsOf(sandbox), said: await doEverything(sandbox) };
    }),
  );
  if (here === undefined || there === undefined) throw new Error('There are two ways');
  expect(there.functions).toEqual(here.functions);
  const unlike = new Set(['accept', 'content-length']);
  const plain = (one: typeof here): unknown =>
    JSON.parse(JSON.stringify(renamed(one.said, one.id, 'the-sandbox')), (name, value: unknown) =>
      unlike.has(name) ? undefined : value,
    );
  expect(plain(there)).toEqual(plain(here));
});

/** Something that cannot be done, and the class that it rejects with. */
type Mistake = readonly [
  what: string,
  make: (sandbox: SandboxHandle, server: SandboxServer) => Promise<unknown>,
  wanted: typeof SandboxError | typeof ValidationError,
];

// What TypeScript would not let through is what programs in JavaScript send: hence the casts.
const mistakes: readonly Mistake[] = [
  ['a collection that is not there', ({ state }) => state.list('cupons' as never), NotFoundError],
  [
    'a record to be changed that is not there',
    ({ state }) => state.patch('coupons', 'nowhere', {}),
    NotFoundError,
  ],
  [
    'a record to be removed that is not there',
    ({ state }) => state.remove('coupons', 'nowhere'),
    NotFoundError,
  ],
  ['a snapshot that is not there', ({ snapshots }) => snapshots.restore('nowhere'), NotFoundError],
  [
    'a snapshot to be removed that is not there',
    ({ snapshots }) => snapshots.remove('nowhere'),
    NotFoundError,
  ],
  ['a rule to be changed that is not there', ({ faults }) => faults.change('nowhere', {}), NotFoundError],
  ['a rule to be removed that is not there', ({ faults }) => faults.remove('nowhere'), NotFoundError],
  [
    'a record that another one names',
    ({ state }) => state.remove('products', products.python),
    ConflictError,
  ],
  [
    'a rule whose id is taken',
    ({ faults }) => twice(() => faults.add({ id: 'mine', fault: 'reset' })),
    ConflictError,
  ],
  ['a sandbox whose id is taken', ({ id }, { createSandbox }) => createSandbox({ id }), ConflictError],
  [
    'a rule with all that is wrong',
    ({ faults }) => faults.add({ fault: 'http-eror', operation: 'get-quiz', when: { every: 0 } } as never),
    ValidationError,
  ],
  [
    'a patch of a rule',
    ({ faults }) =>
      twice(
        () => faults.add({ id: 'm', fault: 'reset' }),
        () => faults.change('m', { fault: 1 }),
      ),
    ValidationError,
  ],
  ['a record', ({ state }) => state.put('coupons', { id: 'one', percent: 1 } as never), ValidationError],
  [
    'a reference',
    ({ state }) => state.patch('courseItems', items.article, { schoolId: 'nowhere' }),
    ValidationError,
  ],
  [
    'a state',
    ({ state }) => state.import({ collections: { coupons: [{ id: 1 }], cupons: [] } }),
    ValidationError,
  ],
  [
    'an option and an assumption',
    ({ assumptions }) => assumptions.choose({ unknownId: 'http-405', unknownIds: 'x' } as never),
    ValidationError,
  ],
  ['a profile', ({ assumptions }) => assumptions.profile('strickt' as never), ValidationError],
  ['a mode of the clock', ({ clock }) => clock.set({ mode: 'slow' as never }), ValidationError],
  ['a moment', ({ clock }) => clock.set({ mode: 'frozen', now: 'noon' }), ValidationError],
  [
    'a limit',
    ({ limits }) => limits.set({ scale: -1, operations: { 'get-quiz-details': 0 } }),
    ValidationError,
  ],
  ['a limit of no operation', ({ limits }) => limits.set({ operations: { 'get-quiz': 1 } }), ValidationError],
  ['a filter', ({ journal }) => journal.list({ limit: 0 }), ValidationError],
  [
    'an expectation',
    ({ journal }) => journal.verify({ counts: [{ operation: 'get-quiz' }] }),
    ValidationError,
  ],
  [
    'a member of a new sandbox',
    (_, { createSandbox }) => createSandbox({ id: 'A b', sead: 'demo' } as never),
    ValidationError,
  ],
  [
    'an option of a new sandbox',
    (_, { createSandbox }) => createSandbox({ assumptions: { unknownId: 'x' } as never }),
    ValidationError,
  ],
  ['a time beyond all calendars', ({ clock }) => clock.advance({ seconds: 1e15 }), SandboxError],
  ['a name of a snapshot', ({ snapshots }) => snapshots.take('Before Lunch'), ValidationError],
  ['a sandbox that is gone', (sandbox) => twice(sandbox.remove, sandbox.describe), NotFoundError],
];

async function twice(first: () => Promise<unknown>, second = first): Promise<unknown> {
  await first();
  return second();
}

/** What a promise rejects with. */
async function troubleOf(done: Promise<unknown>): Promise<unknown> {
  return done.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('what cannot be done rejects the same, whichever way it is asked for:', () => {
  it.each(mistakes)('%s', async (_, make, wanted) => {
    const troubles = await Promise.all(
      ways.map(async ([, way]) => {
        const server = await way();
        const sandbox = await server.createSandbox(frozen);
        const error = await troubleOf(make(sandbox, server));
        if (!(error instanceof SandboxError)) throw new Error(`Expected SandboxError, got ${String(error)}`);
        const violations = error instanceof ValidationError ? error.violations : null;
        const told = renamed({ message: error.message, violations }, sandbox.id, 'the-sandbox');
        return { class: error.constructor.name, ...told };
      }),
    );
    const [here, there] = troubles;
    expect(there).toEqual(here);
    expect(here?.class).toBe(wanted.name);
    if (wanted === ValidationError) expect(here?.violations?.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'a seed that is not there',
      (_: SandboxHandle, { createSandbox }: SandboxServer) => createSandbox({ seed: 'demmo' }),
    ],
    ['a scenario that is not there', ({ scenario }: SandboxHandle) => scenario.play('slow-days')],
  ])('%s, but for files, which only this process may name', async (_, make) => {
    const [here, there] = await Promise.all(
      ways.map(async ([, way]) => {
        const server = await way();
        return troubleOf(make(await server.createSandbox(), server));
      }),
    );
    for (const error of [here, there]) expect(error).toBeInstanceOf(SandboxError);
    expect(String(there)).toMatch(/Did you mean "(demo|slow-day)"\?/);
    expect(String(there)).not.toMatch(/folder|file|path/);
    expect(String(here).startsWith(String(there).slice(0, -1))).toBe(true);
  });

  it.each([
    ['a scenario', (path: string, { scenario }: SandboxHandle) => scenario.play(path)],
    [
      'a seed',
      (path: string, _: SandboxHandle, { createSandbox }: SandboxServer) => createSandbox({ seed: path }),
    ],
  ])('%s that is a file of the server is not to be had from elsewhere', async (_, make) => {
    const server = await connected();
    for (const path of [
      './fixtures/demo',
      'fixtures/scenarios/slow-day.yaml',
      '/etc/passwd',
      '../fixtures/empty',
    ]) {
      const error = await troubleOf(make(path, await server.createSandbox(), server));
      expect(error, path).toBeInstanceOf(SandboxError);
      expect(String(error)).not.toContain('root:');
    }
  });

  it('a sandbox too many', async () => {
    const here = await ownServer({ maxSandboxes: 2 });
    const there = await connectSandbox({ url: here.url });
    await here.createSandbox();
    const errors = [await troubleOf(here.createSandbox()), await troubleOf(there.createSandbox())];
    for (const error of errors) expect(error).toBeInstanceOf(CapacityError);
    expect(errors.map(String)).toEqual([String(errors[0]), String(errors[0])]);
    expect(String(errors[0])).toContain('There are 2 sandboxes');
  });
});

/** Some HTTP server, which is gone after the test. */
async function somethingElse(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('connectSandbox', () => {
  it.each(['', '/', '//'])('takes a URL that ends in "%s"', async (ending) => {
    const { url } = await sharedServer();
    const server = await connectSandbox({ url: `${url}${ending}` });
    expect(server.url).toBe(url);
    expect((await server.createSandbox()).baseUrl).toBe(url);
  });

  it('opens a control plane with its token, and with no other', async () => {
    const { url } = await ownServer({ controlToken: 'open-sesame' });
    const server = await connectSandbox({ url, token: 'open-sesame' });
    const sandbox = await server.createSandbox();
    expect((await fetchCall(sandbox, aQuiz)).status).toBe(200);
    expect(await sandbox.journal.list()).toHaveLength(1);
    for (const [options, said] of [
      [{ url, token: 'open-barley' }, 'The token in the request is wrong.'],
      [{ url, token: '' }, 'The request has no token.'],
      [{ url }, 'The request has no token.'],
    ] as const) {
      const error = await troubleOf(connectSandbox(options));
      expect(error).toBeInstanceOf(SandboxError);
      expect(String(error)).toContain('Authorization: Bearer');
      expect(String(error)).toContain(said);
      expect(String(error)).not.toContain('barley');
    }
  });

  it('says where nothing is listening', async () => {
    for (const url of [
      `http://127.0.0.1:${await refusingPort()}`,
      'http://nowhere.invalid',
      '127.0.0.1:4010',
      'not a url',
    ]) {
      const error = await troubleOf(connectSandbox({ url }));
      expect(error, url).toBeInstanceOf(SandboxError);
      expect(String(error)).toContain(`The control plane at ${url} is not reachable: `);
    }
  });

  it('says where a server has gone away since', async () => {
    const here = await startSandbox({ port: await unassignedPort() });
    const there = await connectSandbox({ url: here.url });
    await here.close();
    const error = await troubleOf(there.default.clock.now());
    expect(error).toBeInstanceOf(SandboxError);
    expect(String(error)).toContain('is not reachable');
  });

  it.each([
    ['a page', 200, 'text/html', '<!doctype html><title>Hello</title>'],
    ['a page that is not found', 404, 'text/html', '<h1>Not found</h1>'],
    ['a page of a gateway', 502, 'text/html', '<h1>Bad gateway</h1>'],
    ['a page of a server that is busy', 503, 'text/html', '<h1>Busy</h1>'],
    ['nothing', 200, 'text/plain', ''],
    ['other JSON', 200, 'application/json', '{"ok":true}'],
    ['JSON that is no object', 200, 'application/json', 'null'],
    ['another server’s JSON that is not found', 404, 'application/json', '{"error":"not found"}'],
  ])('says where something else is listening that answers with %s', async (_, status, type, body) => {
    const url = await somethingElse((_, response) =>
      response.writeHead(status, { 'Content-Type': type }).end(body),
    );
    const error = await troubleOf(connectSandbox({ url }));
    expect(error).toBeInstanceOf(SandboxError);
    expect(String(error)).toContain(url);
    expect(String(error)).toContain('does not seem to be a sandbox');
  });

  it('says where something else hangs up in the middle of its answer', async () => {
    const url = await somethingElse((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"id":', () => response.destroy());
    });
    expect(await troubleOf(connectSandbox({ url }))).toBeInstanceOf(SandboxError);
  });

  it('says where the control plane is switched off', async () => {
    const { url } = await ownServer({ controlPort: 'off' });
    const error = await troubleOf(connectSandbox({ url }));
    expect(error).toBeInstanceOf(SandboxError);
    expect(String(error)).toMatch(/control plane|\/control/);
  });

  it('to a control plane with a port of its own points clients at the operations', async () => {
    const running: Running = await startServer(
      { port: 0, controlPort: 0 },
      { out: () => {}, err: () => {}, owner: 'a test' },
    );
    onTestFinished(() => running.stop());
    const url = `http://127.0.0.1:${running.listening.controlPort}`;
    expect(url).not.toBe(running.url);
    const server = await connectSandbox({ url });
    expect(server.url).toBe(url);
    expect(server.default.baseUrl).toBe(running.url);
    const sandbox = await server.createSandbox();
    expect(sandbox.baseUrl).toBe(running.url);
    expect((await fetchCall(sandbox, aQuiz)).status).toBe(200);
    expect((await sandbox.journal.get(`${sandbox.id}-1`))?.curl).toContain(
      `${running.url}/public/get-quiz-details`,
    );
    expect(await troubleOf(connectSandbox({ url: running.url }))).toBeInstanceOf(SandboxError);
  });

  it('lets go of a server without stopping it', async () => {
    const here = await ownServer();
    {
      await using there = await connectSandbox({ url: here.url });
      expect(there.default.id).toBe('default');
    }
    const again = await connectSandbox({ url: here.url });
    await again.close();
    expect((await fetchCall(here.default, aQuiz)).status).toBe(200);
    expect(await here.default.journal.list({ operation: aQuiz.operation })).toHaveLength(1);
  });

  it('knows the keys of sandboxes that calls have opened', async () => {
    const here = await ownServer();
    const opened = await fetch(`${here.url}/public/get-quiz-details`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': 'sbx_build-481_hillcrest', 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: [{ data: { quizId: quiz.id } }] }),
    });
    expect(opened.status).toBe(200);
    const there = await connectSandbox({ url: here.url });
    const sandbox = await there.sandbox('build-481');
    expect(sandbox?.apiKey('hillcrest')).toBe('sbx_build-481_hillcrest');
    expect(await sandbox?.journal.list()).toHaveLength(1);
  });
});

/**
 * Every function of a handle by its path, but for `apiKey`, which only puts names together, and those that
 * end the handle.
 */
function requestsOf(handle: object): readonly (readonly [string, () => Promise<unknown>])[] {
  return functionsOf(handle)
    .filter((path) => !/(^|\.)(apiKey|close)$/.test(path))
    .map((path) => [
      path,
      async () => {
        const request: unknown = path
          .split('.')
          .reduce<unknown>((member, name) => Reflect.get(Object(member), name), handle);
        if (typeof request !== 'function') throw new Error(`${path} is no function`);
        // An id of an exchange, and something with an id: each function finds what it takes.
        await Reflect.apply(request, null, ['default-1', { id: 'x' }]);
      },
    ]);
}

describe('a handle that was closed', () => {
  it('of a server in this process rejects every request, from the moment of closing', async () => {
    const server = await startSandbox({ port: 0 });
    const sandbox = await server.createSandbox();
    const closing = server.close();
    const requests = [...requestsOf(server), ...requestsOf(sandbox)];
    expect(requests.length).toBeGreaterThan(60);
    for (const moment of ['while it closes', 'when it is closed']) {
      for (const [path, request] of requests) {
        const error = await troubleOf(request());
        expect(error, `${path} ${moment}`).toBeInstanceOf(SandboxError);
        expect(String(error), path).toBe('SandboxError: The server is closed.');
      }
      await closing;
    }
    await server.close();
    await server[Symbol.asyncDispose]();
  });

  it('of a server elsewhere rejects every request, while the server goes on', async () => {
    const here = await ownServer();
    const there = await connectSandbox({ url: here.url });
    const sandbox = await there.createSandbox();
    await there.close();
    for (const [path, request] of [...requestsOf(there), ...requestsOf(sandbox)]) {
      const error = await troubleOf(request());
      expect(error, path).toBeInstanceOf(SandboxError);
      expect(String(error), path).toContain(`This connection to ${here.url} is closed.`);
    }
    expect((await here.sandbox(sandbox.id))?.id).toBe(sandbox.id);
  });
});

it('`await using` stops a server of this process', async () => {
  let url = '';
  {
    await using server = await startSandbox({ port: 0 });
    url = server.url;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  }
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
