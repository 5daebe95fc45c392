import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import type { SandboxServer, StartOptions } from '../../src/index.ts';
import { askControl, controlled, type ControlMethod } from '../support/control.ts';
import { schools } from '../support/demo.ts';
import { serve } from '../support/serve.ts';

interface Problem {
  readonly detail: string;
  readonly violations?: readonly { readonly pointer: string; readonly message: string }[];
}

/** A server with limits of its own, and the way to the sandbox `default`. */
async function limited(max: NonNullable<StartOptions['max']>) {
  const server = await serve({ max, limits: null });
  const ask = (method: ControlMethod, path: string, body?: unknown): supertest.Test =>
    askControl(server.url, method, `/control/sandboxes/default${path}`, body);
  return { server, ask };
}

function problemOf({ body }: supertest.Response): Problem {
  // Held against the contract before.
  return body as Problem;
}

async function call(
  { url, default: sandbox }: SandboxServer,
  times: number,
  operation = 'get-all-instructors',
): Promise<void> {
  for (let number = 0; number < times; number += 1) {
    await supertest(url)
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: [{ data: {} }] });
  }
}

const product = (number: number, title = 'x') => ({
  id: number.toString(16).padStart(24, '0'),
  schoolId: schools.riverside,
  title,
});

const ids = ({ body }: supertest.Response): readonly string[] =>
  (body as { readonly entries: readonly { readonly requestId: string }[] }).entries.map(
    ({ requestId }) => requestId,
  );

const rules = (count: number) => ({
  name: 'own',
  script: {
    summary: 'x',
    rules: Array.from({ length: count }, () => ({ fault: 'reset', operation: 'get-quiz-details' })),
  },
});

describe('the expectations of one request', () => {
  it('are counted before they are looked at, counts and sequence together', async () => {
    const { ask } = await limited({ expectations: 3 });
    const three = { counts: [{ times: 0 }, { times: 0 }], sequence: [{ operation: 'get-quiz-details' }] };
    expect((await ask('POST', '/journal/verify', three)).status).toBe(200);
    const refused = await ask('POST', '/journal/verify', { counts: three.counts, sequence: [0, 0] });
    expect(refused.status).toBe(400);
    expect(problemOf(refused).violations).toEqual([
      {
        pointer: '/sequence',
        message:
          'brings the number of expectations to 4; the limit of this server is 3 (expectations). Use several requests.',
      },
    ]);
  });

  it('wait in a limited number of requests, which end and make room', async () => {
    const { server, ask } = await limited({ verifies: 1 });
    const waiting = server.default.journal.verify({
      counts: [{ operation: 'get-all-instructors' }],
      waitMs: 60_000,
    });
    const refused = await ask('POST', '/journal/verify', { counts: [{}] });
    expect(refused.status).toBe(503);
    expect(problemOf(refused).detail).toMatch(
      /^1 requests are verifying this journal, the maximum number \(1, verifies\)\./,
    );
    await call(server, 1);
    expect(await waiting).toMatchObject({ holds: true });
    expect((await ask('POST', '/journal/verify', { counts: [{}] })).status).toBe(200);
  });
});

describe('the journal', () => {
  it('is told in pages of the newest, unless more are asked for; from code it is told whole', async () => {
    const { server, ask } = await limited({ journalPage: 5 });
    await call(server, 12);
    const page = await ask('GET', '/journal');
    expect(page.body).toMatchObject({ more: true });
    const whole = await ask('GET', '/journal?limit=100');
    expect(whole.body).toMatchObject({ more: false });
    expect(ids(whole)).toHaveLength(12);
    expect(ids(page)).toEqual(ids(whole).slice(7));
    const next = await ask('GET', `/journal?since=${ids(whole)[1]}`);
    expect(ids(next)).toEqual(ids(whole).slice(2, 7));
    const listed = await server.default.journal.list();
    expect(listed.map(({ requestId }) => requestId)).toEqual(ids(whole));
    const late = await server.default.journal.list({ since: ids(whole)[3] ?? '' });
    expect(late.map(({ requestId }) => requestId)).toEqual(ids(whole).slice(4));
    expect(await server.default.journal.list({ limit: 2 })).toHaveLength(2);
  });
});

