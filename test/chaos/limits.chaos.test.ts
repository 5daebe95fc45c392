import { expect, it } from 'vitest';
import { serverLimitNames, serverLimits, type ServerLimitName } from '../../src/base/server-limits.ts';
import { coupon } from '../support/demo.ts';
import { ask, call, Connection, requestText, type Reply } from './support/connection.ts';
import { phase, startServer, type Target } from './support/phase.ts';

const mib = 1_048_576;

/** A sandbox of its own in a server whose limits are low, and the ways to use it. */
interface Place {
  readonly port: number;
  /** Sends a batch of elements with these parameters. */
  batch(
    operation: string,
    elements: readonly object[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** Sends text as the body of a call, with a label at the end of the key. */
  post(
    operation: string,
    body: string,
    headers?: Readonly<Record<string, string>>,
    label?: string,
  ): Promise<Reply>;
  /** Sends a request to the control plane; the path begins behind the sandbox's id. */
  control(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Follows the journal. */
  stream(): Promise<{ readonly connection: Connection; readonly status: number }>;
}

/** What a limit is set to, and what happens just within it and just beyond it. */
interface Row {
  readonly value: number;
  within(place: Place): Promise<void>;
  beyond(place: Place): Promise<void>;
  /** Whether the limit needs a server with no other low limit. */
  readonly alone?: true;
}

/** One list of instructors of the demo school takes some 7 kB. */
const instructors = 'get-all-instructors';
/** Faults that change outputs, and nothing else. */
const shapes = [
  'extra-fields',
  'null-fields',
  'unicode-strings',
  'long-strings',
  'empty-lists',
  'missing-fields',
  'unknown-enum-values',
];

function longRule(length: number): object {
  return { fault: 'element-error', match: { parameters: { quizId: 'x'.repeat(length) } } };
}

function longDescription(length: number): object {
  return { description: 'x'.repeat(length) };
}

/** Requests to the control plane that are sent together. */
function pipelined(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => requestText('GET', '/control/sandboxes')));
}

/** An element with so many fields that nobody knows. */
function fieldsOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`field${number}`, number]));
}

function newInstructors(count: number): readonly object[] {
  return Array.from({ length: count }, (_, number) => ({ instructorEmail: `new${number}@school.example` }));
}

