import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  startSandbox,
  ValidationError,
  type JournalEntry,
  type JournalFilter,
  type SandboxHandle,
} from '../../src/index.ts';
import type { Violation } from '../../src/base/violation.ts';
import { coupon, items, learner, quiz } from '../support/demo.ts';
import {
  aQuiz,
  callText,
  openPlace,
  openWire,
  repliesIn,
  stopRealTime,
  type WireCall,
} from '../support/wire.ts';
import { serve } from '../support/serve.ts';
import { sharedServer, world } from '../support/world.ts';

interface Page {
  readonly entries: readonly JournalEntry[];
  readonly evicted: number;
  readonly more: boolean;
}

/** What GET on a sandbox's journal answers; `rest` is what follows its path. */
async function get(
  { baseUrl, id }: SandboxHandle,
  rest: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${baseUrl}/control/sandboxes/${id}/journal${rest}`);
  return { status: response.status, text: await response.text() };
}

async function pageOf(sandbox: SandboxHandle, filter: JournalFilter = {}): Promise<Page> {
  const query = new URLSearchParams(
    Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, text } = await get(sandbox, `?${query.toString()}`);
  expect(status, text).toBe(200);
  // As openapi/control.yaml has it.
  return JSON.parse(text) as Page;
}

const idsOf = (entries: readonly JournalEntry[]): readonly string[] =>
  entries.map(({ requestId }) => requestId);

/** The only exchange that there is. */
async function only(sandbox: SandboxHandle): Promise<JournalEntry> {
  const [entry, ...more] = await sandbox.journal.list();
  expect(more).toEqual([]);
  if (entry === undefined) throw new Error('The journal is empty');
  return entry;
}

/** What a test knows of its own call. */
interface Known {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly school: string;
  readonly outcome: string;
}

/** A sandbox with twelve calls, two at each of six moments: what they were, by what the test itself did. */
async function twelveCalls(): Promise<{ readonly sandbox: SandboxHandle; readonly known: readonly Known[] }> {
  const { sandbox, call } = await world({ clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' } });
  const known: Known[] = [];
  const kinds = [
    {
      operation: 'get-quiz-details',
      parameters: { quizId: quiz.id },
      school: 'riverside',
      outcome: 'ok',
      fault: null,
    },
    {
      operation: 'get-quiz-details',
      parameters: { quizId: 'missing' },
      school: 'hillcrest',
      outcome: 'element-error',
      fault: null,
    },
    {
      operation: 'get-course-item-data',
      parameters: { courseItemId: items.article },
      school: 'riverside',
      outcome: 'ok',
      fault: null,
    },
    {
      operation: 'get-quiz-details',
      parameters: { quizId: quiz.id },
      school: 'riverside',
      outcome: 'fault',
      fault: 'delay; ms=1',
    },
  ];
  for (let number = 0; number < 12; number += 1) {
    const { operation, parameters, school, outcome, fault } = kinds[number % kinds.length] ?? kinds[0]!;
    const sent = call(operation, parameters, school);
    const reply = await (fault === null ? sent : sent.set('Sandbox-Fault', fault));
    known.push({
      id: String(reply.headers['sandbox-request-id']),
      at: await sandbox.clock.now(),
      operation,
      school,
      outcome,
    });
    if (number % 2 === 1) await sandbox.clock.advance({ seconds: 10 });
  }
  return { sandbox, known };
}

/** Each of the values, and none of them. */
function every<T>(...values: readonly T[]): readonly (T | undefined)[] {
  return [undefined, ...values];
}

describe('the filters of the journal', () => {
  it('hold together, in any combination', { tags: ['slow'] }, async () => {
    const { sandbox, known } = await twelveCalls();
    // Of each filter one value that much fits, and where it matters one that little or nothing fits beside
    // the others.
    const filters = every('get-quiz-details', 'list-assignments').flatMap((operation) =>
      every('ok').flatMap((outcome) =>
        every('riverside', 'hillcrest').flatMap((school) =>
          every(known[4]?.id, known[4]?.at, known[11]?.id).flatMap((since) =>
            every(1, 3).map((limit) => ({ operation, outcome, school, since, limit })),
          ),
        ),
      ),
    );
    for (const wanted of filters) {
      const { operation, outcome, school, since, limit = known.length } = wanted;
      const place = known.findIndex(({ id }) => id === since);
      const fitting = known.filter(
        (one, at) =>
          (operation === undefined || one.operation === operation) &&
          (outcome === undefined || one.outcome === outcome) &&
          (school === undefined || one.school === school) &&
          (since === undefined || (place < 0 ? one.at >= since : at > place)),
      );
      const expected = since === undefined ? fitting.slice(-limit) : fitting.slice(0, limit);
      const filter = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const { entries, more } = await pageOf(sandbox, filter);
      const found = { ids: idsOf(entries), more };
      expect(found, JSON.stringify(filter)).toEqual({
        ids: expected.map(({ id }) => id),
        more: expected.length < fitting.length,
      });
      expect(idsOf(await sandbox.journal.list(filter))).toEqual(found.ids);
    }
  });

  it('take a moment of any offset, and include the very moment', { tags: ['slow'] }, async () => {
    const { sandbox, known } = await twelveCalls();
    expect(idsOf((await pageOf(sandbox, { since: '2026-02-11T10:30:50+01:00' })).entries)).toEqual(
      known.slice(10).map(({ id }) => id),
    );
    expect(idsOf((await pageOf(sandbox, { since: '2026-02-11T09:30:50.001Z' })).entries)).toEqual([]);
  });

  it.each([1, 2, 5, 11, 12, 13])(
    'lead through everything in pages of %i, without gaps or repeats',
    { tags: ['slow'] },
    async (limit) => {
      const { sandbox, known } = await twelveCalls();
      for (const filter of [{}, { operation: 'get-quiz-details' }, { outcome: 'ok', school: 'riverside' }]) {
        const all = known.filter((one) =>
          Object.entries(filter).every(([name, value]) => one[name as keyof Known] === value),
        );
        const read: string[] = [];
        // From a moment before all of them on.
        let since = '2026-01-01T00:00:00Z';
        for (let more = true; more;) {
          const page = await pageOf(sandbox, { ...filter, since, limit });
          read.push(...idsOf(page.entries));
          since = read.at(-1) ?? since;
          more = page.more;
          expect(read.length).toBeLessThanOrEqual(all.length);
        }
        expect(read).toEqual(all.map(({ id }) => id));
      }
    },
  );

  it.each(['0', '-1', '1.5', 'ten', '', 'NaN', 'Infinity'])('refuse a limit of "%s"', async (limit) => {
    const { sandbox } = await world();
    const { status, text } = await get(sandbox, `?limit=${limit}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      title: 'Invalid input',
      violations: [{ pointer: '/limit', message: expect.stringContaining('must be a whole number above 0') }],
    });
  });

  it.each([
    [
      'operation=get-quiz-detail',
      '/operation',
      'is not an operation: the string "get-quiz-detail". Did you mean "get-quiz-details"?',
    ],
    ['since=2026-01-01', '/since', 'must be a request id of this sandbox, such as sandbox-'],
    ['since=default-1', '/since', 'must be a request id of this sandbox, such as sandbox-'],
    ['school=riversid', '/school', 'Did you mean "riverside"?'],
    ['scope=%20', '/scope', 'must not be blank.'],
    [
      'outcome=elment-error',
      '/outcome',
      'is not an outcome: the string "elment-error". Did you mean "element-error"?',
    ],
    ['since=yesterday', '/since', 'or an ISO 8601 date-time, but is the string "yesterday".'],
    ['since=', '/since', 'or an ISO 8601 date-time, but is the string "".'],
  ])('refuse %s', async (query, pointer, message) => {
    const { sandbox } = await world();
    const { status, text } = await get(sandbox, `?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      violations: [{ pointer, message: expect.stringContaining(message) }],
    });
  });

  it('are refused with all that is wrong with them, from code too', async () => {
    const { sandbox } = await world();
    const { status, text } = await get(
      sandbox,
      '?operaton=get-quiz-details&colour=red&outcome=ok&outcome=fault&limit=0',
    );
    expect(status).toBe(400);
    // As openapi/control.yaml has it.
    const { detail, violations } = JSON.parse(text) as {
      readonly detail: string;
      readonly violations: readonly Violation[];
    };
    expect(violations.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/colour',
      '/limit',
      '/operaton',
      '/outcome',
    ]);
    for (const { pointer, message } of violations) expect(detail).toContain(`${pointer} ${message}`);
    expect(detail).toContain('operation, outcome, school, scope, text, since, limit');
    const refused = sandbox.journal.list({ limit: 0 });
    await expect(refused).rejects.toBeInstanceOf(ValidationError);
    await expect(refused).rejects.toMatchObject({ violations: [{ pointer: '/limit' }] });
  });
});

describe('an exchange is in the journal before its reply has left:', () => {
  it.each([
    ['an answer', aQuiz, 'ok'],
    ['an error', { ...aQuiz, elements: [{ quizId: 'missing' }] }, 'element-error'],
    ['a fault', { ...aQuiz, fault: 'http-error; status=503' }, 'fault'],
    ['a slow fault', { ...aQuiz, fault: 'delay; ms=5' }, 'fault'],
  ])('%s', async (_, called, outcome) => {
    const { sandbox, wire, send } = await openPlace();
    for (let number = 1; number <= 5; number += 1) {
      send(called);
      await wire.hear((heard) => repliesIn(heard).whole.length === number);
      expect((await sandbox.journal.list()).map((entry) => entry.outcome)).toEqual(
        Array(number).fill(outcome),
      );
    }
  });

  it('a refusal', async () => {
    const { sandbox, wire } = await openPlace();
    wire.send(callText(sandbox, aQuiz).replace('_riverside', '_nowhere'));
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    expect(await only(sandbox)).toMatchObject({ outcome: 'invalid-key', status: 401, school: null });
  });

  it.each([
    ['reset', 'ECONNRESET', 0],
    ['empty-response', 'in order', 0],
    ['truncated-body; bytes=5', 'in order', 200],
  ])('a connection that ends by %s', async (fault, ending, status) => {
    const { sandbox, wire, send } = await openPlace();
    send({ ...aQuiz, fault });
    expect(await wire.ended).toBe(ending);
    expect(await only(sandbox)).toMatchObject({
      outcome: 'fault',
      status,
      faults: [{ fault: fault.split(';')[0], rule: null }],
    });
  });

  it('a silence, which is there as soon as it begins', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'timeout' });
    let entries = await sandbox.journal.list();
    for (let turn = 0; entries.length === 0 && turn < 10_000; turn += 1) {
      await new Promise(setImmediate);
      entries = await sandbox.journal.list();
    }
    expect(entries).toMatchObject([
      { outcome: 'fault', status: 0, response: '', faults: [{ fault: 'timeout' }] },
    ]);
    expect(wire.heard()).toBe('');
  });

  it('a body that drips, which is there when the head comes', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'slow-body' });
    await wire.hear((heard) => heard.includes('\r\n\r\n'));
    expect(repliesIn(wire.heard()).whole).toEqual([]);
    expect(await only(sandbox)).toMatchObject({
      outcome: 'fault',
      status: 200,
      faults: [{ fault: 'slow-body' }],
    });
  });

  it('any of many that come at once', { tags: ['slow'] }, async () => {
    const { sandbox, call } = await world();
    const seen = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const reply = await call('get-quiz-details', { quizId: quiz.id });
        return sandbox.journal.get(String(reply.headers['sandbox-request-id']));
      }),
    );
    expect(seen).not.toContain(null);
    expect(new Set(seen.map((entry) => entry?.requestId)).size).toBe(40);
  });
});

/** A call of Riverside with a body that is given as it stands. */
function textOf(sandbox: SandboxHandle, body: string, ...headers: readonly string[]): string {
  const head = [
    'POST /public/get-quiz-details HTTP/1.1',
    'Host: sandbox.example',
    `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
    'Content-Type: application/json',
    ...(headers.length > 0 ? headers : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** What the journal keeps of a body, as documented. */
const maxKeptChars = 64 * 1024;

describe('of a call the journal keeps', () => {
  it('the headers as they were sent, several of one name as a list', async () => {
    const { sandbox, wire } = await openPlace();
    wire.send(
      textOf(
        sandbox,
        '{"data":[]}',
        'Content-Length: 11',
        'X-Trace: one',
        'x-trace: two',
        'Traceparent: 00-ab-cd-01',
      ),
    );
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    const [reply] = repliesIn(wire.heard()).whole;
    const { requestHeaders, responseHeaders } = await only(sandbox);
    expect(requestHeaders).toMatchObject({
      host: 'sandbox.example',
      'content-type': 'application/json',
      'content-length': '11',
      'x-trace': 'one, two',
      traceparent: '00-ab-cd-01',
    });
    for (const [name, value] of Object.entries(responseHeaders))
      expect(reply?.headers[name], name).toBe(value);
    expect(responseHeaders).toMatchObject({
      'sandbox-request-id': `${sandbox.id}-1`,
      'content-type': expect.stringContaining('json'),
    });
  });

  it('the bodies as they were, whatever characters they have', async () => {
    const { sandbox, call } = await world();
    const quizId = 'größer "than" \\ 𝛑 \u2028 😀';
    const reply = await call('get-quiz-details', { quizId });
    const entry = await only(sandbox);
    expect(JSON.parse(entry.request)).toEqual({ data: [{ data: { quizId } }] });
    expect(entry.response).toBe(reply.text);
    expect(entry.url).toBe('/public/get-quiz-details');
  });

  it.each([-1, 0, 1, 20_000])(
    'a body up to 64 K characters, and how much of it was too much (%i)',
    async (beyond) => {
      const { sandbox, wire } = await openPlace();
      const known = Array.from({ length: 60 }, () => ({ data: { quizId: quiz.id } }));
      const bodyWith = (note: string): string =>
        JSON.stringify({ data: [...known, { data: { quizId: quiz.id, note } }] });
      const body = bodyWith('x'.repeat(maxKeptChars + beyond - bodyWith('').length));
      wire.send(textOf(sandbox, body));
      await wire.hear((heard) => repliesIn(heard).whole.length === 1);
      const { request, response, cut } = await only(sandbox);
      const answered = repliesIn(wire.heard()).whole[0]?.text ?? '';
      expect(request).toBe(body.slice(0, maxKeptChars));
      expect(response).toBe(answered.slice(0, maxKeptChars));
      expect(cut).toEqual({
        request: Math.max(0, beyond),
        response: Math.max(0, answered.length - maxKeptChars),
      });
      expect(answered.length).toBeGreaterThan(maxKeptChars);
    },
  );

  it('nothing of a body beyond 10 MB, but how long it was said to be', async () => {
    const { sandbox } = await world();
    const wire = await openWire(sandbox);
    wire.send(textOf(sandbox, '', 'Content-Length: 10485761'));
    expect(await wire.ended).toBe('in order');
    expect(await only(sandbox)).toMatchObject({
      outcome: 'too-large',
      request: '',
      cut: { request: 10_485_761, response: 0 },
    });
  });
});

/** Everything that tells of the only exchange of a sandbox: list, single exchange, HAR, stream. */
async function allThatIsTold(sandbox: SandboxHandle, id: string): Promise<string> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const told = [await get(sandbox, ''), await get(sandbox, `/${id}`), await get(sandbox, '.har')];
  const stream = await fetch(`${sandbox.baseUrl}/control/sandboxes/${sandbox.id}/journal/stream`, {
    headers: { 'Last-Event-ID': 'none' },
    signal: gone.signal,
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let streamed = '';
  while (!streamed.includes(`id: ${id}\n`) || !streamed.endsWith('\n\n'))
    streamed += (await reader?.read())?.value ?? '';
  for (const { status, text } of told) {
    expect(status).toBe(200);
    expect(text).toContain(id);
  }
  return [...told.map(({ text }) => text), streamed].join('\n');
}

/** Said as yes or no, so that a test that fails does not print everything that is told. */
function isIn(told: string, key: string): boolean {
  return told.includes(key);
}

describe('a key is nowhere whole', () => {
  it('of what is sent, wherever it stands', async () => {
    const { sandbox, post } = await world();
    const key = sandbox.apiKey('riverside');
    const reply = await post('list-assignments')
      .set('SERVICE-API-KEY', key)
      .set('Authorization', `Bearer ${key}`)
      .set('X-API-Key', key)
      .set('Cookie', `session=${key}`)
      .set('Referer', `https://client.example/?key=${key}&again=${key}`)
      .set('X-Debug', `key is ${key}!`)
      .query({ key, also: `${key}${key}` })
      .send({ data: [], key, [key]: [key, `${key}-${key}`] });
    const told = await allThatIsTold(sandbox, String(reply.headers['sandbox-request-id']));
    expect(isIn(told, key)).toBe(false);
    const { requestHeaders, request, url, key: shown } = await only(sandbox);
    // Else the sentence above could hold because nothing was kept.
    expect(shown).toMatch(/^sbx_.*….*$/);
    expect(requestHeaders['service-api-key']).toBe(shown);
    expect(requestHeaders['x-debug']).toBe(`key is ${shown}!`);
    expect(request).toBe(`{"data":[],"key":"${shown}","${shown}":["${shown}","${shown}-${shown}"]}`);
    expect(url).toContain('?key=');
  });

  it.each([
    ['a message about an unknown record', 'get-quiz-details', (key: string) => ({ quizId: key })],
    [
      'a message about a parameter',
      'submit-user-course-item',
      (key: string) => ({ userId: learner.id, courseItemId: items.article, shouldMarkAsCompleted: key }),
    ],
  ])('of what is answered: %s', async (_, operation, parameters) => {
    const { sandbox, call } = await world();
    const key = sandbox.apiKey('riverside');
    const reply = await call(operation, parameters(key));
    expect(isIn(await allThatIsTold(sandbox, String(reply.headers['sandbox-request-id'])), key)).toBe(false);
  });

  it('of a refusal that names what the header Sandbox-Fault has', async () => {
    const { sandbox } = await world();
    const key = sandbox.apiKey('riverside');
    const wire = await openWire(sandbox);
    wire.send(callText(sandbox, { ...aQuiz, fault: key }));
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    expect(isIn(await allThatIsTold(sandbox, `${sandbox.id}-1`), key)).toBe(false);
  });

  it.each([
    ['in Authorization', (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })],
    ['in X-API-Key', (key: string) => ({ headers: { 'X-API-Key': key } })],
    ['in another header', (key: string) => ({ headers: { 'Api-Key': key } })],
    ['in the query', (key: string) => ({ query: `?apiKey=${key}` })],
    ['in the body', (key: string) => ({ body: { data: [], apiKey: key } })],
  ])('where it was misplaced: %s', async (_, misplace) => {
    // The refusal is kept in the default sandbox's journal, which other tests use too.
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const sandbox = await server.createSandbox();
    const key = sandbox.apiKey('riverside');
    const {
      headers = {},
      query = '',
      body = { data: [] },
    }: { headers?: object; query?: string; body?: object } = misplace(key);
    const reply = await fetch(`${server.url}/public/list-assignments${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(401);
    expect(isIn(JSON.stringify(await only(server.default)), key)).toBe(false);
  });
});

/** Sends the same call many times over one connection, and waits for all replies. */
async function sendMany(sandbox: SandboxHandle, call: WireCall, times: number): Promise<void> {
  const wire = await openWire(sandbox);
  let replies = 0;
  const text = callText(sandbox, call);
  // In portions: each look at what came goes through all of it.
  for (let sent = 0; sent < times; sent += 200) {
    const portion = Math.min(200, times - sent);
    const before = wire.heard().length;
    wire.send(text.repeat(portion));
    await wire.hear((heard) => (heard.slice(before).match(/HTTP\/1\.1 200/g)?.length ?? 0) === portion);
    replies += portion;
  }
  expect(replies).toBe(times);
}

describe('of more than 2000 exchanges', () => {
  it(
    'the oldest make room, which is told wherever it matters; an emptied journal begins anew',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world();
      await sandbox.limits.set({ scale: null });
      const nothing = { operation: 'get-all-instructors', elements: [] };
      await sendMany(sandbox, nothing, 2000);
      expect(await pageOf(sandbox, { limit: 1 })).toMatchObject({ evicted: 0, more: true });
      expect(await sandbox.journal.get(`${sandbox.id}-1`)).not.toBeNull();

      await sendMany(sandbox, nothing, 7);
      const { entries, evicted, more } = await pageOf(sandbox, { limit: 2000 });
      expect({
        count: entries.length,
        oldest: entries[0]?.requestId,
        newest: entries.at(-1)?.requestId,
        evicted,
        more,
      }).toEqual({
        count: 2000,
        oldest: `${sandbox.id}-8`,
        newest: `${sandbox.id}-2007`,
        evicted: 7,
        more: false,
      });
      expect((await sandbox.describe()).exchanges).toBe(2000);
      expect(idsOf((await pageOf(sandbox, { since: `${sandbox.id}-2005` })).entries)).toEqual([
        `${sandbox.id}-2006`,
        `${sandbox.id}-2007`,
      ]);
      // Whoever comes back for what has gone gets all that is left.
      expect(idsOf((await pageOf(sandbox, { since: `${sandbox.id}-3`, limit: 1 })).entries)).toEqual([
        `${sandbox.id}-8`,
      ]);
      expect(await sandbox.journal.verify({ counts: [{ times: 2000 }] })).toMatchObject({
        holds: true,
        evicted: 7,
      });

      expect(await sandbox.journal.get(`${sandbox.id}-7`)).toBeNull();
      const missing = await get(sandbox, `/${sandbox.id}-7`);
      expect(missing.status).toBe(404);
      expect(JSON.parse(missing.text)).toMatchObject({
        title: 'Not Found',
        detail: `The journal has no entry "${sandbox.id}-7". 7 older entries were evicted.`,
      });

      await sandbox.journal.clear();
      expect(await pageOf(sandbox)).toEqual({ entries: [], evicted: 0, more: false });
      await sendMany(sandbox, nothing, 1);
      expect(idsOf(await sandbox.journal.list())).toEqual([`${sandbox.id}-2008`]);
      const other = await get(sandbox, `/${sandbox.id}-2007`);
      expect(other.status).toBe(404);
      expect(other.text).not.toContain('were evicted');
    },
  );
});

describe('an emptied journal', () => {
  it('is empty, and numbers go on', async () => {
    const { sandbox, call } = await world();
    await call('list-assignments');
    await call('list-assignments');
    await sandbox.journal.clear();
    expect(await sandbox.journal.list()).toEqual([]);
    expect((await sandbox.describe()).exchanges).toBe(0);
    await call('list-assignments');
    expect(idsOf(await sandbox.journal.list())).toEqual([`${sandbox.id}-3`]);
    expect(await sandbox.journal.get(`${sandbox.id}-2`)).toBeNull();
  });

  it('is restored once, with what came since behind it', async () => {
    const { sandbox, call } = await world();
    await call('list-assignments');
    await call('get-quiz-details', { quizId: quiz.id });
    await sandbox.journal.clear();
    await call('list-assignments');
    await sandbox.journal.restore();
    expect(idsOf(await sandbox.journal.list())).toEqual([1, 2, 3].map((number) => `${sandbox.id}-${number}`));
    expect(await sandbox.journal.get(`${sandbox.id}-2`)).toMatchObject({ operation: 'get-quiz-details' });
    await expect(sandbox.journal.restore()).rejects.toThrow('There are no deleted entries to restore.');
    expect(await sandbox.journal.list()).toHaveLength(3);
  });

  it('can be restored only until new entries need its memory', { tags: ['slow'] }, async () => {
    const { default: sandbox } = await serve({ max: { journalBytes: 50_000 }, limits: null });
    await sendMany(sandbox, aQuiz, 2);
    await sandbox.journal.clear();
    await sendMany(sandbox, aQuiz, 200);
    await expect(sandbox.journal.restore()).rejects.toThrow('the server needed the memory');
  });

  it('leaves the journals of others, and its own sandbox, as they are', async () => {
    const one = await world();
    const other = await world();
    await one.call('list-assignments');
    await other.call('list-assignments');
    await one.sandbox.state.patch('coupons', coupon.id, { description: 'Arranged' });
    await one.sandbox.journal.clear();
    expect(await other.sandbox.journal.list()).toHaveLength(1);
    expect(await one.sandbox.state.get('coupons', coupon.id)).toMatchObject({ description: 'Arranged' });
  });
});

describe('a single exchange', () => {
  it('is as in the list, with the command that repeats it', async () => {
    const { sandbox, call, url } = await world();
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', { quizId: 'missing' });
    for (const entry of await sandbox.journal.list()) {
      const { curl, ...same } = (await sandbox.journal.get(entry.requestId)) ?? { curl: '' };
      expect(same).toEqual(entry);
      expect(curl).toContain(`curl '${url}/public/get-quiz-details'`);
      expect(curl).toContain('$SANDBOX_API_KEY');
      expect(curl).toContain(entry.request);
    }
  });

  it('is null where there is none, and none of another sandbox', async () => {
    const { sandbox, call } = await world();
    await call('list-assignments');
    const other = await world();
    for (const id of ['', 'nothing', `${sandbox.id}-2`, `${sandbox.id}-1 `, '../journal', 'größer/%']) {
      expect(await sandbox.journal.get(id), id).toBeNull();
    }
    expect(await other.sandbox.journal.get(`${sandbox.id}-1`)).toBeNull();
    const { status, text } = await get(other.sandbox, `/${sandbox.id}-1`);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ detail: `The journal has no entry "${sandbox.id}-1".` });
  });
});

/** Lets everything that is on its way arrive; no timer ends meanwhile. */
async function turns(number = 20): Promise<void> {
  for (let turn = 0; turn < number; turn += 1) await new Promise(setImmediate);
}

describe('an expectation that waits', () => {
  const twice = { counts: [{ operation: 'get-quiz-details', times: 2 }] };

  it('holds as soon as the call comes, not before', async () => {
    stopRealTime();
    const { sandbox, call } = await world();
    let verdict: unknown = null;
    const judged = sandbox.journal.verify({ ...twice, waitMs: 60_000 }).then((held) => (verdict = held));
    await turns();
    await call('get-quiz-details', { quizId: quiz.id });
    await vi.advanceTimersByTimeAsync(1000);
    expect(verdict).toBeNull();
    await call('get-quiz-details', { quizId: quiz.id });
    await vi.advanceTimersByTimeAsync(1000);
    await judged;
    expect(verdict).toMatchObject({ holds: true, counts: [{ found: 2 }] });
  });

  it('holds over HTTP within its time, though the time is long', async () => {
    const { sandbox, call } = await world();
    const judged = fetch(`${sandbox.baseUrl}/control/sandboxes/${sandbox.id}/journal/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...twice, waitMs: 60_000 }),
    });
    await Promise.all([1, 2].map(() => call('get-quiz-details', { quizId: quiz.id })));
    expect(await (await judged).json()).toMatchObject({ holds: true });
  });

  it('is answered at once where it holds already', async () => {
    stopRealTime();
    const { sandbox } = await world();
    const counts = [{ operation: 'get-quiz-details', times: 0 }];
    expect(await sandbox.journal.verify({ counts, waitMs: 60_000 })).toMatchObject({ holds: true });
  });

  it('ends with the difference when its time is over', async () => {
    stopRealTime();
    const { sandbox, call } = await world();
    const counts = [{ operation: 'get-quiz-details', parameters: { quizId: quiz.id } }];
    let verdict: unknown = null;
    const judged = sandbox.journal.verify({ counts, waitMs: 500 }).then((held) => (verdict = held));
    await turns();
    await call('get-quiz-details', { quizId: 'another' });
    await vi.advanceTimersByTimeAsync(499);
    expect(verdict).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await judged;
    expect(verdict).toMatchObject({
      holds: false,
      counts: [
        {
          found: 0,
          nearest: {
            requestId: `${sandbox.id}-1`,
            differences: [{ at: expect.any(String), expected: quiz.id, actual: 'another' }],
          },
        },
      ],
    });
  });

  it('sees a call that comes just before the time is over', async () => {
    stopRealTime();
    const { sandbox, call } = await world();
    const judged = sandbox.journal.verify({ counts: [{ operation: 'get-quiz-details' }], waitMs: 500 });
    await turns();
    await vi.advanceTimersByTimeAsync(499);
    await call('get-quiz-details', { quizId: quiz.id });
    await vi.advanceTimersByTimeAsync(1);
    expect(await judged).toMatchObject({ holds: true });
  });

  it('lets several wait beside each other, and delays nobody', async () => {
    stopRealTime();
    const { sandbox, call } = await world();
    const judged = [1, 2, 3].map((times) =>
      sandbox.journal.verify({ counts: [{ operation: 'get-quiz-details', atLeast: times }], waitMs: 60_000 }),
    );
    await turns();
    // While no time passes, nothing that a verdict waits for can hold these up.
    for (let number = 0; number < 3; number += 1)
      expect((await call('get-quiz-details', { quizId: quiz.id })).status).toBe(200);
    await vi.advanceTimersByTimeAsync(100);
    expect((await Promise.all(judged)).map(({ holds }) => holds)).toEqual([true, true, true]);
  });

  it('does not see the calls of another sandbox', async () => {
    stopRealTime();
    const { sandbox } = await world();
    const other = await world();
    const judged = sandbox.journal.verify({ counts: [{ operation: 'get-quiz-details' }], waitMs: 500 });
    await turns();
    await other.call('get-quiz-details', { quizId: quiz.id });
    await vi.advanceTimersByTimeAsync(500);
    expect(await judged).toMatchObject({ holds: false, counts: [{ found: 0 }] });
  });
});

describe('expectations that do not fit are refused', () => {
  it('for operations that are not there, with all of them and what was meant', async () => {
    const { sandbox } = await world();
    const expectations = {
      counts: [{ operation: 'get-quiz-detail' }, {}],
      sequence: [{}, { operation: 'list-assignment' }],
      waitMs: 60_000,
    };
    const refused = sandbox.journal.verify(expectations);
    await expect(refused).rejects.toBeInstanceOf(ValidationError);
    await expect(refused).rejects.toMatchObject({
      violations: [
        {
          pointer: '/counts/0/operation',
          message: expect.stringContaining('Did you mean "get-quiz-details"?'),
        },
        {
          pointer: '/sequence/1/operation',
          message: expect.stringContaining('Did you mean "list-assignments"?'),
        },
      ],
    });
  });

  it.each([
    [{ waitMs: 60_001 }, '/waitMs'],
    [{ waitMs: -1 }, '/waitMs'],
    [{ counts: [{ times: -1 }] }, '/counts/0/times'],
    [{ counts: [{ operation: 1 }] }, '/counts/0/operation'],
    [{ sequence: [{ times: 1 }] }, '/sequence/0'],
    [{ count: [] }, ''],
  ])('for %j over HTTP', async (expectations, pointer) => {
    const { url } = await sharedServer();
    const reply = await fetch(`${url}/control/sandboxes/default/journal/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(expectations),
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ violations: [{ pointer: expect.stringContaining(pointer) }] });
  });
});
