import { request } from 'node:http';
import type { Test } from 'supertest';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/commands/settings.ts';
import { controlRoutes } from '../../src/control/routes.ts';
import { connectSandbox, SandboxError, startSandbox, type SandboxServer } from '../../src/index.ts';
import { startServer, type Running, type Settings } from '../../src/server/server.ts';
import {
  controlMethods,
  controlOperations,
  expectDocumented,
  type ControlMethod,
} from '../support/control.ts';
import { startHere } from '../support/invocation.ts';
import { unassignedPort } from '../support/ports.ts';
import { supertest } from '../support/supertest.ts';

const token = 'open-sesame-7';

const withoutIds = (path: string): string => path.replaceAll(/\{\w+\}/g, 'nobodys');

/**
 * Every route of the table and of the contract, with ids that do not exist. A client with access gets a 404
 * or an explanation, and changes nothing. A client without access must not learn what exists.
 */
const routes = [
  ...new Map(
    [...controlRoutes, ...controlOperations].map(({ method, path }) => [
      `${method} ${path}`,
      [method, withoutIds(path)] as const,
    ]),
  ).values(),
  ['GET', '/control'] as const,
  ['POST', '/control/no-such-thing'] as const,
];

/**
 * A guard decides before it is known which route is asked for, so its rules are tried at one that reads and
 * one that changes.
 */
const doors = [
  ['GET', '/control/sandboxes'],
  ['POST', '/control/sandboxes'],
] as const;

const letThrough: ReadonlySet<number> = new Set([200, 400, 404]);

/** A request of a route. A changing one carries a body that fits nothing. */
function ask(
  url: string,
  [method, path]: readonly [ControlMethod, string],
  headers: Readonly<Record<string, string>> = {},
): Test {
  // The names of HTTP's methods are ASCII.
  const asked = supertest(url)[method.toLowerCase() as Lowercase<ControlMethod>](path).set(headers);
  return method === 'GET' || method === 'DELETE'
    ? asked
    : asked.set('Content-Type', 'application/json').send('[]');
}

/** Expects that every one of the routes answers with a status, as a documented problem. */
async function expectAll(
  url: string,
  wanted: readonly (readonly [ControlMethod, string])[],
  headers: Readonly<Record<string, string>>,
  status: number,
): Promise<void> {
  for (const route of wanted) {
    const reply = await ask(url, route, headers);
    expect([...route, reply.status]).toEqual([...route, status]);
    expectDocumented(...route, reply);
    const challenge = reply.headers['www-authenticate'];
    expect([...route, challenge]).toEqual([
      ...route,
      status === 401 ? expect.stringMatching(/^Bearer\b/) : undefined,
    ]);
  }
}

async function expectLetThrough(
  url: string,
  wanted: readonly (readonly [ControlMethod, string])[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const route of wanted) {
    const reply = await ask(url, route, headers);
    expect([...route, letThrough.has(reply.status), reply.status]).toEqual([...route, true, reply.status]);
  }
}

/** A server with all that the program knows of it. */
async function started(settings: Settings): Promise<Running> {
  const running = await startServer(
    { port: 0, ...settings },
    { out: () => {}, err: () => {}, owner: 'a test' },
  );
  onTestFinished(() => running.stop());
  return running;
}

const bearer = (given: string): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${given}` });

describe('every route', () => {
  it('is walked here', () => {
    expect(new Set(routes.map(([method]) => method))).toEqual(new Set(controlMethods));
    expect(routes.length).toBeGreaterThan(controlRoutes.length);
  });

  it('is behind the guard, whatever it is', { tags: ['slow'] }, async () => {
    const { url } = await started({ controlToken: token });
    await expectAll(url, routes, {}, 401);
    await expectAll(url, routes, { Origin: 'https://evil.example', ...bearer(token) }, 403);
    await expectLetThrough(url, routes, bearer(token));
  });

  it('is behind the same guard at a port of its own', { tags: ['slow'] }, async () => {
    const { listening } = await started({ controlPort: 0, controlToken: token });
    const control = `http://127.0.0.1:${listening.controlPort}`;
    await expectAll(control, routes, {}, 401);
    await expectAll(control, doors, { Origin: 'https://evil.example', ...bearer(token) }, 403);
    await expectAll(control, doors, { Host: 'evil.example', ...bearer(token) }, 403);
    await expectLetThrough(control, doors, bearer(token));
  });
});

