import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { controlParts } from '../../src/http/strayed.ts';
import { controlRoutes } from '../../src/control/routes.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { world } from '../support/world.ts';

const body = { data: [{ data: {} }] };

describe('a call to a path of the server itself', () => {
  it.each([
    '/control/get-all-instructors',
    '/control/v1/get-all-instructors',
    '/control/instructors',
    '/control/quiz-details',
    '/docs/get-all-instructors',
    '/docs',
    '/console/get-all-instructors',
    '/console/default/get-all-instructors',
    '/assets/get-all-instructors',
    '/media/get-all-instructors',
    '/healthz',
    '/favicon.ico',
  ])('is a violation: POST %s with a key', async (path) => {
    const { sandbox, url } = await world();
    const key = sandbox.apiKey('riverside');
    const reply = await supertest(url).post(path).set('SERVICE-API-KEY', key).send(body);
    expect([reply.status, reply.body.detail]).toEqual([404, expect.stringContaining('/public/')]);
    expect(await sandbox.journal.list()).toMatchObject([
      { outcome: 'unmatched', method: 'POST', url: path, school: 'riverside', page: null },
    ]);
    expect((await sandbox.report()).violations).toMatchObject([{ count: 1 }]);
  });

  it.each(['/control/get-all-instructors', '/docs/get-all-instructors', '/school/get-all-instructors'])(
    'is a violation without a key, too: POST %s',
    async (path) => {
      const server = await serve();
      const reply = await supertest(server.url).post(path).send(body);
      expect(reply.body.detail).toContain('Did you mean "/public/get-all-instructors"?');
      expect((await server.default.report()).violations).toMatchObject([{ count: 1 }]);
    },
  );

  it('is journaled on the port of the control plane, which is a wrong base URL, too', async () => {
    const server = await serve({ controlPort: 0 });
    const sandbox = await server.createSandbox();
    for (const path of ['/public/get-all-instructors', '/control/get-all-instructors'])
      await supertest(new URL(server.control.url ?? '').origin)
        .post(path)
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .send(body);
    const entries = await sandbox.journal.list();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['unmatched', 'unmatched']);
    expect(entries[0]?.violations[0]?.message).toContain('the other port of this server');
  });
});

describe('a misspelled operation', () => {
  it.each([
    ['/api/quiz-details', 'get-quiz-details'],
    ['/api/get-quiz-detail', 'get-quiz-details'],
    ['/api/v1/getQuizDetails', 'get-quiz-details'],
    ['/api/quiz/details', 'get-quiz-details'],
    ['/get-quiz-details/057ea992fc0a75d4ed8b54da', 'get-quiz-details'],
    ['/instructors', 'get-all-instructors'],
    ['/control/quiz-details', 'get-quiz-details'],
  ])('is a violation without a key, too: POST %s', async (path, meant) => {
    const server = await serve();
    const reply = await supertest(server.url).post(path).send(body);
    expect(reply.body.detail).toContain(`Did you mean "/public/${meant}"?`);
    expect((await server.default.report()).violations).toMatchObject([{ count: 1 }]);
  });

  it.each(['/robots.txt', '/service-worker.js', '/json/version', '/status', '/index.html', '/api/data'])(
    'is not what %s names',
    async (path) => {
      const server = await serve();
      expect((await supertest(server.url).get(path)).status).toBe(404);
      expect(await server.default.journal.list()).toEqual([]);
    },
  );
});

describe('a key in a wrong place', () => {
  it.each([
    ['/favicon.ico?k=', {}],
    ['/healthz?api_key=', {}],
    ['/docs?key=', {}],
    ['/docs/nothing?key=', {}],
    ['/console?key=', {}],
    ['/?key=', {}],
    ['/nowhere?key=', {}],
    ['/public/nowhere?key=', {}],
    ['/media/x?token=', {}],
    ['/nowhere', { Authorization: 'Bearer ' }],
    ['/nowhere', { 'X-Api-Key': '' }],
    ['/control/nowhere?key=', {}],
    ['/api/KEY/quizzes', {}],
    ['/control/KEY/quizzes', {}],
    ['/docs/KEY', {}],
    ['/public/KEY/get-all-instructors', {}],
  ])('breaks key-secrecy in the sandbox that it names: GET %s %j', async (path, headers) => {
    const { sandbox, url } = await world();
    const key = sandbox.apiKey('riverside');
    const target = path.endsWith('=') ? path + key : path.replace('KEY', key);
    const sent = Object.entries(headers).map(([name, scheme]) => [name, scheme + key] as const);
    const { status } = await supertest(url).get(target).set(Object.fromEntries(sent));
    await expect.poll(() => sandbox.journal.list()).toMatchObject([{ outcome: 'unmatched', status }]);
    const { conduct } = await sandbox.report();
    expect(conduct.find(({ check }) => check === 'key-secrecy')?.verdict).toBe('failed');
    expect(JSON.stringify(await sandbox.journal.list())).not.toContain(key);
  });

  it('does not keep a page of this server from its client', async () => {
    const { sandbox, url } = await world();
    const query = `key=${sandbox.apiKey('riverside')}`;
    for (const path of ['/healthz', '/docs', '/openapi.json'])
      expect((await supertest(url).get(`${path}?${query}`)).status).toBe(200);
  });

  it('of a person who opens a page is no fault of the client', async () => {
    const { sandbox, url } = await world();
    await supertest(url)
      .get(`/docs?key=${sandbox.apiKey('riverside')}`)
      .set('Accept', 'text/html,*/*;q=0.8');
    await expect.poll(() => sandbox.journal.list()).toMatchObject([{ page: 'browser' }]);
    expect((await sandbox.report()).violations).toEqual([]);
  });
});

