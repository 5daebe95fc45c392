import { request as httpRequest, type IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkRule } from '../../src/faults/check-rule.ts';
import { jsonPieces } from '../../src/http/json-pieces.ts';
import { readJson } from '../../src/http/read-json.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { startServer, type Running } from '../../src/server/server.ts';
import { controlled } from '../support/control.ts';
import { labId, schools } from '../support/demo.ts';
import { errorOf } from '../support/error-of.ts';

/** A server whose inside a test can reach, and what it writes on standard error. */
async function opened(): Promise<Running & { readonly told: readonly string[] }> {
  const told: string[] = [];
  const err = (text: string): void => void told.push(text);
  const server = await startServer({ port: 0, limits: null }, { out: () => {}, err, owner: 'a test' });
  onTestFinished(() => server.stop());
  return { ...server, told };
}

function get(url: string, path: string, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    httpRequest(`${url}${path}`, { method }, done).on('error', fail).end();
  });
}

const products = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    id: number.toString(16).padStart(24, '0'),
    schoolId: schools.riverside,
    title: `"Ünïcode" \\ ${String.fromCodePoint(0x1f600 + (number % 50))} \u2028 ${number}`,
  }));

/** Longer than what is parsed at once. */
const long = (text: string): string => `${' '.repeat(300_000)}${text}`;

/** Returns the JSON of an object with `count` fields, each with a number after its name. */
function objectOf(count: number, name: string): string {
  return `{${Array.from({ length: count }, (_, number) => `"${name}${number}":0`).join(',')}}`;
}