describe('an import', () => {
  it('of 125,000 records that do not fit is answered with the first violations and the number of the others', async () => {
    const { ask, sandbox } = await controlled();
    const before = await sandbox.state.export();
    const refused = await ask('PUT', '/state', {
      collections: { products: Array.from({ length: 125_000 }, () => ({})) },
    });
    expect(refused.status).toBe(400);
    const { violations = [], detail } = problemOf(refused);
    expect(violations).toHaveLength(50);
    expect(violations[0]).toEqual({
      pointer: '/collections/products/0/id',
      message: 'is required, but missing.',
    });
    // A product has three fields that it must have.
    expect(detail.endsWith(` And ${125_000 * 3 - 50} more.`)).toBe(true);
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('of more bytes, records, or larger records than there may be changes nothing', async () => {
    const { server, ask } = await limited({
      importBytes: 20_000,
      importRecords: 3,
      recordBytes: 2000,
      recordValues: 100,
    });
    const before = await server.default.state.export();
    const imported = (products: readonly unknown[]): supertest.Test =>
      ask('PUT', '/state', { collections: { schools: before.collections['schools'], products } });
    const tooLong = await imported([product(1, 'x'.repeat(20_000))]);
    expect([tooLong.status, problemOf(tooLong).detail]).toEqual([
      413,
      expect.stringContaining('more than 20000 bytes'),
    ]);
    const tooMany = await imported([1, 2, 3, 4].map((number) => product(number)));
    expect([tooMany.status, problemOf(tooMany).violations]).toEqual([
      400,
      [
        {
          pointer: '/collections/products',
          message: 'has 4 records; the limit of this server is 3 (importRecords).',
        },
      ],
    ]);
    const tooLarge = await imported([
      product(1),
      product(2, 'x'.repeat(2000)),
      { ...product(3), title: Array.from({ length: 200 }, () => 0) },
    ]);
    expect([tooLarge.status, problemOf(tooLarge).violations]).toEqual([
      400,
      [
        {
          pointer: '/collections/products/1',
          message: 'has more than 2000 characters. This is a limit of this server (recordBytes).',
        },
        {
          pointer: '/collections/products/2',
          message: 'has more than 100 values. This is a limit of this server (recordValues).',
        },
      ],
    ]);
    expect(await server.default.state.export()).toEqual(before);
    expect((await imported([1, 2, 3].map((number) => product(number)))).status).toBe(204);
  });
});

describe('a body for the control plane', () => {
  it('is refused for the moment if the bodies that are handled leave no room for it', async () => {
    const { ask } = await limited({ bodiesInFlightBytes: 1_048_576 });
    const refused = await ask('PUT', '/state', {
      collections: { products: [product(1, 'x'.repeat(1_100_000))] },
    });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(problemOf(refused).detail).toContain('The limit bodiesInFlightBytes is 1048576 bytes.');
    // What is refused holds nothing, and neither does what was answered.
    for (let time = 0; time < 3; time += 1) {
      const { status } = await ask(
        'PUT',
        `/state/products/${product(1).id}`,
        product(1, 'x'.repeat(300_000)),
      );
      expect(status).toBe(200);
    }
  });

  it('counts with what it takes up in memory, not only with its bytes', async () => {
    const { ask } = await limited({ bodiesInFlightBytes: 1_048_576 });
    const dense = { ...product(1), more: Array.from({ length: 20_000 }, () => ({})) };
    expect((await ask('PUT', `/state/products/${product(1).id}`, dense)).status).toBe(503);
  });

  it('must not be compressed', async () => {
    const { server } = await limited({});
    const refused = await supertest(server.url)
      .put('/control/sandboxes/default/state')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .send('{}');
    expect([refused.status, problemOf(refused).detail]).toEqual([
      415,
      'The body is compressed (Content-Encoding). Send it uncompressed.',
    ]);
  });
});

describe('a body other than an import', () => {
  it('has fewer bytes and values', async () => {
    const { server, ask } = await limited({ recordBytes: 2000, recordValues: 100 });
    const { id } = product(1);
    expect((await ask('PUT', `/state/products/${id}`, product(1, 'x'.repeat(1000)))).status).toBe(200);
    expect((await ask('PUT', `/state/products/${id}`, product(1, 'x'.repeat(2000)))).status).toBe(413);
    const many = await ask('POST', '/journal/verify', { counts: Array.from({ length: 101 }, () => 0) });
    expect([many.status, problemOf(many).violations]).toEqual([
      400,
      [{ pointer: '', message: 'has more than 100 values. This is a limit of this server (recordValues).' }],
    ]);
    // It is short, and what comes of it would not be.
    const patched = await ask('PATCH', `/state/products/${id}`, { title: 'x'.repeat(1900) });
    expect(patched.status).toBe(200);
    expect(await server.default.state.get('products', id)).toEqual(product(1, 'x'.repeat(1900)));
  });

  it('is measured as JSON, where some characters take six', async () => {
    const { ask } = await limited({ recordBytes: 2000, recordValues: 100 });
    const { id } = product(1);
    for (const [character, most] of [
      ['x', 1900],
      ['\u0001', 310],
      ['\ud800', 310],
    ] as const) {
      const put = (count: number) => ask('PUT', `/state/products/${id}`, product(1, character.repeat(count)));
      expect((await put(most)).status).toBe(200);
      const refused = await put(most + 50);
      expect([413, 400]).toContain(refused.status);
      expect(problemOf(refused).detail).toContain('recordBytes');
    }
  });

  it('gets a list of only some missing references, without the id of the record', async () => {
    const { ask } = await controlled();
    const id = '~'.repeat(4000);
    const schoolIds = Array.from({ length: 40_000 }, () => 'm');
    const instructor = { id, schoolIds, userId: 'm', name: 'A', email: 'a@school.example' };
    const refused = await ask('PUT', `/state/instructors/${id}`, {
      ...instructor,
      profilePhotoUrl: '/a.png',
      tagline: '',
      longDescriptionMarkdown: '',
      createdAt: '2026-01-05T09:00:00.000Z',
      lastUpdatedAt: '2026-01-05T09:00:00.000Z',
    });
    const { violations = [], detail } = problemOf(refused);
    expect([refused.status, violations.length]).toEqual([400, 50]);
    expect(violations[0]).toEqual({
      pointer: '/schoolIds',
      message: 'must name a record of schools, but is the string "m".',
    });
    expect(detail.endsWith(` And ${40_001 - 50} more.`)).toBe(true);
  });

  it('gets errors in which long names are shortened', async () => {
    const { ask } = await controlled();
    const long = '~'.repeat(100_000);
    const parameters = Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`k${number}`, 1]));
    const rule = { operation: [long], fault: 'timeout', match: { parameters } };
    const refused = [
      await ask('PUT', '/scenario', { name: 'x', script: { summary: 's', rules: [rule] } }),
      await ask('PUT', '/scenario', { name: long }),
      await ask('PUT', '/state', { collections: { [long]: [] } }),
      await ask('PUT', '/state', { collections: { schools: [{ [long]: 1 }] } }),
      await ask('PATCH', '/assumptions', { [long]: 'x' }),
      await ask('POST', '/journal/verify', { [long]: 1 }),
      await ask('PUT', `/state/products/p1`, { ...product(1), [long]: 1 }),
      await ask('GET', `/state/products/${'x'.repeat(10_000)}`),
    ];
    expect(refused.map(({ status, text }) => status >= 400 && status < 500 && text.length < 10_000)).toEqual(
      refused.map(() => true),
    );
  });

  it('is told only some of what is wrong with it', async () => {
    const { ask } = await controlled();
    const wrong = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`wrong${number}`, 'x']));
    for (const [method, path, body] of [
      ['PATCH', '/assumptions', wrong],
      ['PUT', '/limits', { operations: Object.fromEntries(Object.keys(wrong).map((name) => [name, 1])) }],
    ] as const) {
      const refused = await ask(method, path, body);
      const { violations = [], detail } = problemOf(refused);
      expect([refused.status, violations.length, detail.endsWith(' And 10 more.')]).toEqual([400, 50, true]);
    }
    const rule = await ask('POST', '/faults', { fault: 'reset', with: wrong, match: { parameters: wrong } });
    expect(problemOf(rule).violations).toEqual([
      { pointer: '/match/parameters', message: 'must have at most 50 fields.' },
      { pointer: '/with', message: 'must have at most 50 fields.' },
    ]);
  });
});

