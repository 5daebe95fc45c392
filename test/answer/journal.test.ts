import { supertest } from '../support/supertest.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toEntry } from '../../src/sandbox/journal-entry.ts';
import { answer } from '../../src/answer/answer.ts';
import type { Call } from '../../src/answer/call.ts';
import { chooseOptions } from '../../src/assumptions.ts';
import { ParameterCheckSource } from '../../src/contract/parameter-checks.ts';
import { startSandbox, type SandboxHandle } from '../../src/index.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { items, quiz } from '../support/demo.ts';
import { aQuiz, callText, openPlace, repliesIn } from '../support/wire.ts';
import { world } from '../support/world.ts';

describe('the journal', () => {
  it('keeps an exchange with all that it was', async () => {
    const { call, sandbox } = await world({ clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' } });
    const reply = await call('get-quiz-details', { quizId: 'größer' });
    const [entry, ...more] = await sandbox.journal.list();
    expect(more).toEqual([]);
    expect({ ...entry, assumed: entry?.assumed.toSorted() }).toEqual({
      requestId: reply.headers['sandbox-request-id'],
      at: '2026-02-11T09:30:00.000Z',
      receivedAt: expect.stringMatching(/^20\d\d-.*Z$/),
      durationMs: expect.any(Number),
      clientLeft: false,
      method: 'POST',
      operation: 'get-quiz-details',
      scope: null,
      page: null,
      school: 'riverside',
      key: expect.stringContaining('…'),
      keyElsewhere: [],
      address: '127.0.0.1',
      connection: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      connectionOpenedAt: expect.stringMatching(/^20\d\d-.*Z$/),
      connectionClosedAt: expect.toBeOneOf([null, expect.any(String)]),
      status: 200,
      outcome: 'element-error',
      outcomes: ['error'],
      failures: [{ element: 0, kind: 'not-found' }],
      faults: [],
      ruleChanges: expect.any(Number),
      violations: [],
      assumed: ['failureMessages', 'operationFailureStatus', 'unknownId'],
      request: '{"data":[{"data":{"quizId":"größer"}}]}',
      url: '/public/get-quiz-details',
      requestHeaders: expect.objectContaining({
        'content-type': 'application/json',
        'service-api-key': expect.stringContaining('…'),
      }),
      responseHeaders: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
      response: reply.text,
      cut: { request: 0, response: 0 },
    });
    expect(entry?.durationMs).toBeGreaterThan(0);
  });

  it('keeps what became of each element', async () => {
    const { batch, sandbox } = await world();
    await batch('get-course-item-data', [
      { courseItemId: items.article },
      { courseItemId: 1 },
      { courseItemId: items.draft },
    ]);
    await batch('get-course-item-data', [{ courseItemId: items.article }, { courseItemId: items.draft }]);
    await batch('get-course-item-data', []);
    const entries = await sandbox.journal.list();
    expect(entries.map(({ outcome, outcomes }) => [outcome, ...outcomes])).toEqual([
      ['element-error', 'ok', 'error', 'ok'],
      ['ok', 'ok', 'ok'],
      ['ok'],
    ]);
  });

  it('keeps refusals too, by their kind, newest last', { tags: ['slow'] }, async () => {
    const { call, batch, post, sandbox } = await world({
      assumptions: { invalidParameters: 'http-400', unknownId: 'http-404' },
    });
    const key = sandbox.apiKey('riverside');
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details').set('SERVICE-API-KEY', `sbx_${sandbox.id}_nowhere`);
    await post('get-quiz-details').set('SERVICE-API-KEY', key).send([]);
    await post('get-quiz-details').set('SERVICE-API-KEY', key).set('Content-Type', 'text/plain').send('text');
    await call('get-quiz-details', { quizId: 1 });
    await call('get-quiz-details', { quizId: 'missing' });
    await call('get-quiz-details', { quizId: 'x'.repeat(1_100_000) });
    for (let count = 0; count < 16; count += 1) await batch('get-all-instructors', [{}]);
    const entries = await sandbox.journal.list();
    expect(
      entries.slice(0, 7).map(({ status, outcome, outcomes }) => [status, outcome, outcomes.length]),
    ).toEqual([
      [200, 'ok', 1],
      [401, 'invalid-key', 0],
      [400, 'malformed', 0],
      [415, 'not-json', 0],
      [400, 'invalid-parameters', 0],
      [404, 'unknown-id', 0],
      [413, 'too-large', 0],
    ]);
    expect(entries.at(-1)).toMatchObject({
      status: 429,
      outcome: 'throttled',
      operation: 'get-all-instructors',
    });
  });

  it('of the default sandbox keeps calls whose key names no sandbox', async () => {
    const server = await startSandbox({ port: 0, autoCreate: false });
    onTestFinished(() => server.close());
    const call = supertest(server.url).post('/public/get-all-instructors');
    await call.set('SERVICE-API-KEY', 'sbx_elsewhere_riverside').send({ data: [{ data: {} }] });
    await supertest(server.url)
      .post('/public/get-all-instructors')
      .send({ data: [{ data: {} }] });
    const entries = await server.default.journal.list();
    expect(entries.map(({ outcome, school, key }) => ({ outcome, school, key }))).toEqual([
      { outcome: 'invalid-key', school: null, key: 'sbx_else…de' },
      { outcome: 'missing-key', school: null, key: null },
    ]);
  });

  it('can be asked for an operation, an outcome, or both', async () => {
    const { call, sandbox } = await world();
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', { quizId: 'missing' });
    await call('get-course-item-data', { courseItemId: 'missing' });
    await call('get-quiz-details').set('SERVICE-API-KEY', `sbx_${sandbox.id}_nowhere`);
    const numbers = async (filter: { operation?: string; outcome?: string }): Promise<readonly number[]> =>
      (await sandbox.journal.list(filter)).map(({ requestId }) =>
        Number(requestId.slice(sandbox.id.length + 1)),
      );
    expect(await numbers({})).toEqual([1, 2, 3, 4]);
    expect(await numbers({ operation: 'get-quiz-details' })).toEqual([1, 2, 4]);
    expect(await numbers({ outcome: 'element-error' })).toEqual([2, 3]);
    expect(await numbers({ operation: 'get-quiz-details', outcome: 'element-error' })).toEqual([2]);
    expect(await numbers({ outcome: 'invalid-key' })).toEqual([4]);
    expect(await numbers({ operation: 'get-all-instructors' })).toEqual([]);
  });

  it('never holds the key of a call whole', async () => {
    const { call, batch, post, sandbox } = await world();
    const key = sandbox.apiKey('riverside');
    await call('get-all-instructors');
    await batch('get-quiz-details', [{ quizId: 1 }, { quizId: 'missing' }]);
    await post('get-quiz-details').set('SERVICE-API-KEY', key).set('Content-Type', 'text/csv').send('text');
    const secret = `sbx_${sandbox.id}_a-secret-that-was-mistyped`;
    await call('get-all-instructors').set('SERVICE-API-KEY', secret);
    const text = JSON.stringify(await sandbox.journal.list());
    expect(text).not.toContain(secret);
    expect(text).not.toContain('mistyped');
    const answered = JSON.stringify(
      (await sandbox.journal.list()).filter(({ outcome }) => outcome !== 'invalid-key'),
    );
    expect(answered).not.toContain(key);
  });
});

/** The same call once for each of these blocks of lines, which stand behind its other headers. */
async function callsWith(...blocks: readonly (readonly string[])[]): Promise<SandboxHandle> {
  const { sandbox, wire } = await openPlace();
  const calls = blocks.map((lines) =>
    callText(sandbox, aQuiz).replace('\r\n\r\n', `\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`),
  );
  wire.send(calls.join(''));
  await wire.hear((heard) => repliesIn(heard).whole.length === blocks.length);
  return sandbox;
}

describe('the headers of calls on one connection', () => {
  it('are each its own in the journal, its HAR and its curl commands where only their values differ', async () => {
    const sandbox = await callsWith(
      ['X-Note: one', 'X-Other: same'],
      ['X-Note: two', 'X-Other: same'],
      ['X-Note: one', 'X-Other: else'],
    );
    const entries = await sandbox.journal.list();
    expect(
      entries.map(({ requestHeaders }) => [requestHeaders['x-note'], requestHeaders['x-other']]),
    ).toEqual([
      ['one', 'same'],
      ['two', 'same'],
      ['one', 'else'],
    ]);
    const har = JSON.stringify(await sandbox.journal.har());
    expect(har.match(/"x-note","value":"\w+"/g)).toEqual(
      ['one', 'two', 'one'].map((value) => `"x-note","value":"${value}"`),
    );
    const second = await sandbox.journal.get(entries[1]?.requestId ?? '');
    expect(second?.curl).toContain("-H 'x-note: two'");
  });

  it('are no others than its own where it has fewer, or more, than the one before', async () => {
    const sandbox = await callsWith(['X-Note: one'], [], ['X-Note: one', 'X-Other: more']);
    const names = (await sandbox.journal.list()).map(({ requestHeaders }) =>
      Object.keys(requestHeaders).filter((name) => name.startsWith('x-')),
    );
    expect(names).toEqual([['x-note'], [], ['x-note', 'x-other']]);
  });
});

async function newSandboxes(): Promise<Sandboxes> {
  const options = chooseOptions();
  const checks = await new ParameterCheckSource().checksUnder(options);
  return new Sandboxes(
    {
      seed: await readSeed('demo'),
      options,
      checks,
      randomSeed: 1,
      limitScale: null,
      scenario: null,
      labels: true,
    },
    {},
  );
}

function callWith(operation: Call['operation'], body: string): Call {
  const headers: Readonly<Record<string, string>> = {
    'service-api-key': 'sbx_default_riverside',
    'content-type': 'application/json',
  };
  return {
    operation,
    body,
    bodyBytes: body.length,
    bodyCutOff: false,
    bodyShortage: null,
    invalidByte: null,
    query: '',
    headers: [],
    trailers: [],
    authority: '',
    header: (name) => headers[name],
    connection: { openedMs: 0, closedMs: null },
    pipelined: false,
    address: '127.0.0.1',
    port: 4711,
    origin: 'http://sandbox.example',
  };
}

/** The request ids in the journal after so many calls, straight through `answer()`. */
async function journalOf(body: string, calls: number) {
  const sandboxes = await newSandboxes();
  const call = callWith('list-assignments', body);
  for (let count = 0; count < calls; count += 1) {
    let answered = answer(call, sandboxes, { observe: () => {}, defect: () => {} });
    // A long body waits for its turn.
    while ('resume' in answered) {
      const { wait, resume } = answered;
      await new Promise<void>((done) => void wait(done));
      answered = resume();
    }
  }
  return sandboxes.default.journal.stored.map((kept) => toEntry(kept).requestId);
}

describe('a call whose client has left before it begins', () => {
  it('has no effect, does not count against the rate limit, and is in the journal as that', async () => {
    const sandboxes = await newSandboxes();
    const { state, journal, limits } = sandboxes.default;
    limits.scale = 1;
    const body = JSON.stringify({ data: [{ data: { instructorEmail: 'new@school.example' } }] });
    const call = callWith('create-instructor-account', body);
    const reply = answer(call, sandboxes, { observe: () => {}, defect: () => {} }, true);
    expect(reply).toMatchObject({ status: 0, body: '' });
    expect(state.isChanged).toBe(false);
    expect([...limits.counters.all]).toEqual([]);
    expect(journal.stored.map((kept) => toEntry(kept))).toMatchObject([
      { operation: 'create-instructor-account', outcome: 'client-gone', clientLeft: true, status: 0 },
    ]);
    expect(sandboxes.default.requestsInFlight).toBe(0);
  });
});

describe('the journal is bounded', () => {
  it('to the newest 2000 exchanges', { tags: ['slow'] }, async () => {
    const kept = await journalOf('{"data":[{"data":{}}]}', 2345);
    expect({ count: kept.length, oldest: kept[0], newest: kept.at(-1) }).toEqual({
      count: 2000,
      oldest: 'default-346',
      newest: 'default-2345',
    });
  });

  it('to some 16 million characters, the oldest making room', { tags: ['slow'] }, async () => {
    const kept = await journalOf(`{"data":[{"data":{"padding":"${'x'.repeat(60_000)}"}}]}`, 300);
    expect(kept.at(-1)).toBe('default-300');
    expect(kept.length).toBeGreaterThan(270);
    expect(kept.length).toBeLessThan(280);
  });
});