describe('a CONNECT request', () => {
  it.each(['SERVICE-API-KEY: ', 'Proxy-Authorization: Bearer '])(
    'with a key is a violation: %s',
    async (header) => {
      const { sandbox, url } = await world();
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const lines = ['CONNECT api.example:443 HTTP/1.1', 'Host: api.example:443'];
      socket.write([...lines, `${header}${sandbox.apiKey('riverside')}`, '', ''].join('\r\n'));
      const [reply] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(reply.toString()).toContain(' 405 ');
      expect(await sandbox.journal.list()).toMatchObject([
        { outcome: 'unmatched', method: 'CONNECT', status: 405, school: 'riverside' },
      ]);
    },
  );
});

describe('nobody is accused because of', () => {
  it('a client of the control plane that also sends a key', async () => {
    // A report on all sandboxes of the server shared by the tests of a thread would take seconds.
    const server = await serve();
    const { url } = server;
    const sandbox = await server.createSandbox();
    const key = sandbox.apiKey('riverside');
    const own = `/control/sandboxes/${sandbox.id}`;
    const paths = [
      '/control/sandboxes',
      `${own}/journal?key=${key}`,
      '/control/openapi.yaml',
      '/control/report.md',
    ];
    for (const path of paths) await supertest(url).get(path).set('SERVICE-API-KEY', key);
    // These do not exist, but are near a path that does.
    for (const path of ['/control/sandbox', `${own}/get-all-instructors`, `${own}/resets`])
      expect((await supertest(url).post(path).set('SERVICE-API-KEY', key)).body.detail).toContain(
        'control plane',
      );
    // Nor do these, which name no operation.
    for (const path of [
      '/control',
      '/control/journal',
      '/control/reset',
      '/control/clock',
      '/control/version',
    ])
      for (const method of ['get', 'post'] as const)
        await supertest(url)[method](path).set({ 'SERVICE-API-KEY': key, 'X-Api-Key': key }).send();
    expect(await sandbox.journal.list()).toEqual([]);
  });

  it('a program that asks whether the service is there, and sends its key', async () => {
    const { sandbox, url } = await world();
    const key = sandbox.apiKey('riverside');
    const names = ['/health', '/livez', '/ping', '/status', '/version', '/up', '/_health', '/health-check'];
    const paths = [
      ...names,
      '/health/live',
      '/health/check',
      '/actuator/health',
      '/actuator/health/db',
      '/api/v2/status',
      '/q/health/live',
      '/_ah/health',
      '/health.json',
      '/isalive',
      '/robots.txt',
    ];
    for (const path of paths) await supertest(url).get(path).set('SERVICE-API-KEY', key);
    expect(await sandbox.journal.list()).toEqual([]);
    await supertest(url).post('/status').set('SERVICE-API-KEY', key).send();
    const asked = [
      '/public/status',
      '/get-quiz-details/status',
      '/api/assignments/status',
      '/quizzes/9/version',
    ];
    for (const path of asked) await supertest(url).get(path).set('SERVICE-API-KEY', key);
    expect((await sandbox.report()).violations).toHaveLength(5);
  });

  it('a program that asks in another way whether the service is there, without a key', async () => {
    const server = await serve();
    for (const path of ['/health', '/api/health', '/status']) await supertest(server.url).post(path).send();
    for (const path of ['/nowhere', '/api/users/status']) await supertest(server.url).get(path);
    expect(await server.default.journal.list()).toEqual([]);
  });

  it('a person who types a path into a browser', async () => {
    const server = await serve();
    const paths = ['/instructors', '/assignments', '/live-events', '/course-item'];
    for (const path of paths) await supertest(server.url).get(path).set('Accept', 'text/html,*/*;q=0.8');
    expect(await server.default.journal.list()).toEqual([]);
    // Programs do not type.
    for (const path of ['/api/quizDetails', '/api/get_quiz_details', '/api/live-events'])
      await supertest(server.url).get(path);
    for (const path of ['/api/update-coupon', '/quizzes/details', '/quizzes/9/details'])
      await supertest(server.url).post(path).send(body);
    expect((await server.default.report()).violations).toHaveLength(6);
  });

  it('a page of this server, or what a browser loads for one', async () => {
    const { sandbox, url } = await world();
    const key = sandbox.apiKey('riverside');
    const headers = { 'SERVICE-API-KEY': key, Referer: `${url}/docs?key=${key}` };
    for (const path of ['/favicon.ico', '/pages.css', '/console/default/get-all-instructors', '/media/x'])
      await supertest(url).get(path).set(headers);
    expect(await sandbox.journal.list()).toEqual([]);
  });
});

it('a request with a key to what resembles a page of this server is a violation', async () => {
  const { sandbox, url } = await world();
  const key = sandbox.apiKey('riverside');
  const paths = ['/schools', '/docs/getQuizDetails', '/assets/get_quiz_details'];
  for (const path of paths) await supertest(url).get(path).set('SERVICE-API-KEY', key);
  expect(await sandbox.journal.list()).toHaveLength(3);
  // A browser adds no such header.
  for (const name of ['X-Api-Key', 'Api-Key'])
    await supertest(url).get('/getQuizDetails').set(name, key).set('Accept', 'text/html');
  const { violations } = await sandbox.report();
  expect(violations.map(({ count }) => count).reduce((sum, one) => sum + one, 0)).toBe(5);
});

it('the paths of the control plane that count as existing are those of its routes', () => {
  const routed = controlRoutes.map(({ path }) => (path.split('/')[2] ?? '').replace(/^report\..*/, 'report'));
  expect([...new Set(routed)].toSorted()).toEqual(controlParts.toSorted());
});