describe('a control plane with a token', () => {
  let server: SandboxServer;
  beforeAll(async () => {
    server = await startSandbox({ port: 0, controlToken: token });
  });
  afterAll(() => server.close());

  it('refuses who has none', async () => {
    await expectAll(server.url, doors, {}, 401);
  });

  it.each([
    ['another one', bearer('open-sesame-8')],
    ['the beginning of it', bearer('open-sesame-')],
    ['more than it', bearer(`${token}7`)],
    ['it in capitals', bearer(token.toUpperCase())],
    ['none', bearer('')],
    ['it with another scheme', { Authorization: `Basic ${token}` }],
    ['it without a scheme', { Authorization: token }],
    ['it and another one', bearer(`${token} open-sesame-8`)],
    ['it in another header', { 'X-Control-Token': token }],
  ])('refuses who has %s', async (_, headers) => {
    await expectAll(server.url, doors, headers, 401);
  });

  it('refuses who has it in the query', async () => {
    const asked = doors.map(
      ([method, path]) => [method, `${path}?token=${token}&access_token=${token}`] as const,
    );
    await expectAll(server.url, asked, {}, 401);
  });

  it('lets through who has it', async () => {
    await expectLetThrough(server.url, doors, bearer(token));
    await expectLetThrough(server.url, doors, { Authorization: `bearer  ${token}` });
  });

  it('does not tell it, nor how much of it was right', async () => {
    const wrong = await ask(server.url, ['GET', '/control/sandboxes'], bearer('open-sesame-8'));
    const far = await ask(server.url, ['GET', '/control/sandboxes'], bearer('x'));
    expect(wrong.text).not.toContain(token);
    expect(wrong.text).toBe(far.text);
  });

  it('leaves the operations and the health to everybody', async () => {
    const call = await supertest(server.url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send({ data: [{ data: {} }] });
    expect([call.status, (await supertest(server.url).get('/healthz')).status]).toEqual([200, 200]);
  });

  it('is reached by connectSandbox with it, and not without', async () => {
    const { url } = server;
    const connected = await connectSandbox({ url, token });
    expect((await connected.default.describe()).id).toBe('default');
    await expect(connectSandbox({ url })).rejects.toThrow('Authorization: Bearer <control token>');
    await expect(connectSandbox({ url, token: 'open-sesame-8' })).rejects.toThrow(
      'Authorization: Bearer <control token>',
    );
  });
});

describe('a web page', () => {
  let open: SandboxServer;
  let closed: SandboxServer;
  beforeAll(async () => {
    [open, closed] = await Promise.all([
      startSandbox({ port: 0 }),
      startSandbox({ port: 0, controlToken: token }),
    ]);
  });
  afterAll(() => Promise.all([open.close(), closed.close()]));

  const foreign = [
    'https://evil.example',
    'http://evil.example',
    'null',
    // The same machine, but another program's port.
    'http://127.0.0.1:1',
    'http://localhost',
    'http://127.0.0.1.evil.example',
    'file://',
    '',
  ];

  it.each(foreign)('of a foreign origin is refused, with and without a token: %j', async (origin) => {
    await expectAll(open.url, doors, { Origin: origin }, 403);
    await expectAll(closed.url, doors, { Origin: origin }, 403);
    await expectAll(closed.url, doors, { Origin: origin, ...bearer(token) }, 403);
  });

  it('of an origin that begins with the own one is refused', async () => {
    await expectAll(open.url, doors, { Origin: `${open.url}0` }, 403);
    await expectAll(open.url, doors, { Origin: `${open.url}.evil.example` }, 403);
  });

  it('of a foreign origin is not let through by a preflight', async () => {
    const preflight = await supertest(open.url)
      .options('/control/sandboxes')
      .set({ Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(403);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('of the own origin is let through', async () => {
    await expectLetThrough(open.url, doors, { Origin: open.url });
    await expectLetThrough(open.url, doors, { Origin: open.url, 'Sec-Fetch-Site': 'same-origin' });
    await expectLetThrough(closed.url, doors, { Origin: closed.url, ...bearer(token) });
    await expectAll(closed.url, doors, { Origin: closed.url }, 401);
  });

  it.each(['cross-site', 'same-site'])('whose browser says that it is %s is refused', async (site) => {
    await expectAll(open.url, doors, { 'Sec-Fetch-Site': site }, 403);
    await expectAll(closed.url, doors, { 'Sec-Fetch-Site': site, ...bearer(token) }, 403);
  });

  it.each(['same-origin', 'none'])('whose browser says that it is %s is let through', async (site) => {
    await expectLetThrough(open.url, doors, { 'Sec-Fetch-Site': site });
  });

  it('changes nothing with what a form can send', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const sent = await supertest(open.url).post('/control/sandboxes').set('Content-Type', type).send('{}');
      expect([type, sent.status]).toEqual([type, 415]);
    }
    expect((await supertest(open.url).get('/control/sandboxes')).body).toMatchObject({
      sandboxes: [{ id: 'default' }],
    });
  });

  it('of the public URL is let through', async () => {
    const { listening } = await started({
      publicUrl: 'https://sandbox.school.example/',
      controlToken: token,
    });
    const url = `http://127.0.0.1:${listening.port}`;
    await expectLetThrough(url, doors, { Origin: 'https://sandbox.school.example', ...bearer(token) });
    await expectAll(url, doors, { Origin: 'http://sandbox.school.example', ...bearer(token) }, 403);
    await expectAll(
      url,
      doors,
      { Origin: 'https://sandbox.school.example.evil.example', ...bearer(token) },
      403,
    );
  });
});

describe('a name that somebody has pointed at a loopback address', () => {
  let server: SandboxServer;
  let port: string;
  beforeAll(async () => {
    server = await startSandbox({ port: 0 });
    ({ port } = new URL(server.url));
  });
  afterAll(() => server.close());

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    'mylocalhost',
    '[::2]',
    '0.0.0.0',
  ])('is refused as Host: %s', async (host) => {
    await expectAll(server.url, doors, { Host: host }, 403);
    await expectAll(server.url, doors, { Host: `${host}:${port}`, Origin: `http://${host}:${port}` }, 403);
  });

  it('is refused with a token, too', async () => {
    const { url } = await started({ controlToken: token });
    await expectAll(url, doors, { Host: 'evil.example', ...bearer(token) }, 403);
  });

  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.8.8', '[::1]', 'sandbox.localhost'])(
    'is not %s, with and without a port',
    async (host) => {
      await expectLetThrough(server.url, doors, { Host: host });
      await expectLetThrough(server.url, doors, { Host: `${host}:${port}` });
    },
  );
});