describe('the snapshots of a sandbox', () => {
  it('hold a limited number of changed records together', async () => {
    const { server, ask } = await limited({ snapshotRecords: 3, snapshots: 3 });
    await server.default.state.put('products', product(1));
    expect((await ask('PUT', '/snapshots/one')).status).toBe(200);
    await server.default.state.put('products', product(2));
    expect((await ask('PUT', '/snapshots/two')).status).toBe(200);
    const refused = await ask('PUT', '/snapshots/three');
    expect(refused.status).toBe(503);
    expect(problemOf(refused).detail).toBe(
      'The snapshots of a sandbox can store 3 changed records in total (snapshotRecords). The other snapshots have 3, and this one would have 2. Remove a snapshot, or export the state instead.',
    );
    // One that is replaced makes room for its successor.
    expect((await ask('PUT', '/snapshots/one')).status).toBe(503);
    expect((await ask('PUT', '/snapshots/two')).status).toBe(200);
    await ask('DELETE', '/snapshots/one');
    expect((await ask('PUT', '/snapshots/three')).status).toBe(503);
    await ask('DELETE', '/snapshots/two');
    expect((await ask('PUT', '/snapshots/three')).status).toBe(200);
  });

  it('are a limited number', async () => {
    const { ask } = await limited({ snapshots: 1 });
    await ask('PUT', '/snapshots/one');
    expect((await ask('PUT', '/snapshots/two')).status).toBe(409);
    expect((await ask('PUT', '/snapshots/one')).status).toBe(200);
  });
});

