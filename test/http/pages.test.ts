import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { readSeed } from '../../src/store/read-seed.ts';
import { parse } from 'yaml';
import { operationNames } from '../../src/contract/operation-types.ts';
import { instructors } from '../support/demo.ts';
import { resultOf, sharedServer, world } from '../support/world.ts';

async function server() {
  const { url } = await sharedServer();
  return { url, client: supertest(url) };
}

const pages = ['/', '/openapi.yaml', '/openapi.json', '/healthz', '/readyz'];

describe('the pages beside the operations', () => {
  it('starts with a page that says where everything is', async () => {
    const { url, client } = await server();
    const { status, type, body } = await client.get('/');
    expect({ status, type }).toEqual({ status: 200, type: 'application/json' });
    expect(body).toMatchObject({
      name: 'Learning Platform Sandbox',
      operations: `${url}/public/<operation>`,
      contract: { yaml: `${url}/openapi.yaml`, json: `${url}/openapi.json` },
      health: { live: `${url}/healthz`, ready: `${url}/readyz` },
      keys: ['sbx_default_riverside', 'sbx_default_hillcrest', 'sbx_default_marevista'],
    });
  });

  it.each(['/healthz', '/readyz'])('answers %s with 200, not to be cached', async (path) => {
    const { client } = await server();
    const { status, headers, body } = await client.get(path);
    expect({ status, cache: headers['cache-control'], body }).toEqual({
      status: 200,
      cache: 'no-store',
      body: { status: 'ok' },
    });
  });

  it('serves the contract in both forms, each naming this server', { tags: ['slow'] }, async () => {
    const { url, client } = await server();
    const json: unknown = (await client.get('/openapi.json').expect('Content-Type', /^application\/json/))
      .body;
    const yaml = await client.get('/openapi.yaml').expect('Content-Type', /^application\/yaml/);
    expect(parse(yaml.text)).toEqual(json);
    expect(json).toHaveProperty('servers.0.url', url);
    expect(Object.keys((json as { paths: object }).paths)).toEqual(
      operationNames.map((name) => `/public/${name}`),
    );
  });

  it.each(pages)('answers GET %s the same with a query', async (path) => {
    const { client } = await server();
    expect((await client.get(`${path}?from=a-monitor`)).status).toBe(200);
  });

  it.each(pages)('answers HEAD %s like GET, without the body', async (path) => {
    const { client } = await server();
    const { status, text } = await client.head(path);
    expect({ status, text: text ?? '' }).toEqual({ status: 200, text: '' });
  });

  it.each(
    pages.flatMap((path) =>
      (['put', 'post', 'delete', 'patch'] as const).map((method) => [method, path] as const),
    ),
  )('answers %s %s with 405 and what is allowed', async (method, path) => {
    const { client } = await server();
    const { status, headers, type, body } = await client[method](path);
    expect({ status, allow: headers['allow'], type }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
      type: 'application/problem+json',
    });
    expect(body).toHaveProperty('detail', `${path} accepts only GET and HEAD, not ${method.toUpperCase()}.`);
  });

  it.each([
    ['/heathz', ' Did you mean "/healthz"?'],
    ['/openapi.yml', ' Did you mean "/openapi.yaml"?'],
    ['/nothing/here', ''],
    ['/public', ''],
  ])('answers %s with 404, and what was probably meant', async (path, hint) => {
    const { client } = await server();
    const { status, type, body } = await client.get(path);
    expect({ status, type }).toEqual({ status: 404, type: 'application/problem+json' });
    expect(body).toHaveProperty(
      'detail',
      `There is nothing at "${path}".${hint} The operations are at /public/<operation>; the start page / lists all other pages.`,
    );
  });
});

describe('the pictures under /assets/', () => {
  it.each([
    ['instructor', 'get-all-instructors', 'profilePhotoUrl', 15],
    ['live event', 'get-all-live-events', 'thumbnailUrl', 10],
  ] as const)(
    'leads from every %s of the demo seed to a picture',
    { tags: ['slow'] },
    async (_, operation, field, count) => {
      const { call } = await world();
      const found = new Set<string>();
      for (const slug of ['riverside', 'hillcrest', 'marevista'])
        for (const url of urlsOf(resultOf(await call(operation, {}, slug)), field)) found.add(url);
      expect(found.size).toBe(count);
      for (const url of found) await expectPicture(url);
    },
  );

  it(
    'has the logo of every school of the demo seed, and each picture as PNG too',
    { tags: ['slow'] },
    async () => {
      const { url } = await world();
      const { collections } = await readSeed('demo');
      const logos = [...collections.schools.byId.values()].map(({ logoUrl = '' }) => logoUrl);
      const photos = [...collections.instructors.byId.values()].map(({ profilePhotoUrl }) => profilePhotoUrl);
      const posters = [...collections.liveEvents.byId.values()].map(({ thumbnailUrl }) => thumbnailUrl);
      for (const path of [...logos, ...photos, ...posters]) {
        await expectPicture(`${url}${path}`);
        const { status, type, body } = await supertest(url).get(path.replace('.svg', '.png'));
        // A PNG begins with the byte 0x89 and its name.
        expect([path, status, type, String(body.subarray(1, 4))]).toEqual([path, 200, 'image/png', 'PNG']);
      }
    },
  );

  it('leads from a newly created instructor to a picture', async () => {
    const { call } = await world();
    const { serviceInstructorId } = resultOf(
      await call('create-instructor-account', { instructorEmail: 'new@teachers.example' }),
    );
    const { instructors: all } = resultOf(await call('get-all-instructors')) as {
      instructors: Record<string, unknown>[];
    };
    await expectPicture(
      String(all.find((one) => one['serviceInstructorId'] === serviceInstructorId)?.['profilePhotoUrl']),
    );
  });

  it('lets pictures be cached', async () => {
    const { call, sandbox } = await world();
    const photo = (await sandbox.state.get('instructors', instructors.riverside.id))?.profilePhotoUrl ?? '';
    const { instructors: all } = resultOf(await call('get-all-instructors'));
    expect(JSON.stringify(all)).toContain(photo);
    const { url } = await sharedServer();
    expect((await supertest(url).get(photo)).headers['cache-control']).toBe('public, max-age=3600');
  });

  it.each([
    '/assets/nobody.svg',
    '/assets/',
    '/assets/%',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
  ])('answers %s with a 404 problem', async (path) => {
    const { client } = await server();
    const { status, type } = await client.get(path);
    expect({ status, type }).toEqual({ status: 404, type: 'application/problem+json' });
  });
});

function urlsOf(result: Record<string, unknown>, field: string): string[] {
  const [list] = Object.values(result);
  // Held against the contract by `call`: a list of objects, each with the field.
  return (list as Record<string, string>[]).map((one) => one[field] ?? '');
}

async function expectPicture(url: string): Promise<void> {
  const reply = await fetch(url);
  expect([url, reply.status, reply.headers.get('content-type')]).toEqual([url, 200, 'image/svg+xml']);
  expect(await reply.text()).toContain('<svg');
}
