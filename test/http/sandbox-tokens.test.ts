import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../src/control/routes.ts';
import type { ControlRoute } from '../../src/control/route.ts';
import { SandboxTokens } from '../../src/sandbox/sandbox-tokens.ts';
import { startSandbox } from '../../src/index.ts';
import { hosted, operatorToken, tokenSecret } from '../support/hosted.ts';
import { errorOf } from '../support/error-of.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';

const ofOneSandbox = '/control/sandboxes/{sandboxId}';

/** All routes that are about no single sandbox, and which token each needs. A new one must be listed here. */
const others: Readonly<Record<string, ControlRoute['access']>> = {
  'GET /control/sandboxes': 'operator',
  'POST /control/sandboxes': 'operator',
  'GET /control/report': 'operator',
  'GET /control/report.json': 'operator',
  'GET /control/report.html': 'operator',
  'GET /control/report.junit.xml': 'operator',
  'GET /control/report.md': 'operator',
  'GET /control/access': 'any token',
  'GET /control/seeds': 'any token',
  'GET /control/faults': 'any token',
  'GET /control/scenarios': 'any token',
  'GET /control/openapi.yaml': 'any token',
};

const nameOf = ({ method, path }: ControlRoute): string => `${method} ${path}`;
const isOfOneSandbox = ({ path }: ControlRoute): boolean => /^[^}]*\/\{sandboxId\}(\/|$)/.test(path);
const sandboxRoutes = controlRoutes.filter(isOfOneSandbox);
/** Those that a tenant must not use, although they are about its sandbox. */
const ofOperators = [`PUT ${ofOneSandbox}/quotas`];
const stream = `${ofOneSandbox}/journal/stream`;

/** The target of a route, with names that nothing has. */
function targetOf({ path }: ControlRoute, sandboxId: string): string {
  return path.replace('{sandboxId}', sandboxId).replaceAll(/\{\w+\}/g, 'nobodys');
}

/** A body that matches no schema, for routes that have one. */
function bodyFor({ body }: ControlRoute): unknown {
  return body === null ? undefined : [];
}

describe('each route', () => {
  it('is of one sandbox, or says which token it needs', () => {
    const found = controlRoutes.filter((route) => !isOfOneSandbox(route));
    expect(Object.fromEntries(found.map((route) => [nameOf(route), route.access]))).toEqual(others);
    expect(sandboxRoutes.filter(({ access }) => access !== 'sandbox').map(nameOf)).toEqual(ofOperators);
  });

  it('refuses a request without a token, and one with a wrong token', { tags: ['slow'] }, async () => {
    const { ask, add } = await hosted();
    const { id } = await add();
    for (const route of controlRoutes)
      for (const token of [null, 'a-wrong-token']) {
        const reply = await ask(token, route.method, targetOf(route, id), bodyFor(route));
        expect([nameOf(route), reply.status]).toEqual([nameOf(route), 401]);
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer\b/);
      }
  });

  it('of a sandbox accepts the token of this sandbox', { tags: ['slow'] }, async () => {
    const { ask, add } = await hosted();
    for (const route of sandboxRoutes.filter(({ path }) => path !== stream)) {
      if (ofOperators.includes(nameOf(route))) continue;
      const { id, token } = await add();
      const reply = await ask(token, route.method, targetOf(route, id), bodyFor(route));
      expect([nameOf(route), [401, 403].includes(reply.status)]).toEqual([nameOf(route), false]);
    }
  });

  it(
    'of another sandbox refuses it in the same way whether that sandbox exists or not',
    { tags: ['slow'] },
    async () => {
      const { ask, add } = await hosted();
      const { id, token } = await add();
      const other = await add();
      for (const route of sandboxRoutes) {
        const replies = await Promise.all(
          [other.id, 'nobodys', 'default'].map((each) =>
            ask(token, route.method, targetOf(route, each), bodyFor(route)),
          ),
        );
        for (const reply of replies)
          expect([nameOf(route), reply.status, reply.body]).toEqual([
            nameOf(route),
            403,
            expect.objectContaining({
              type: 'about:blank',
              detail: `The token in the request permits only requests for the sandbox "${id}". All others need the control token of the server (--control-token).`,
            }),
          ]);
      }
    },
  );

  it('that is not about one sandbox accepts it or refuses it, as listed', { tags: ['slow'] }, async () => {
    const { ask, add } = await hosted();
    const { token } = await add();
    for (const route of controlRoutes.filter((each) => !isOfOneSandbox(each))) {
      const reply = await ask(token, route.method, route.path, bodyFor(route));
      const expected = others[nameOf(route)] === 'operator' ? 403 : 200;
      expect([nameOf(route), reply.status]).toEqual([nameOf(route), expected]);
      if (expected === 403) expect(reply.body.detail).toContain('(--control-token)');
    }
  });
});