const rows: { readonly [N in ServerLimitName]: Row } = {
  callsPerSecond: {
    value: 1,
    alone: true,
    within: async ({ batch }) => expect((await batch(instructors, times(1))).status).toBe(200),
    beyond: async ({ batch }) => {
      const replies = await Promise.all([1, 2, 3].map(() => batch(instructors, times(1))));
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused.length).toBeGreaterThan(0);
      for (const reply of refused) expectLimit(reply, 503, 'callsPerSecond');
    },
  },
  replyBytes: {
    value: 20_000,
    within: async ({ batch }) => expect((await batch(instructors, times(2))).status).toBe(200),
    beyond: async ({ batch }) => expectLimit(await batch(instructors, times(3)), 413, 'replyBytes'),
  },
  editedReplyBytes: {
    value: 10_000,
    within: async ({ batch }) => expect((await batch(instructors, times(1), faults(1))).status).toBe(200),
    beyond: async ({ batch }) =>
      expectLimit(await batch(instructors, times(2), faults(1)), 413, 'editedReplyBytes'),
  },
  repliesInFlightBytes: {
    value: 2 * mib,
    alone: true,
    within: async ({ batch }) => expect((await batch(instructors, times(350))).status).toBe(200),
    beyond: async ({ batch }) => {
      const reply = await batch(instructors, times(1000));
      expectLimit(reply, 503, 'repliesInFlightBytes');
      expect(reply.headers['retry-after']).toBe('1');
      // What is refused holds nothing.
      expect((await batch(instructors, times(200))).status).toBe(200);
    },
  },
  pipelinedRequests: {
    value: 5,
    within: async ({ port }) => {
      const connection = new Connection(port);
      connection.send(pipelined(6));
      for (let request = 0; request < 6; request += 1)
        expect(await connection.next('GET', 10_000)).toMatchObject({ status: 200 });
      connection.destroy();
    },
    beyond: async ({ port }) => {
      const connection = new Connection(port);
      connection.send(pipelined(7));
      expect(await connection.next('GET', 10_000)).toHaveProperty('ended');
    },
  },
  bodiesInFlightBytes: {
    value: mib,
    alone: true,
    within: async ({ post }) => expect((await post('get-quiz-details', longText(900_000))).status).toBe(200),
    beyond: async ({ port, post }) => {
      // Clients that send most of a body, and no more.
      const half = requestText(
        'POST',
        '/public/get-quiz-details',
        { 'Content-Type': 'application/json' },
        longText(700_000),
      ).subarray(0, 650_000);
      const uploads = [new Connection(port), new Connection(port)];
      for (const upload of uploads) upload.send(half);
      const refused = await Promise.race(uploads.map((upload) => upload.next('POST', 10_000)));
      for (const upload of uploads) upload.destroy();
      if (refused === null || 'ended' in refused) throw new Error('Neither upload was refused.');
      expectLimit(refused, 503, 'bodiesInFlightBytes');
      expect(refused.headers['retry-after']).toBe('1');
      // Whoever goes away holds nothing.
      await expect.poll(async () => (await post('get-quiz-details', longText(900_000))).status).toBe(200);
    },
  },
  waitingCallsBytes: {
    value: 200_000,
    alone: true,
    within: async ({ batch }) =>
      expect((await batch('get-all-live-events', times(1), { 'Sandbox-Fault': 'delay; ms=1' })).status).toBe(
        200,
      ),
    beyond: async ({ post, batch }) => {
      const delayed = { 'Sandbox-Fault': 'delay; ms=1' };
      const reply = await post('get-quiz-details', valuesText(2000), delayed);
      expectLimit(reply, 503, 'waitingCallsBytes');
      expect(reply.headers['retry-after']).toBe('1');
      // What need not wait is answered, and what is refused holds nothing.
      expect((await post('get-quiz-details', valuesText(2000))).status).toBe(200);
      expect((await batch('get-all-live-events', times(1), delayed)).status).toBe(200);
    },
  },
  batchElements: {
    value: 5,
    within: async ({ batch }) => expect((await batch('get-all-live-events', times(1))).status).toBe(200),
    beyond: async ({ batch }) => expectLimit(await batch('get-quiz-details', times(6)), 413, 'batchElements'),
  },
  jsonValues: {
    value: 1000,
    within: async ({ post }) => expect((await post('get-quiz-details', valuesText(980))).status).toBe(200),
    beyond: async ({ post }) =>
      expectLimit(await post('get-quiz-details', valuesText(1001)), 413, 'jsonValues'),
  },
  objectFields: {
    value: 100,
    within: async ({ batch }) =>
      expect((await batch('get-all-live-events', [fieldsOf(100)])).status).toBe(200),
    beyond: async ({ batch }) =>
      expectLimit(await batch('get-all-live-events', [fieldsOf(101)]), 413, 'objectFields'),
  },
  faultsPerCall: {
    value: 3,
    within: async ({ batch }) =>
      expect((await batch('get-all-live-events', times(1), faults(3))).status).toBe(200),
    beyond: async ({ batch }) =>
      expect((await batch('get-all-live-events', times(1), faults(4))).status).toBe(400),
  },
  faultLabelBytes: {
    value: 100,
    within: async ({ batch }) => {
      const { headers } = await batch('get-all-live-events', times(1), faults(1));
      expect(headers['sandbox-fault']).toContain(shapes[0]);
    },
    beyond: async (place) => {
      const { headers } = await place.batch('get-all-live-events', times(1), {
        'Sandbox-Fault': longestLabel,
      });
      expect(headers['sandbox-fault']?.length).toBeGreaterThan(0);
      expect(headers['sandbox-fault']?.length).toBeLessThanOrEqual(100);
    },
  },
  faultRules: {
    value: 2,
    within: async ({ control }) => {
      for (let number = 0; number < 2; number += 1)
        expect((await control('POST', '/faults', { fault: 'http-error' })).status).toBe(201);
    },
    beyond: async ({ control }) =>
      expectProblem(await control('POST', '/faults', { fault: 'http-error' }), 503),
  },
  rateCounters: {
    value: 3,
    within: async (place) => expect(await countersAfter(place, ['a', 'b', 'c'])).toBe(3),
    beyond: async (place) => expect(await countersAfter(place, ['d', 'e', 'f', 'g'])).toBe(3),
  },
  journalEntries: {
    value: 3,
    within: async (place) => {
      for (let number = 0; number < 3; number += 1) await place.batch('get-all-live-events', times(1));
      expect(await journalOf(place)).toMatchObject({ evicted: 0 });
    },
    beyond: async (place) => {
      await place.batch('get-all-live-events', times(1));
      expect(await journalOf(place, '?limit=10')).toMatchObject({ evicted: 1, entries: { length: 3 } });
    },
  },
  journalBytes: {
    value: 150_000,
    within: async (place) => {
      await place.post('get-quiz-details', longText(50_000));
      expect(await journalOf(place)).toMatchObject({ evicted: 0 });
    },
    beyond: async (place) => {
      await place.post('get-quiz-details', longText(60_000));
      await place.post('get-quiz-details', longText(60_000));
      const { evicted } = await journalOf(place);
      expect(evicted).toBeGreaterThan(0);
    },
  },
  journalPage: {
    value: 2,
    within: async (place) => {
      for (let number = 0; number < 2; number += 1) await place.batch('get-all-live-events', times(1));
      expect(await journalOf(place)).toMatchObject({ more: false, entries: { length: 2 } });
    },
    beyond: async (place) => {
      await place.batch('get-all-live-events', times(1));
      expect(await journalOf(place)).toMatchObject({ more: true, entries: { length: 2 } });
    },
  },
  journalStreams: {
    value: 2,
    within: async ({ stream }) => {
      const streams = [await stream(), await stream()];
      expect(streams.map(({ status }) => status)).toEqual([200, 200]);
      for (const { connection } of streams) connection.destroy();
    },
    beyond: async ({ stream }) => {
      const streams = [await stream(), await stream(), await stream()];
      for (const { connection } of streams) connection.destroy();
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 503]);
    },
  },
  streamBytes: {
    value: 100_000,
    within: async (place) => {
      const { connection } = await place.stream();
      await place.post('get-quiz-details', longText(20_000));
      const heard = await heardFrom(connection, 'event: exchange');
      connection.destroy();
      expect(heard).not.toContain('event: gap');
    },
    beyond: async (place) => {
      const { connection } = await place.stream();
      connection.socket.pause();
      // More than the two sockets hold.
      for (let number = 0; number < 300; number += 1) await place.post('get-quiz-details', longText(60_000));
      connection.socket.resume();
      const heard = await heardFrom(connection, 'event: gap');
      connection.destroy();
      expect(heard).toContain('event: gap');
    },
  },
  expectations: {
    value: 3,
    within: async ({ control }) =>
      expect((await control('POST', '/journal/verify', expectations(2, 1))).status).toBe(200),
    beyond: async ({ control }) =>
      expectProblem(await control('POST', '/journal/verify', expectations(2, 2)), 400),
  },
  snapshots: {
    value: 2,
    within: async ({ control }) => {
      for (const name of ['a', 'b', 'b'])
        expect((await control('PUT', `/snapshots/${name}`)).status).toBe(200);
    },
    beyond: async ({ control }) => expectProblem(await control('PUT', '/snapshots/c'), 409),
  },
  snapshotRecords: {
    value: 1,
    within: async ({ control }) => {
      await control('PATCH', `/state/coupons/${coupon.id}`, { description: 'one' });
      expect((await control('PUT', '/snapshots/a')).status).toBe(200);
    },
    beyond: async ({ control }) => expectProblem(await control('PUT', '/snapshots/b'), 503),
  },
  faultRuleBytes: {
    value: 1100,
    within: async ({ control }) => expect((await control('POST', '/faults', longRule(900))).status).toBe(201),
    beyond: async ({ control }) => expectProblem(await control('POST', '/faults', longRule(1300)), 400),
  },
  stateRecords: {
    // Each instructor has two.
    value: 4,
    alone: true,
    within: async ({ batch }) =>
      expect((await batch('create-instructor-account', newInstructors(2))).status).toBe(200),
    beyond: async ({ control, batch }) => {
      expectLimit(await batch('create-instructor-account', newInstructors(3)), 413, 'stateRecords');
      await batch('create-instructor-account', newInstructors(2));
      expectProblem(await control('PATCH', `/state/coupons/${coupon.id}`, longDescription(1)), 503);
    },
  },
  stateBytes: {
    value: 40_000,
    within: async ({ control }) =>
      expect((await control('PATCH', `/state/coupons/${coupon.id}`, longDescription(10_000))).status).toBe(
        200,
      ),
    beyond: async ({ control, batch }) => {
      expectProblem(await control('PATCH', `/state/coupons/${coupon.id}`, longDescription(30_000)), 503);
      expectLimit(await batch('create-instructor-account', newInstructors(200)), 413, 'stateBytes');
    },
    alone: true,
  },
  importBytes: {
    value: 4096,
    within: async ({ control }) => expect((await control('PUT', '/state', stateText(4096))).status).toBe(204),
    beyond: async ({ control }) => expectProblem(await control('PUT', '/state', stateText(4097)), 413),
  },
  importRecords: {
    value: 3,
    within: async ({ control }) => expect((await control('PUT', '/state', schoolsText(3))).status).toBe(204),
    beyond: async ({ control }) => expectProblem(await control('PUT', '/state', schoolsText(4)), 400),
  },
  recordBytes: {
    value: 2000,
    within: async ({ control }) =>
      expect(
        (await control('PATCH', `/state/coupons/${coupon.id}`, { description: 'x'.repeat(1000) })).status,
      ).toBe(200),
    beyond: async ({ control }) =>
      expectProblem(
        await control('PATCH', `/state/coupons/${coupon.id}`, { description: 'x'.repeat(2000) }),
        413,
      ),
  },
  recordValues: {
    value: 100,
    within: async ({ control }) => {
      const { status, body } = await control('POST', '/journal/verify', {
        counts: [{ parameters: { a: zeros(80) }, times: 0 }],
      });
      expect([status, body.toString().slice(0, 200)]).toEqual([200, expect.any(String)]);
    },
    beyond: async ({ control }) =>
      expectProblem(
        await control('POST', '/journal/verify', { counts: [{ parameters: { a: zeros(101) }, times: 0 }] }),
        400,
      ),
  },
  verifies: {
    value: 2,
    within: async ({ control }) => {
      const waiting = { counts: [{ atLeast: 1 }], waitMs: 100 };
      const replies = await Promise.all([
        control('POST', '/journal/verify', waiting),
        control('POST', '/journal/verify', waiting),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    },
    beyond: async ({ control }) => {
      const waiting = { counts: [{ atLeast: 1 }], waitMs: 1000 };
      const replies = await Promise.all(
        ['a', 'b', 'c'].map(() => control('POST', '/journal/verify', waiting)),
      );
      expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200, 200, 503,
      ]);
    },
  },
  violations: {
    value: 3,
    within: async ({ post }) => {
      const { status, body } = await post('get-quiz-details', '{"data":[1,2,3]}');
      expect([status, body.toString()]).toEqual([400, expect.stringContaining('/data/2 ')]);
    },
    beyond: async (place) => {
      const { status, body } = await place.post('get-quiz-details', '{"data":[1,2,3,4,5]}');
      expect([status, body.toString()]).toEqual([400, expect.not.stringContaining('/data/3 ')]);
      const { entries } = await journalOf(place);
      expect(entries.at(-1)?.violations).toHaveLength(3);
    },
  },
};