describe('a long body', () => {
  it('of a call is decoded right, wherever its pieces end', async () => {
    const { sandbox, call } = await controlled({ assumptions: { maxPayload: '10mb' } });
    // Three bytes each, so that pieces of any size end inside of one.
    const labTitle = '日'.repeat(700_000);
    await call('update-interactive-coding-lab', { labId, labTitle }).expect(200);
    expect((await sandbox.state.get('labs', labId))?.labTitle === labTitle).toBe(true);
  });

  it.each([
    ['very small', 5_000, 1],
    ['small', 1_200_000, 3_000],
  ])('of a call that comes in %s pieces is decoded right', async (_, length, piece) => {
    const { url, sandbox } = await controlled({ assumptions: { maxPayload: '10mb' } });
    const labTitle = '日é'.repeat(length / 5);
    const body = Buffer.from(JSON.stringify({ data: [{ data: { labId, labTitle } }] }));
    const headers = { 'Content-Type': 'application/json', 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
    const status = await new Promise((done, fail) => {
      const request = httpRequest(
        `${url}/public/update-interactive-coding-lab`,
        { method: 'POST', headers },
        ({ statusCode }) => done(statusCode),
      );
      request.on('error', fail);
      for (let from = 0; from < body.length; from += piece) request.write(body.subarray(from, from + piece));
      request.end();
    });
    expect(status).toBe(200);
    expect((await sandbox.state.get('labs', labId))?.labTitle === labTitle).toBe(true);
  });

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(withoutPause(readJson(Buffer.from(long(text)), null)))).toBe(
          JSON.stringify(JSON.parse(text)),
        );
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    '{"__proto__":{"polluted":true},"constructor":1}',
    '{"a":1,"b":2,"a":3}',
    '"\\ud83d\\ude00 \\ud83d \\u0000 \\/ \\b\\f\\n\\r\\t"',
    '[-0,1e400,-1E-7,123456789012345678901234567890,0.1]',
    `"${'ä😀'.repeat(50_000)}"`,
    '\uFEFF{"a":[]}',
    `${'['.repeat(1000)}${']'.repeat(1000)}`,
    `[${'12'.repeat(500)},-0.${'1'.repeat(262_141)},1e-${'0'.repeat(262_140)}1]`,
    '9'.repeat(262_144),
  ])('keeps what is hard to keep: %.40s', (text) => {
    const read = withoutPause(
      readJson(Buffer.from(text.startsWith('\uFEFF') ? text + ' '.repeat(300_000) : long(text)), null),
    );
    expect(read).toEqual(JSON.parse(text.replace('\uFEFF', '')));
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted');
  });

  it.each([
    ['[1,]', /^The body is not JSON at line 1, column /],
    ['{"a":1} x', /^The body is not JSON at line 1, column /],
    ['{"a":', /^The body is not JSON: it ends inside the object that starts at line 1, column /],
    ['', /^The body is not JSON: it has no value/],
    ['01', /^The body is not JSON at line 1, column /],
    [`${'['.repeat(1001)}${']'.repeat(1001)}`, /nested more than 1000 levels deep\.$/],
    [
      `[${Array.from({ length: 11 }, (_, list) => objectOf(9_100, `n${list}-`)).join(',')}]`,
      /more than 100000 different member names\.$/,
    ],
    [
      `{"a":[7,{"b":${objectOf(10_001, 'n')}}]}`,
      /^The body is invalid\. \/a\/1\/b has more than 10000 fields, the limit of this server; /,
    ],
    [
      `{"collections":${objectOf(10_001, 'a-name-that-makes-it-long')}}`,
      /^The body is invalid\. \/collections has more than 10000 fields, the limit of this server; /,
    ],
    [
      `[${'0,'.repeat(1_100_000)}0]`,
      /more than 1000000 members, the limit of this server for such a body\.$/,
    ],
    [
      `[${'{"a":1},'.repeat(2_600_000)}0]`,
      /more than 13\d{5} members, the limit of this server for such a body\.$/,
    ],
    [
      `{"a":{"${'x'.repeat(1_048_577)}":1}}`,
      /has a member name of more than 1048576 characters, the limit of this server\.$/,
    ],
    ['1'.repeat(262_145), /^The body is invalid\. It is a number of more than 262144 characters/],
    [`{"a":[7,{"b":-1.5e${'1'.repeat(5_000_000)}`, /^The body is invalid\. \/a\/1\/b is a number of more/],
  ])('that is none, or would hold everybody up, is refused: %.20s', async (text, message) => {
    const error = await errorOf(
      Promise.resolve().then(() => withoutPause(readJson(Buffer.from(long(text)), null))),
    );
    expect(error.message).toMatch(message);
  });

  it.each([['1'.repeat(5_000_000)], [`-0.${'0'.repeat(5_000_000)}1`]])(
    'with a number of millions of digits is refused with its place: %.4s',
    async (number) => {
      const { url, sandbox } = await controlled();
      const path = `/control/sandboxes/${sandbox.id}/state`;
      const body = `{"collections":{"labs":[{"id":"${labId}","points":${number}}]}}`;
      const reply = await supertest(url)
        .put(path)
        .set('Content-Type', 'application/json')
        .serialize((text: string) => text)
        .send(body);
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({
        violations: [
          {
            pointer: '/collections/labs/0/points',
            message: 'is a number of more than 262144 characters, the limit of this server.',
          },
        ],
      });
    },
  );

  it('is imported as a short one is', async () => {
    const { ask, sandbox } = await controlled();
    const before = await sandbox.state.export();
    const collections = { schools: before.collections['schools'], products: products(5000) };
    expect((await ask('PUT', '/state', { collections })).status).toBe(204);
    expect(await sandbox.state.list('products')).toEqual(products(5000));
  });
});