describe('the token of a sandbox', () => {
  it('is in the response that creates the sandbox, and in no other', { tags: ['slow'] }, async () => {
    const server = await hosted();
    const one = await server.add();
    expect(one.token).toMatch(/^sbt1\.[a-z0-9]{20}\.[0-9a-z]+\.[\w-]{43}$/);
    const mac = one.token.split('.').at(-1) ?? '';
    for (const { path, sends, method } of controlRoutes)
      if (method === 'GET' && sends !== 'journal stream') {
        const target = path.replace('{sandboxId}', one.id).replaceAll(/\{\w+\}/g, 'schools');
        const { text } = await server.ask(operatorToken, 'GET', target);
        expect([path, text.includes(mac), text.includes(tokenSecret)]).toEqual([path, false, false]);
      }
  });

  it('is not accepted if a part of it is changed, or if another secret made it', async () => {
    const { ask, add } = await hosted();
    const [own, other] = [await add(), await add()];
    const [form = '', id = '', number = '', mac = ''] = own.token.split('.');
    const generation = Number.parseInt(number, 36);
    const issuedElsewhere = new SandboxTokens(`${tokenSecret}!`).current({ id, tokenGeneration: generation });
    for (const token of [
      `sbt2.${id}.${number}.${mac}`,
      `${form}.${other.id}.${number}.${mac}`,
      `${form}.${id}.${(generation + 1).toString(36)}.${mac}`,
      `${form}.${id}.0${number}.${mac}`,
      `${form}.${id}.${number}.${mac.slice(0, -1)}`,
      `${form}.${id}.${number}.${mac}A`,
      `${form}.${id}.${number}.${other.token.split('.').at(-1)}`,
      `${form}.${id}.${number}.`,
      issuedElsewhere ?? '',
    ])
      for (const path of [own.path, other.path]) {
        const { status, text } = await ask(token, 'GET', path);
        expect([token, path, status]).toEqual([token, path, 401]);
        expect(text).not.toContain(mac.slice(0, -1));
      }
  });

  it('is not accepted any more when the next one was issued', async () => {
    const { ask, add } = await hosted();
    const { path, token } = await add();
    const { body } = await ask(token, 'POST', `${path}/token`).expect(201);
    const next = String(body.token);
    const refused = await ask(token, 'GET', path);
    expect([refused.status, refused.body.detail, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('is not valid any more'),
      expect.stringMatching(/^Bearer/),
    ]);
    await ask(token, 'POST', `${path}/token`).expect(401);
    for (const shared of ['/control/access', '/control/seeds', '/control/openapi.yaml'])
      await ask(token, 'GET', shared).expect(401);
    await ask(next, 'GET', path).expect(200);
    await ask(operatorToken, 'POST', `${path}/token`).expect(201);
    await ask(next, 'GET', path).expect(401);
  });

  it('ends with its sandbox, and with it everything that it has opened', async () => {
    const { ask, add } = await hosted();
    const { id, path, token } = await add({ id: 'spring-term' });
    await ask(token, 'DELETE', path).expect(204);
    const gone = await ask(token, 'GET', path);
    const later = await add({ id });
    const stale = await ask(token, 'GET', path);
    expect([gone.status, stale.status, stale.body]).toEqual([401, 401, gone.body]);
    await ask(later.token, 'GET', path).expect(200);
  });

  it('of a stream of the journal ends the stream when the next one is issued', async () => {
    const { ask, add, control } = await hosted();
    const { path, token } = await add();
    const headers = { Authorization: `Bearer ${token}` };
    const opened = await fetch(`${control.url}${path}/journal/stream`, { headers });
    const ended = opened.text();
    const { body } = await ask(operatorToken, 'POST', `${path}/token`).expect(201);
    expect(await ended).not.toContain('event:');
    expect((await fetch(`${control.url}${path}/journal/stream`, { headers })).status).toBe(401);
    const again = new AbortController();
    const followed = await fetch(`${control.url}${path}/journal/stream`, {
      headers: { Authorization: `Bearer ${String(body.token)}` },
      signal: again.signal,
    });
    expect(followed.status).toBe(200);
    again.abort();
  });

  it('can be issued for the default sandbox, which has none before', async () => {
    const { ask } = await hosted();
    const { body } = await ask(operatorToken, 'POST', '/control/sandboxes/default/token').expect(201);
    const access = await ask(String(body.token), 'GET', '/control/access').expect(200);
    expect(access.body).toEqual({ permits: 'sandbox', sandboxId: 'default' });
  });

  it(
    'permits HEAD as GET, and its sandbox under an encoded id, but not a path that continues after it',
    { tags: ['slow'] },
    async () => {
      const { ask, add, control } = await hosted();
      const [own, other] = [await add({ id: 'a-b' }), await add({ id: 'c' })];
      await ask(own.token, 'HEAD', own.path).expect(200);
      await ask(own.token, 'HEAD', other.path).expect(403);
      await ask(own.token, 'GET', '/control/sandboxes/a%2Db').expect(200);
      await ask(own.token, 'GET', '/control/sandboxes/%63').expect(403);
      for (const path of [`${own.path}/../c`, `${own.path}%2F..%2Fc`, `${own.path}/`, `${own.path}/nope`]) {
        // A client like `fetch` would resolve the dots.
        const reply = await send(`${control.url}${path}`, { Authorization: `Bearer ${own.token}` });
        expect([path, reply.status === 200]).toEqual([path, false]);
      }
    },
  );

  it('is refused before the body is read', async () => {
    const { control, add } = await hosted();
    const { token } = await add();
    const { status } = await supertest(control.url ?? '')
      .put('/control/sandboxes/default/state')
      .set({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' })
      .send('{ no JSON');
    expect(status).toBe(403);
  });

  it('is accepted at a separate port of the control plane', async () => {
    const { ask, add } = await hosted({ controlPort: 0 });
    const { path, token } = await add();
    await ask(token, 'GET', path).expect(200);
    await ask(token, 'GET', '/control/sandboxes').expect(403);
  });
});

describe('a token that a client sends to the public API', () => {
  it('is in no journal, log and report', { tags: ['slow'] }, async () => {
    const lines: string[] = [];
    const warn = (line: string): number => lines.push(line);
    const { url, ask, add } = await hosted({ log: 'json', controlPort: 0, warn });
    const { id, path, token } = await add();
    const key = `sbx_${id}_riverside`;
    const bearer = { Authorization: `Bearer ${token}` };
    const body = { data: [{ data: {} }] };
    await send(`${url}/public/get-all-instructors`, { 'SERVICE-API-KEY': key, ...bearer }, body);
    await send(`${url}/public/get-all-instructors?token=${token}`, { 'SERVICE-API-KEY': key }, body);
    await send(`${url}/public/get-all-instructors`, { 'SERVICE-API-KEY': token }, body);
    await send(`${url}${path}/token`, { 'SERVICE-API-KEY': key, ...bearer }, body);
    const texts = await Promise.all(
      [id, 'default'].flatMap((each) =>
        ['journal', 'journal.har', 'report', 'report.html'].map(async (kind) => {
          const { text } = await ask(operatorToken, 'GET', `/control/sandboxes/${each}/${kind}`).expect(200);
          return text;
        }),
      ),
    );
    expect(texts.join('')).toContain('get-all-instructors');
    expect(lines.join('')).toContain('get-all-instructors');
    const mac = token.split('.').at(-1) ?? '';
    for (const secret of [mac, tokenSecret, operatorToken])
      expect([...texts, ...lines].filter((text) => text.includes(secret))).toEqual([]);
  });
});

describe('GET /control/access', () => {
  it('returns what the token permits', async () => {
    const { ask, add } = await hosted();
    const { id, token } = await add();
    expect((await ask(operatorToken, 'GET', '/control/access')).body).toEqual({
      permits: 'server',
      sandboxId: null,
    });
    expect((await ask(token, 'GET', '/control/access')).body).toEqual({ permits: 'sandbox', sandboxId: id });
    expect((await supertest((await serve()).url).get('/control/access')).body).toEqual({
      permits: 'server',
      sandboxId: null,
    });
  });
});

describe('/metrics', () => {
  it('are for the operator if sandboxes have tokens', async () => {
    for (const options of [{}, { controlPort: 0 }]) {
      const { url, add } = await hosted(options);
      const { token } = await add();
      const statusWith = async (headers: Record<string, string>): Promise<readonly unknown[]> => {
        const { status, headers: sent, text } = await send(`${url}/metrics`, headers);
        return [status, sent['www-authenticate'] !== undefined, text.includes('--control-token')];
      };
      expect(await statusWith({})).toEqual([401, true, false]);
      expect(await statusWith({ Authorization: 'Bearer a-wrong-token' })).toEqual([401, true, false]);
      expect(await statusWith({ Authorization: `Bearer ${token}` })).toEqual([403, false, true]);
      expect(await statusWith({ Authorization: `Bearer ${operatorToken}` })).toEqual([200, false, false]);
    }
  });

  it('are for everybody otherwise, also if the control plane needs a token', async () => {
    const { url } = await serve({ controlToken: operatorToken });
    expect((await send(`${url}/metrics`)).status).toBe(200);
  });
});

describe('a server with a token secret', () => {
  it('generates ids that nobody can guess, also with the same random seed', { tags: ['slow'] }, async () => {
    const ids: string[] = [];
    for (const server of [await hosted({ randomSeed: 1 }), await hosted({ randomSeed: 1 })])
      for (let number = 0; number < 20; number += 1) ids.push((await server.add({ randomSeed: 1 })).id);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{20}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.join('')).size).toBe(36);
  });

  it('creates no sandbox for a key', async () => {
    const { url, ask, add } = await hosted();
    const { id } = await add();
    const statusWith = async (key: string): Promise<number> =>
      (await send(`${url}/public/get-all-instructors`, { 'SERVICE-API-KEY': key }, { data: [{ data: {} }] }))
        .status;
    expect(await statusWith('sbx_somebodys_riverside')).toBe(401);
    expect(await statusWith(`sbx_${id}_riverside`)).toBe(200);
    const { body } = await ask(operatorToken, 'GET', '/control/sandboxes');
    expect(body.sandboxes.map((each: { id: string }) => each.id)).toEqual(['default', id]);
  });

  it('generates a control token if it has none', async () => {
    const { url, control } = await serve({ tokenSecret });
    expect(control.token).toMatch(/^[\w-]{32}$/);
    expect((await supertest(url).get('/control/sandboxes')).status).toBe(401);
    const asOperator = supertest(url)
      .get('/control/sandboxes')
      .set('Authorization', `Bearer ${control.token}`);
    expect((await asOperator).status).toBe(200);
  });

  it.each([
    [{ controlPort: 'off' as const }, 'needs the control plane'],
    [{ autoCreate: true }, 'only the control plane creates sandboxes'],
    [{ controlToken: tokenSecret }, 'must differ from controlToken'],
  ])('does not start with %j', async (settings, reason) => {
    const { message } = await errorOf(startSandbox({ port: 0, tokenSecret, ...settings }));
    expect(message).toContain(reason);
    expect(message).not.toContain(tokenSecret);
  });
});

describe('a server without one', () => {
  it('issues no tokens, counts its sandboxes, and creates those of keys', async () => {
    const { url } = await serve();
    const { body } = await supertest(url).post('/control/sandboxes').expect(201);
    expect([body.id, 'token' in body]).toEqual(['sandbox-1', false]);
    const refused = await supertest(url).post('/control/sandboxes/sandbox-1/token').expect(409);
    expect(refused.body.detail).toContain('--token-secret');
    await send(
      `${url}/public/get-all-instructors`,
      { 'SERVICE-API-KEY': 'sbx_mine_riverside' },
      { data: [{ data: {} }] },
    );
    await supertest(url).get('/control/sandboxes/mine').expect(200);
  });

  it('accepts no sandbox token', async () => {
    const { token } = await (await hosted()).add({ id: 'one' });
    const { url } = await serve({ controlToken: operatorToken });
    const reply = await supertest(url).get('/control/sandboxes/one').set('Authorization', `Bearer ${token}`);
    expect(reply.status).toBe(401);
  });
});