it('every limit, approached and exceeded', async (context) => {
  const together = serverLimitNames.filter((name) => rows[name]?.alone !== true);
  const flags = together.flatMap((name) => [
    '--max',
    `${name}=${rows[name]?.value ?? serverLimits[name].default}`,
  ]);
  await phase(context, { args: flags, maxMemoryMiB: 512 }, async (target) => {
    for (const name of serverLimitNames) {
      // The types ask for a row of each limit; here the run does.
      const row: Row | undefined = rows[name];
      if (row === undefined) target.wrong(`The limit ${name} has no row in the table.`);
      else if (row.alone === true) await tryAlone(target, name, row);
      else await tryRow(target, target.port, name, row);
    }
  });
});

async function tryAlone(target: Target, name: ServerLimitName, row: Row): Promise<void> {
  const server = await startServer({ args: ['--max', `${name}=${row.value}`] });
  await tryRow(target, Number(new URL(server.url).port), name, row);
  const { code, err } = await server.stop('SIGTERM');
  if (code !== 0 || err !== '') target.wrong(`${name}: the server ended with ${code}: ${err}`);
}

async function tryRow(target: Target, port: number, name: ServerLimitName, row: Row): Promise<void> {
  const place = await placeAt(target, port, `limit-${name.toLowerCase()}`);
  for (const side of ['within', 'beyond'] as const) {
    try {
      await row[side](place);
    } catch (error) {
      target.wrong(
        `${name}=${row.value}, ${side}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

async function placeAt({ sent }: Target, port: number, id: string): Promise<Place> {
  const key = `sbx_${id}_riverside`;
  const created = await ask(port, 'POST', '/control/sandboxes', { body: { id } });
  expect(created.status).toBe(201);
  const post: Place['post'] = (operation, body, headers = {}, label = '') => {
    sent();
    return call(port, operation, { key: label === '' ? key : `${key}_${label}`, body, headers });
  };
  return {
    port,
    post,
    batch: (operation, elements, headers) =>
      post(operation, JSON.stringify({ data: elements.map((data) => ({ data })) }), headers),
    control: (method, path, body) => {
      sent();
      return ask(port, method, `/control/sandboxes/${id}${path}`, body === undefined ? {} : { body });
    },
    stream: async () => {
      sent();
      const connection = new Connection(port);
      connection.send(requestText('GET', `/control/sandboxes/${id}/journal/stream`));
      const head = await connection.next('GET', 5000);
      return { connection, status: head === null || 'ended' in head ? 0 : head.status };
    },
  };
}

/** Sends a call with each label, and returns how many counters the rate limit then has. */
async function countersAfter({ post, control }: Place, labels: readonly string[]): Promise<number> {
  await control('PUT', '/limits', { scale: 1 });
  for (const label of labels) {
    const reply = await post('get-all-live-events', '{"data":[{"data":{}}]}', {}, label);
    expect(reply.status).toBe(200);
  }
  const { body } = await control('GET', '/limits');
  const { operations } = JSON.parse(body.toString()) as {
    readonly operations: Readonly<Record<string, { readonly counters: readonly unknown[] }>>;
  };
  return operations['get-all-live-events']?.counters.length ?? 0;
}

function times(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({}));
}

function faults(count: number): Readonly<Record<string, string>> {
  return { 'Sandbox-Fault': shapes.slice(0, count).join(', ') };
}

/** As long as a label of three faults can be. */
const longestLabel = ['unknown-enum-values', 'unicode-strings', 'missing-fields']
  .map((name) => `${name}; phase=after`)
  .join(', ');

/** An envelope of so many values: objects, lists and their members. */
function valuesText(values: number): string {
  return `{"data":[{"data":{"a":[${'0,'.repeat(values - 6)}0]}}]}`;
}

function longText(length: number): string {
  return JSON.stringify({ data: [{ data: { quizId: 'x'.repeat(length) } }] });
}

/** A state, with spaces behind it up to a length. */
function stateText(length: number): string {
  const school = { id: '1d7181362df2b36a581c47d4', slug: 'riverside', name: 'Riverside Academy' };
  return JSON.stringify({ collections: { schools: [school] } }).padEnd(length, ' ');
}

function schoolsText(count: number): string {
  const schools = Array.from({ length: count }, (_, number) => ({
    id: String(number).padStart(24, '0'),
    slug: `school-${number}`,
    name: 'School',
  }));
  return JSON.stringify({ collections: { schools } });
}

function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}

function expectations(counts: number, sequence: number): object {
  return {
    counts: Array.from({ length: counts }, () => ({ atLeast: 0 })),
    sequence: Array.from({ length: sequence }, () => ({})),
  };
}

interface JournalPage {
  readonly entries: readonly { readonly violations?: readonly unknown[] }[];
  readonly evicted: number;
  readonly more: boolean;
}

async function journalOf({ control }: Place, query = ''): Promise<JournalPage> {
  const { status, body } = await control('GET', `/journal${query}`);
  expect(status).toBe(200);
  // The control plane documents its replies, and other tests hold it to them.
  return JSON.parse(body.toString()) as JournalPage;
}

/** What a stream sends up to a text, or for a few seconds. */
async function heardFrom({ socket }: Connection, wanted: string): Promise<string> {
  let heard = '';
  await new Promise<void>((done) => {
    const timer = setTimeout(done, 5000);
    socket.on('data', (chunk: Buffer) => {
      heard = `${heard.slice(-200)}${chunk.toString('latin1')}`;
      if (!heard.includes(wanted)) return;
      clearTimeout(timer);
      done();
    });
    socket.once('close', done);
  });
  return heard;
}

function expectLimit(reply: Reply, status: number, name: ServerLimitName): void {
  expectProblem(reply, status);
  expect(reply.headers['sandbox-limit']).toMatch(new RegExp(`^${name}; max=`));
}

function expectProblem({ status, headers, body }: Reply, wanted: number): void {
  expect([status, body.toString().slice(0, 200)]).toEqual([wanted, expect.any(String)]);
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
}