describe('a server that can be reached from elsewhere', () => {
  it('makes up a token where none is given, and refuses who has none', async () => {
    const { url, madeUpToken } = await started({ host: '0.0.0.0' });
    expect(madeUpToken).toMatch(/^[\w.~+/=-]{20,200}$/);
    await expectAll(url, doors, {}, 401);
    await expectAll(url, doors, { Host: 'sandbox.school.example' }, 401);
    await expectAll(url, doors, bearer(`${madeUpToken?.slice(0, -1)}`), 401);
    await expectLetThrough(url, doors, bearer(madeUpToken ?? ''));
    await expectLetThrough(url, doors, { Host: 'sandbox.school.example', ...bearer(madeUpToken ?? '') });
    await expectAll(url, doors, { Origin: 'https://evil.example', ...bearer(madeUpToken ?? '') }, 403);
  });

  it('makes up another one each time', async () => {
    const [one, other] = [await started({ host: '0.0.0.0' }), await started({ host: '0.0.0.0' })];
    expect(one.madeUpToken).not.toBe(other.madeUpToken);
    await expectAll(one.url, doors, bearer(other.madeUpToken ?? ''), 401);
  });

  it('takes the token that is given, and makes up none', async () => {
    const { url, madeUpToken } = await started({ host: '0.0.0.0', controlToken: token });
    expect(madeUpToken).toBeNull();
    await expectAll(url, doors, {}, 401);
    await expectLetThrough(url, doors, bearer(token));
  });

  it.each(['127.0.0.1', 'localhost', '127.0.0.2'])(
    'is none that listens on %s: no token is made up',
    async (host) => {
      const { url, madeUpToken } = await started({ host });
      expect(madeUpToken).toBeNull();
      await expectLetThrough(url, [['GET', '/control/sandboxes']], {});
    },
  );

  it.each([
    'https://sandbox.school.example',
    'https://sandbox.school.example:8443/sandbox/',
    'http://10.0.0.7:4010',
    'no URL',
  ])(
    'is one that listens on 127.0.0.1 with the public URL %s: it requires a token, and no loopback Host',
    async (publicUrl) => {
      const { listening, madeUpToken } = await started({ publicUrl });
      const url = `http://127.0.0.1:${listening.port}`;
      expect(madeUpToken).toMatch(/^[\w.~+/=-]{20,200}$/);
      const listing = [['GET', '/control/sandboxes'] as const];
      await expectAll(url, listing, {}, 401);
      await expectAll(url, listing, { Host: 'sandbox.school.example' }, 401);
      await expectLetThrough(url, listing, { Host: 'sandbox.school.example', ...bearer(madeUpToken ?? '') });
    },
  );

  it.each(['http://localhost:4010', 'http://127.0.0.1', 'http://[::1]:4010/', 'https://sandbox.localhost'])(
    'is none that listens on 127.0.0.1 with the public URL %s: it requires no token, but a loopback Host',
    async (publicUrl) => {
      const { listening, madeUpToken } = await started({ publicUrl });
      const url = `http://127.0.0.1:${listening.port}`;
      expect(madeUpToken).toBeNull();
      await expectLetThrough(url, [['GET', '/control/sandboxes']], {});
      await expectAll(url, [['GET', '/control/sandboxes']], { Host: 'sandbox.school.example' }, 403);
    },
  );

  it('prints the token once, in its banner, and asks for it', async () => {
    const { url, banner, stop } = await startHere(['--host', '0.0.0.0', '--port', '0', '--log', 'json']);
    const [, printed = ''] = /^ *Control token +(\S+)$/m.exec(banner) ?? [];
    expect(printed).toMatch(/^[\w.~+/=-]{20,200}$/);
    await expectAll(url, doors, {}, 401);
    await expectLetThrough(url, doors, bearer(printed));
    await supertest(url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send({ data: [{ data: {} }] });
    const { out, err } = await stop();
    expect(out).toContain('"operation":"get-all-instructors"');
    expect(`${out}${err}`.split(printed)).toHaveLength(2);
  });

  it('does not print a token that was given', async () => {
    const env = { SANDBOX_CONTROL_TOKEN: token };
    const { url, banner } = await startHere(['--host', '0.0.0.0', '--port', '0'], { env });
    expect(banner).not.toContain(token);
    expect(banner).not.toContain('Control token');
    await expectAll(url, [['GET', '/control/sandboxes']], {}, 401);
    await expectLetThrough(url, [['GET', '/control/sandboxes']], bearer(token));
  });
});

describe('--control-port', () => {
  it('serves the control plane there, and nowhere else', { tags: ['slow'] }, async () => {
    const { url, listening } = await started({ controlPort: 0 });
    expect(listening.controlPort).not.toBe(listening.port);
    const control = `http://127.0.0.1:${listening.controlPort}`;
    await expectLetThrough(control, doors, {});
    await expectAllGone(url);
    expect((await supertest(control).get('/control/sandboxes/default')).body).toMatchObject({
      id: 'default',
      baseUrl: url,
    });
    // The operations are not there.
    expect((await supertest(control).post('/public/get-all-instructors').send({ data: [] })).status).toBe(
      404,
    );
    const connected = await connectSandbox({ url: control });
    expect(connected.default.baseUrl).toBe(url);
  });

  it('makes up a token where the server can be reached from elsewhere', async () => {
    const { listening, madeUpToken } = await started({ host: '0.0.0.0', controlPort: 0 });
    const control = `http://127.0.0.1:${listening.controlPort}`;
    await expectAll(control, doors, {}, 401);
    await expectLetThrough(control, doors, bearer(madeUpToken ?? ''));
  });

  it('off removes it everywhere, and no token is made up', { tags: ['slow'] }, async () => {
    const { url, listening, madeUpToken } = await started({ controlPort: 'off', host: '0.0.0.0' });
    expect([listening.controlPort, madeUpToken]).toEqual([null, null]);
    await expectAllGone(url);
  });

  it('is told in the banner', { tags: ['slow'] }, async () => {
    const own = await startHere(['--port', '0', '--control-port', '0']);
    const off = await startHere(['--port', '0', '--control-port', 'off']);
    const [, told = ''] =
      /^ *Control plane +(http:\/\/127\.0\.0\.1:\d+)\/control\/openapi\.yaml$/m.exec(own.banner) ?? [];
    expect((await supertest(told).get('/control/sandboxes')).status).toBe(200);
    await expectAllGone(own.url);
    expect(off.banner).not.toContain('/control');
    await expectAllGone(off.url);
  });

  it('that is taken leaves nothing running behind', async () => {
    const { listening } = await started({});
    const port = await unassignedPort();
    await expect(started({ port, controlPort: listening.port })).rejects.toThrow(
      `Port ${listening.port} of 127.0.0.1 is already in use.`,
    );
    await expect(started({ port })).resolves.toMatchObject({ listening: { port } });
  });

  it('has a base URL that clients can use, whatever the address it listens on', async () => {
    const { url, listening } = await started({ host: '0.0.0.0', controlPort: 0, controlToken: token });
    const connected = await connectSandbox({ url: `http://127.0.0.1:${listening.controlPort}`, token });
    expect(connected.default.baseUrl).toBe(url);
  });

  it.each(['//', '//nobodys.example/control', '/\\', '/', '/healthz', '/public/get-all-instructors'])(
    'has nothing at %s',
    async (target) => {
      const { listening } = await started({ controlPort: 0 });
      const reply = await statusOf(listening.controlPort ?? 0, target);
      expect(reply).toBe(404);
    },
  );

  it('tells every reply with a request id, as the main port does', async () => {
    const { url, listening } = await started({ controlPort: 0 });
    for (const at of [url, `http://127.0.0.1:${listening.controlPort}`]) {
      const { headers } = await supertest(at).get('/control/sandboxes');
      expect([at, headers['sandbox-request-id']]).toEqual([at, expect.stringMatching(/^default-\d+$/)]);
    }
  });
});

/** Expects that there is nothing at any route. */
async function expectAllGone(url: string): Promise<void> {
  for (const route of routes)
    expect([...route, (await ask(url, route, bearer(token))).status]).toEqual([...route, 404]);
}

/** The status of a GET whose target is sent as it stands; a client would tidy it. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const asked = request({ port, path, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      done(response.statusCode);
    });
    asked.once('error', fail).end();
  });
}

describe('--max-sandboxes', () => {
  it('refuses one more, and says what to do', async () => {
    const { url } = await started({ maxSandboxes: 2 });
    const create = () => supertest(url).post('/control/sandboxes').send({});
    const first = await create();
    expect(first.status).toBe(201);
    const refused = await create();
    expectDocumented('POST', '/control/sandboxes', refused);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      detail: expect.stringMatching(/^There are 2 sandboxes, .*--max-sandboxes/),
    });
    expect((await supertest(url).get('/control/sandboxes')).body).toMatchObject({
      sandboxes: [{ id: 'default' }, { id: 'sandbox-1' }],
    });
    await supertest(url).delete('/control/sandboxes/sandbox-1');
    expect((await create()).status).toBe(201);
  });

  it('refuses a call whose key would open one more, and tells the journal of the default sandbox', async () => {
    const { url } = await started({ maxSandboxes: 2 });
    const call = (key: string) =>
      supertest(url)
        .post('/public/get-all-instructors')
        .set('SERVICE-API-KEY', key)
        .send({ data: [{ data: {} }] });
    expect((await supertest(url).post('/control/sandboxes').send({ id: 'one' })).status).toBe(201);
    expect((await call('sbx_one_riverside')).status).toBe(200);
    const refused = await call('sbx_other_riverside');
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('There are 2 sandboxes');
    expect(refused.text).toContain('--max-sandboxes');
    expect(refused.headers['sandbox-request-id']).toMatch(/^default-\d+$/);
    expect((await supertest(url).get('/control/sandboxes/default/journal')).body).toMatchObject({
      entries: [
        {
          requestId: refused.headers['sandbox-request-id'],
          status: 503,
          outcome: 'too-many-sandboxes',
          school: null,
        },
      ],
    });
    expect((await supertest(url).get('/control/sandboxes/other')).status).toBe(404);
    // Those that are there go on.
    expect([(await call('sbx_one_hillcrest')).status, (await call('sbx_default_riverside')).status]).toEqual([
      200, 200,
    ]);
  });

  it('of 1 leaves room for the default sandbox alone', async () => {
    const { url } = await started({ maxSandboxes: 1 });
    expect((await supertest(url).post('/control/sandboxes').send({})).status).toBe(503);
    expect((await supertest(url).get('/control/sandboxes/default')).status).toBe(200);
  });
});

describe('lp-sandbox start', () => {
  const wrong = [
    ['control-token', 'short'],
    ['control-token', 'with spaces in it'],
    ['control-token', 'with,commas'],
    ['control-token', 'x'.repeat(201)],
    ['control-port', '-1'],
    ['control-port', '65536'],
    ['control-port', '80.5'],
    ['control-port', 'on'],
    ['control-port', ''],
    ['max-sandboxes', '0'],
    ['max-sandboxes', 'many'],
    ['max-sandboxes', '1.5'],
  ] as const;

  it.each(wrong)('does not take --%s=%s', async (flag, value) => {
    const read = readSettings(new Map([[flag, [value]]]), {});
    await expect(read).rejects.toThrow(SandboxError);
    await expect(read).rejects.toThrow(`--${flag} must be `);
  });

  it('does not repeat a token that it does not take', async () => {
    await expect(
      readSettings(new Map([['control-token', ['a secret with spaces']]]), {}),
    ).rejects.not.toThrow('secret');
  });

  it.each([
    ['control-token', token, { controlToken: token }],
    ['control-port', 'off', { controlPort: 'off' }],
    ['control-port', '0', { controlPort: 0 }],
    ['max-sandboxes', '1', { maxSandboxes: 1 }],
  ] as const)('takes --%s=%s, as a variable too', async (flag, value, settings) => {
    expect(await readSettings(new Map([[flag, [value]]]), {})).toEqual(settings);
    expect(
      await readSettings(new Map(), { [`SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`]: value }),
    ).toEqual(settings);
  });
});
