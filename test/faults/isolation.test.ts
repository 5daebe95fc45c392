import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { faultGroups } from '../../src/faults/index.ts';
import { startSandbox, type NewFaultRule, type SandboxHandle } from '../../src/index.ts';
import { labId, quiz } from '../support/demo.ts';
import { temporaryFolder } from '../support/command.ts';
import { supertest } from '../support/supertest.ts';
import { resultOf, sharedServer, world } from '../support/world.ts';

const faults = Object.values(faultGroups)
  .flat()
  .map(({ name }) => name);

/** A call that reads, in the way of a client that needs no reply. */
function ask(sandbox: SandboxHandle, header?: string): Test {
  const request = supertest(sandbox.baseUrl)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
  if (header !== undefined) request.set('Sandbox-Fault', header);
  return request.send({ data: [{ data: { quizId: quiz.id } }] });
}

async function counters({
  faults: rules,
}: SandboxHandle): Promise<readonly (readonly [matched: number, fired: number])[]> {
  return (await rules.list()).map(({ matched, fired }) => [matched, fired]);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await nextTurn();
}

describe('a rule of one sandbox', () => {
  it.each(faults)('never touches another: %s', async (fault) => {
    const [one, other] = [await world(), await world()];
    const expected = resultOf(await other.call('get-quiz-details', { quizId: quiz.id }));
    await one.sandbox.faults.add({ fault });
    for (const school of ['riverside', 'hillcrest'])
      expect((await other.call('get-all-instructors', {}, school)).status).toBe(200);
    const reply = await other.call('get-quiz-details', { quizId: quiz.id });
    expect(resultOf(reply)).toEqual(expected);
    expect(reply.headers).not.toHaveProperty('sandbox-fault');
    expect(await other.sandbox.faults.list()).toEqual([]);
    expect((await other.sandbox.journal.list()).flatMap((entry) => entry.faults)).toEqual([]);
    expect(await counters(one.sandbox)).toEqual([[0, 0]]);
  });

  it('counts the calls of its own sandbox, beside a rule of the same name elsewhere', async () => {
    const [one, other] = [await world(), await world()];
    const rule: NewFaultRule = { id: 'x', fault: 'throttled', when: { first: 3 } };
    for (const { sandbox } of [one, other]) await sandbox.faults.add(rule);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, number) => ask(number < 15 ? one.sandbox : other.sandbox)),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(6);
    expect([await counters(one.sandbox), await counters(other.sandbox)]).toEqual([[[15, 3]], [[5, 3]]]);
  });

  it('is removed there alone, also where that sandbox is reset', async () => {
    const places = [await world(), await world(), await world(), await world()] as const;
    for (const { sandbox } of places) await sandbox.faults.add({ id: 'x', fault: 'throttled' });
    await places[0].sandbox.faults.remove('x');
    await places[1].sandbox.faults.clear();
    await places[2].sandbox.reset();
    const statuses: number[] = [];
    for (const { sandbox } of places) statuses.push((await ask(sandbox)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('waits by the clock of that sandbox', async () => {
    const clock = { mode: 'frozen', now: '2026-10-15T09:00:00.000Z' } as const;
    const [one, other] = [await world({ clock }), await world({ clock })];
    for (const { sandbox } of [one, other])
      await sandbox.faults.add({ fault: 'delay', with: { ms: 600_000 }, when: { first: 1 } });
    const held = [ask(one.sandbox), ask(other.sandbox)].map((call) => call.then(({ status }) => status));
    await until(async () =>
      [...(await counters(one.sandbox)), ...(await counters(other.sandbox))].every(
        ([matched]) => matched === 1,
      ),
    );
    await one.sandbox.clock.advance({ seconds: 600 });
    expect(await held[0]).toBe(200);
    expect(await other.sandbox.journal.list()).toEqual([]);
    await other.sandbox.clock.advance({ seconds: 600 });
    expect(await held[1]).toBe(200);
  });

  it('is not one of a sandbox that a key opens', async () => {
    await using server = await startSandbox({ port: 0 });
    await server.default.faults.add({ fault: 'http-error' });
    const reply = await supertest(server.url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_opened-beside_riverside')
      .send({ data: [{ data: {} }] });
    expect(reply.status).toBe(200);
    expect(await (await server.sandbox('opened-beside'))?.faults.list()).toEqual([]);
    expect((await ask(server.default)).status).toBe(500);
  });

  it('is not one of a sandbox of the same name on another server', async () => {
    await using one = await startSandbox({ port: 0 });
    await using other = await startSandbox({ port: 0 });
    await one.default.faults.add({ fault: 'http-error' });
    expect([(await ask(one.default)).status, (await ask(other.default)).status]).toEqual([500, 200]);
  });
});

/** What is not an operation. */
const pages = [
  '/healthz',
  '/readyz',
  '/openapi.yaml',
  '/openapi.json',
  '/',
  '/assets/instructors/new.svg',
  '/media/none',
  '/nowhere',
];

/** The replies of everything beside the operations, as far as they are the same each time. */
async function pagesOf(url: string, header?: string): Promise<readonly { readonly status: number }[]> {
  const seen: { readonly status: number }[] = [];
  for (const path of pages) {
    const request = supertest(url).get(path).set('SERVICE-API-KEY', 'sbx_default_riverside');
    if (header !== undefined) request.set('Sandbox-Fault', header);
    const { status, type, headers, text, body } = await request;
    const content: unknown = text ?? body;
    const page = { path, status, type, content, label: headers['sandbox-fault'] };
    seen.push(page);
  }
  return seen;
}

describe('what is not an operation', () => {
  it(
    'is never touched by rules, be they of the default sandbox and about everything',
    { tags: ['slow'] },
    async () => {
      await using server = await startSandbox({ port: 0 });
      const before = await pagesOf(server.url);
      expect(before).toMatchObject(
        pages.map((path) => ({ path, status: path === '/media/none' || path === '/nowhere' ? 404 : 200 })),
      );
      for (const fault of ['http-error', 'reset', 'delay', 'garbage', 'extra-fields'] as const) {
        await server.default.faults.clear();
        await server.default.faults.add({ id: 'x', fault });
        expect(await pagesOf(server.url)).toEqual(before);
        expect(await counters(server.default)).toEqual([[0, 0]]);
      }
    },
  );

  it.each(['http-error; status=503', 'reset', 'timeout', 'delay; ms=600000', 'garbage', 'explode', ''])(
    'is never touched by a header: "%s"',
    { tags: ['slow'] },
    async (header) => {
      const { url } = await sharedServer();
      expect(await pagesOf(url, header)).toEqual(await pagesOf(url));
    },
  );

  it.each([
    ['names no operation', 'post', '/public/get-nothing', 404],
    ['is not made with POST', 'get', '/public/get-quiz-details', 405],
  ] as const)('is a request that %s: no fault strikes it', async (_, method, path, expected) => {
    await using server = await startSandbox({ port: 0 });
    await server.default.faults.add({ fault: 'reset' });
    const client = supertest(server.url);
    const { status, headers } = await client[method](path)
      .set('SERVICE-API-KEY', server.default.apiKey('riverside'))
      .set('Sandbox-Fault', 'garbage');
    expect({ status, label: headers['sandbox-fault'] }).toEqual({ status: expected });
    expect(await counters(server.default)).toEqual([[0, 0]]);
  });
});

/** Scenarios of this test's own. */
function scenarioFile(name: string, rules: string): string {
  const path = join(temporaryFolder(), `${name}.yaml`);
  writeFileSync(path, `summary: What a test needs.\nrules:\n  - ${rules}\n`);
  return path;
}

describe('a scenario', () => {
  it('plays in its own sandbox; two of one server play two at the same time', async () => {
    const down = scenarioFile(
      'down',
      '{ id: down, fault: http-error, with: { status: 503 }, when: { first: 2 } }',
    );
    const crowded = scenarioFile('crowded', '{ id: crowded, fault: throttled, when: { every: 2 } }');
    const places = [
      await world({ scenario: down }),
      await world({ scenario: crowded }),
      await world(),
    ] as const;
    const seen: number[][] = [[], [], []];
    for (let round = 0; round < 4; round += 1) {
      for (const [index, { sandbox }] of places.entries()) seen[index]?.push((await ask(sandbox)).status);
    }
    expect(seen).toEqual([
      [503, 503, 200, 200],
      [200, 429, 200, 429],
      [200, 200, 200, 200],
    ]);
    expect(await Promise.all(places.map(({ sandbox }) => sandbox.scenario.current()))).toEqual([
      'down',
      'crowded',
      null,
    ]);
  });

  it('that is begun, ended or begun anew in one sandbox goes on in another', async () => {
    const down = scenarioFile(
      'down',
      '{ id: down, fault: http-error, with: { status: 503 }, when: { skip: 1 } }',
    );
    const [one, other] = [await world({ scenario: down }), await world({ scenario: down })];
    for (const { sandbox } of [one, other]) await ask(sandbox);
    await one.sandbox.reset();
    expect([(await ask(one.sandbox)).status, (await ask(other.sandbox)).status]).toEqual([200, 503]);
    await one.sandbox.scenario.stop();
    expect([(await ask(one.sandbox)).status, (await ask(other.sandbox)).status]).toEqual([200, 503]);
    await one.sandbox.scenario.play(down);
    expect([(await ask(one.sandbox)).status, (await ask(other.sandbox)).status]).toEqual([200, 503]);
    expect([await counters(one.sandbox), await counters(other.sandbox)]).toEqual([[[1, 0]], [[4, 3]]]);
  });

  it(
    'of the whole server plays in each sandbox from the beginning, but not where one has its own, and never beside the operations',
    { tags: ['slow'] },
    async () => {
      const down = scenarioFile(
        'down',
        '{ id: down, fault: http-error, with: { status: 503 }, when: { first: 1 } }',
      );
      const crowded = scenarioFile('crowded', '{ id: crowded, fault: throttled, when: { first: 1 } }');
      await using server = await startSandbox({ port: 0, scenario: down });
      await using ordinary = await startSandbox({ port: 0 });
      const sandboxes = [
        server.default,
        await server.createSandbox(),
        await server.createSandbox({ scenario: crowded }),
      ];
      const seen: (readonly number[])[] = [];
      for (const sandbox of sandboxes) seen.push([(await ask(sandbox)).status, (await ask(sandbox)).status]);
      expect(seen).toEqual([
        [503, 200],
        [503, 200],
        [429, 200],
      ]);
      expect((await pagesOf(server.url)).map(({ status }) => status)).toEqual(
        (await pagesOf(ordinary.url)).map(({ status }) => status),
      );
    },
  );
});

describe('a fault that a call asks for', () => {
  it('strikes that call alone, whatever is under way beside it', { tags: ['slow'] }, async () => {
    const { call, sandbox } = await world({ clock: { mode: 'frozen', now: '2026-10-15T09:00:00.000Z' } });
    const expected = (await call('get-quiz-details', { quizId: quiz.id })).body as unknown;
    // A client that gets no reply, or a broken one, is none of this test's business.
    const struck = faults.map((fault) =>
      ask(sandbox, fault).then(
        () => null,
        () => null,
      ),
    );
    const sound = await Promise.all(
      Array.from({ length: 20 }, () => call('get-quiz-details', { quizId: quiz.id })),
    );
    for (const { status, headers, body } of sound) {
      expect({ status, body, label: headers['sandbox-fault'] }).toEqual({ status: 200, body: expected });
    }
    let over = false;
    const all = Promise.all(struck).then(() => (over = true));
    await until(async () => {
      await sandbox.clock.advance({ seconds: 60 });
      return over;
    });
    await all;
    expect(
      (await sandbox.journal.list({ outcome: 'fault' }))
        .flatMap((entry) => entry.faults.map(({ fault }) => fault))
        .toSorted(),
    ).toEqual(faults.toSorted());
  });

  it('keeps no other call from taking effect, be it held up for ever', async () => {
    const { call, sandbox } = await world({ clock: { mode: 'frozen', now: '2026-10-15T09:00:00.000Z' } });
    const held = ask(sandbox, 'timeout; phase=after').then(
      () => 'answered',
      () => 'broken',
    );
    await until(async () => (await sandbox.journal.list()).length > 0);
    resultOf(await call('update-interactive-coding-lab', { labId, labTitle: 'Changed' }));
    expect(await sandbox.state.get('labs', labId)).toHaveProperty('labTitle', 'Changed');
    await sandbox.clock.advance({ seconds: 300 });
    expect(await held).toBe('broken');
  });

  it('leaves nothing behind for the next call', async () => {
    const { call, sandbox } = await world();
    for (const header of ['http-error', 'element-error', 'unicode-strings', 'short-output, malformed-json']) {
      await ask(sandbox, header).then(
        () => null,
        () => null,
      );
      const reply = await call('get-quiz-details', { quizId: quiz.id });
      expect(resultOf(reply)['quizTitle']).toBe('Lists, Tuples and Dictionaries');
      expect(reply.headers).not.toHaveProperty('sandbox-fault');
    }
    expect(await sandbox.faults.list()).toEqual([]);
  });
});