describe('a long answer', () => {
  it('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
      }),
    );
    for (const value of [
      '😀'.repeat(40_000),
      `x${'😀'.repeat(40_000)}`,
      { a: undefined, b: [undefined] },
      products(2000),
    ]) {
      expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
    }
  });

  it('comes in pieces, and a short one with its length', async () => {
    const { url, ask, sandbox } = await controlled();
    const place = `/control/sandboxes/${sandbox.id}/state/products`;
    const short = await ask('GET', '/state/products');
    expect(Number(short.headers['content-length'])).toBe(Buffer.byteLength(short.text));
    const { collections } = await sandbox.state.export();
    await sandbox.state.import({
      collections: { schools: collections['schools'] ?? [], products: products(2000) },
    });
    const whole = await ask('GET', '/state/products');
    expect(whole.headers).toMatchObject({
      'transfer-encoding': 'chunked',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(whole.headers['content-length']).toBeUndefined();
    expect(whole.text).toBe(JSON.stringify({ records: products(2000) }));
    const head = await get(url, place, 'HEAD');
    expect(head.statusCode).toBe(200);
    expect((await head.toArray()).length).toBe(0);
  });

  it('ends where its client goes away, and nobody else notices', async () => {
    const { url, ask, sandbox } = await controlled();
    const { collections } = await sandbox.state.export();
    const long64 = products(2000).map((product) => ({ ...product, title: 'x'.repeat(5000) }));
    await sandbox.state.import({ collections: { schools: collections['schools'] ?? [], products: long64 } });
    const answer = await get(url, `/control/sandboxes/${sandbox.id}/state`);
    answer.destroy();
    expect((await ask('GET', '/state/products/000000000000000000000000')).status).toBe(200);
    expect((await ask('GET', '/state')).body).toMatchObject({ collections: { products: long64 } });
  });
});

describe('a request about a sandbox', () => {
  it('waits while a call has the state to itself', async () => {
    const { url, sandboxes } = await opened();
    const release = sandboxes.default.turn.take();
    const answered: string[] = [];
    const paths = ['', '/state', '/journal', '/report', '/report.md', '/clock'];
    const asked = paths.map(async (path) => {
      const reply = await supertest(url).get(`/control/sandboxes/default${path}`);
      answered.push(path);
      return reply.status;
    });
    // The others are not kept waiting, and come later.
    expect((await supertest(url).get('/control/seeds')).status).toBe(200);
    expect((await supertest(url).get('/control/seeds')).status).toBe(200);
    expect(answered).toEqual([]);
    release();
    expect(await Promise.all(asked)).toEqual(paths.map(() => 200));
  });
});

describe('a defect', () => {
  it('is answered with the request id, told on standard error with the stack, and touches nothing else', async () => {
    const { url, sandboxes, told } = await opened();
    sandboxes.default.clock.now = () => {
      throw new TypeError('broken on purpose');
    };
    const reply = await supertest(url).get('/control/sandboxes/default/clock');
    const requestId = reply.headers['sandbox-request-id'];
    expect(reply.status).toBe(500);
    expect(reply.type).toBe('application/problem+json');
    expect(reply.body).toEqual({
      type: 'urn:learning-platform-sandbox:internal-error',
      title: 'Internal error',
      status: 500,
      detail: `The sandbox failed to process this request. This is a bug in the sandbox; report it with the request id ${requestId}.`,
    });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(new RegExp(`^${requestId}: TypeError: broken on purpose\\n\\s+at `));
    expect((await supertest(url).get('/control/sandboxes/default/limits')).status).toBe(500);
    expect((await supertest(url).get('/control/sandboxes/default/assumptions')).status).toBe(200);
  });

  it('in the middle of an answer ends the connection, so that nobody takes the beginning for the whole', async () => {
    const { url, sandboxes, told } = await opened();
    const checked = checkRule({ fault: 'reset' });
    if (!('rule' in checked)) throw new Error('The rule does not fit.');
    let isBroken = false;
    const broken = {
      padding: 'x'.repeat(200_000),
      get value(): string {
        if (isBroken) throw new TypeError('broken on purpose');
        return '';
      },
    };
    sandboxes.default.faults.add({ ...checked, rule: { ...checked.rule, with: broken } }, 0);
    isBroken = true;
    const answer = await get(url, '/control/sandboxes/default/faults');
    expect(answer.statusCode).toBe(200);
    expect(await errorOf(answer.toArray())).toMatchObject({ code: 'ECONNRESET' });
    expect(told.join('')).toContain('broken on purpose');
    expect((await supertest(url).get('/control/sandboxes/default/clock')).status).toBe(200);
  });
});