describe('the rules of a sandbox', () => {
  it('are a limited number, those of a scenario included', async () => {
    const { ask } = await limited({ faultRules: 2 });
    expect((await ask('POST', '/faults', { fault: 'reset' })).status).toBe(201);
    const refused = await ask('PUT', '/scenario', rules(2));
    expect(refused.status).toBe(503);
    expect(problemOf(refused).detail).toBe(
      'The sandbox would have 3 fault rules; the limit is 2 (faultRules). Remove rules first. This is a limit of this server, not of the platform; --max faultRules=3 changes it.',
    );
    expect((await ask('PUT', '/scenario', rules(1))).status).toBe(200);
    expect((await ask('POST', '/faults', { fault: 'reset' })).status).toBe(503);
    expect((await ask('PUT', '/scenario', rules(2))).status).toBe(503);
    expect((await ask('DELETE', '/scenario')).status).toBe(204);
    expect((await ask('POST', '/faults', { fault: 'reset' })).status).toBe(201);
    // So it is with a scenario that is named, whose rules are known only when it has been read.
    expect((await ask('PUT', '/scenario', { name: 'key-revoked' })).status).toBe(503);
    await ask('DELETE', '/faults/reset-2');
    expect((await ask('PUT', '/scenario', rules(1))).status).toBe(200);
    // Another scenario takes the place of this one.
    expect((await ask('PUT', '/scenario', rules(1))).status).toBe(200);
    expect((await ask('GET', '/faults')).body).toMatchObject({ rules: [{ id: 'own-1' }, { id: 'reset-1' }] });
  });
});

describe('a query of the journal', () => {
  it('with thousands of wrong names has as many violations as any list, and the number of the others', async () => {
    const { ask } = await limited({ violations: 3 });
    const names = Array.from({ length: 2000 }, (_, number) => `n${number}`);
    const problem = problemOf(await ask('GET', `/journal?${names.join('&')}`).expect(400));
    expect(problem.violations).toHaveLength(3);
    expect(problem.detail).toContain('1997');
  });

  it('may have a second question mark, which is part of a value', async () => {
    const { ask } = await limited({});
    const { violations } = problemOf(await ask('GET', '/journal?limit=1?foo=2').expect(400));
    expect(violations).toEqual([
      { pointer: '/limit', message: 'must be a whole number above 0, but is the string "1?foo=2".' },
    ]);
  });
});
