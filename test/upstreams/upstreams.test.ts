import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as always200 from './always-200.ts';
import * as drops from './drops.ts';
import * as firstOnly from './first-only.ts';
import * as gateway from './gateway.ts';
import * as jsonErrors from './json-errors.ts';
import * as lockedDown from './locked-down.ts';
import type { School, StartOptions, Upstream } from './plumbing.ts';
import { differences, shapes } from './shapes.ts';

interface Service {
  readonly name: string;
  readonly start: (options?: StartOptions) => Promise<Upstream>;
  readonly schools: readonly School[];
  readonly samples: Readonly<Record<string, object>>;
  readonly personality: object;
  /** A request with a wrong key. */
  readonly refusal: { readonly status: number; readonly body: RegExp };
  /** A request above the limit. */
  readonly throttled: { readonly status: number; readonly body: RegExp; readonly header?: string };
  /** The requests that get-quiz-details allows at a scale of 0.05. */
  readonly allowed: number;
}

/** Starts `drops` without misbehaviour. */
function startCalm(options: StartOptions = {}): Promise<Upstream> {
  return drops.start({ ...options, rates: drops.calm });
}

const services: readonly Service[] = [
  {
    ...jsonErrors,
    name: 'json-errors',
    refusal: { status: 401, body: /^\{"error":\{"code":"invalid_api_key"/ },
    throttled: { status: 429, body: /"rate_limited"/, header: 'retry-after' },
    allowed: 3,
  },
  {
    ...always200,
    name: 'always-200',
    refusal: { status: 200, body: /"errorMessage":"unknown key wrong-key"/ },
    throttled: { status: 200, body: /"errorMessage":"Too many requests"/ },
    allowed: 3,
  },
  {
    ...gateway,
    name: 'gateway',
    refusal: { status: 403, body: /^\{"message":"Forbidden"\}$/ },
    throttled: { status: 429, body: /^\{"message":"Limit Exceeded"\}$/ },
    allowed: 3,
  },
  {
    ...firstOnly,
    name: 'first-only',
    refusal: { status: 401, body: /"errorMessage":"E1001 unauthorized"/ },
    throttled: { status: 429, body: /"errorMessage":"E1002 slow down"/, header: 'x-retry-in-ms' },
    allowed: 3,
  },
  {
    ...drops,
    start: startCalm,
    name: 'drops',
    refusal: { status: 401, body: /^\{"status":"error","errorMessage":"The API key is not known"\}$/ },
    throttled: { status: 429, body: /"Too many requests"/, header: 'retry-after' },
    allowed: 3,
  },
  {
    ...lockedDown,
    name: 'locked-down',
    refusal: { status: 401, body: /^\{"errors":\["unauthorized"\]\}$/ },
    throttled: { status: 429, body: /^\{"errors":\["quota"\]\}$/, header: 'retry-after' },
    allowed: 1,
  },
];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Call {
  readonly operation: string;
  readonly key?: string | undefined;
  readonly elements?: readonly object[];
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One connection for all requests of the tests of `locked-down`. */
function agentFor(upstream: Upstream): Agent | undefined {
  if (!('ca' in upstream) || typeof upstream.ca !== 'string') return undefined;
  const agent = new Agent({ ca: upstream.ca, keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

type Post = (call: Call) => Promise<Answer>;

function poster(upstream: Upstream): Post {
  const agent = agentFor(upstream);
  return ({ operation, key, elements = [{}], body, headers }) =>
    new Promise((done, fail) => {
      const options = {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Gateway-Key': lockedDown.gatewayKey,
          ...(key === undefined ? {} : { 'SERVICE-API-KEY': key }),
          ...headers,
        },
        ...(agent === undefined ? { agent: false as const } : { agent }),
      };
      const send = agent === undefined ? requestHttp : requestHttps;
      const sent = send(`${upstream.url}/public/${operation}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', fail).on('end', () => {
          done({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      });
      sent.on('error', fail);
      sent.end(body ?? JSON.stringify({ data: elements.map((data) => ({ data })) }));
    });
}

async function run(
  service: Pick<Service, 'start'>,
  options: StartOptions = {},
): Promise<{ upstream: Upstream; post: Post }> {
  const upstream = await service.start(options);
  onTestFinished(() => upstream.close());
  return { upstream, post: poster(upstream) };
}

type Output = { status: 'ok'; data: Record<string, unknown> } | { status: 'error'; errorMessage: string };

function outputsOf({ body }: Answer): readonly Output[] {
  return (JSON.parse(body) as { output: Output }[]).map(({ output }) => output);
}

function dataOf(answer: Answer): Record<string, unknown> {
  const [output] = outputsOf(answer);
  if (output?.status !== 'ok') throw new Error(`No result: ${answer.body}`);
  return output.data;
}

const writers = [
  'update-digital-product-coupon',
  'update-interactive-coding-lab',
  'submit-user-course-item',
  'create-instructor-account',
];
const operations = Object.keys(shapes);
/** A minute of the clock begins here. */
const noon = Date.UTC(2026, 5, 1, 12);

/** The fields that hold names, addresses, titles and texts. */
const textFields = new Set([
  'name',
  'email',
  'profilePhotoUrl',
  'tagline',
  'longDescriptionMarkdown',
  'quizTitle',
  'title',
  'explanation',
  'description',
  'text',
  'videoTitle',
  'productTitle',
  'assignmentTitle',
  'courseItemSlug',
  'slug',
  'link',
  'thumbnailUrl',
]);

function textsIn(value: unknown, field = ''): readonly string[] {
  if (typeof value === 'string') return textFields.has(field) && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsIn(one, field));
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, name));
}

describe.each(services)('$name', (service) => {
  const [first, second] = service.schools;
  const [key = '', otherKey = ''] = first?.apiKeys ?? [];
  const isReadOnly = service.name === 'locked-down';

  it.each(operations)('answers %s', async (operation) => {
    const { post, upstream } = await run(service);
    const answer = await post({ operation, key, elements: [service.samples[operation] ?? {}] });
    expect(upstream.calls()).toBe(1);
    if (isReadOnly && writers.includes(operation)) {
      expect(answer).toMatchObject({ status: 403, body: '{"errors":["this key may not write"]}' });
      return;
    }
    expect(answer.status).toBe(200);
    expect(outputsOf(answer)).toHaveLength(1);
    const shape = shapes[operation] ?? {};
    expect(differences(dataOf(answer), shape, service.name !== 'first-only')).toEqual([]);
    if (writers.slice(0, 3).includes(operation)) expect(dataOf(answer)).toEqual({});
  });

  it('refuses a wrong and a missing key its own way', async () => {
    const { post } = await run(service);
    const wrong = await post({ operation: 'get-all-instructors', key: 'wrong-key' });
    expect(wrong.status).toBe(service.refusal.status);
    expect(wrong.body).toMatch(service.refusal.body);
    expect((await post({ operation: 'get-all-instructors' })).status).toBe(service.refusal.status);
  });

  it('throttles at its limit until the clock moves on', async () => {
    let time = noon;
    const { post } = await run(service, { now: () => time, limitScale: 0.05 });
    const call = {
      operation: 'get-quiz-details',
      key,
      elements: [service.samples['get-quiz-details'] ?? {}],
    };
    for (let n = 0; n < service.allowed; n += 1) expect(dataOf(await post(call))).toHaveProperty('quizTitle');
    const refused = await post(call);
    expect(refused.status).toBe(service.throttled.status);
    expect(refused.body).toMatch(service.throttled.body);
    if (service.throttled.header !== undefined)
      expect(refused.headers).toHaveProperty(service.throttled.header);
    time += 61_000;
    expect(dataOf(await post(call))).toHaveProperty('quizTitle');
  });

  it('has the documented limits unless they are scaled', async () => {
    const { post } = await run(service, { now: () => noon });
    const allowed = isReadOnly ? 2 : 15;
    const call = { operation: 'get-all-live-events', key };
    for (let n = 0; n < allowed; n += 1) expect(dataOf(await post(call))).toHaveProperty('liveEvents');
    expect((await post(call)).body).toMatch(service.throttled.body);
  });

  it('knows both keys of the first school, and keeps the schools apart', async () => {
    const { post } = await run(service);
    const operation = 'get-all-live-events';
    const events = dataOf(await post({ operation, key }));
    expect(dataOf(await post({ operation, key: otherKey }))).toEqual(events);
    expect(dataOf(await post({ operation, key: second?.apiKeys[0] }))).not.toEqual(events);
  });

  it('plants every text that it returns', async () => {
    const { post, upstream } = await run(service);
    const planted = new Set(upstream.planted);
    expect(planted.size).toBeGreaterThanOrEqual(350);
    // Shorter ones could occur anywhere by chance.
    expect(upstream.planted.filter((text) => text.length < 8)).toEqual([]);
    for (const operation of operations.filter((name) => !writers.includes(name))) {
      const answer = await post({ operation, key, elements: [service.samples[operation] ?? {}] });
      expect(textsIn(dataOf(answer)).filter((text) => !planted.has(text))).toEqual([]);
    }
    const item = await post({
      operation: 'get-course-item-data',
      key,
      elements: [service.samples['get-course-item-data'] ?? {}],
    });
    const { contentJson } = dataOf(item)['courseItemData'] as { contentJson: string };
    expect(upstream.planted.some((text) => contentJson.includes(text))).toBe(true);
  });

  it.skipIf(isReadOnly)('remembers creates and updates', async () => {
    const { post, upstream } = await run(service);
    const write = (operation: string): Promise<Answer> =>
      post({ operation, key, elements: [service.samples[operation] ?? {}] });
    const { labId, labTitle } = service.samples['update-interactive-coding-lab'] as Record<string, string>;
    await write('update-interactive-coding-lab');
    expect(upstream.stored(labId ?? '')).toMatchObject({ labTitle });
    const coupon = service.samples['update-digital-product-coupon'] as Record<string, string>;
    await write('update-digital-product-coupon');
    expect(upstream.stored(coupon['serviceCouponCodeId'] ?? '')).toMatchObject({
      description: coupon['description'],
      couponTypeData: { type: 'percent-off' },
    });
    const count = async (): Promise<number> =>
      (dataOf(await post({ operation: 'get-all-instructors', key }))['instructors'] as unknown[]).length;
    const before = await count();
    const created = dataOf(await write('create-instructor-account'));
    expect(dataOf(await write('create-instructor-account'))).toMatchObject({
      serviceInstructorId: created['serviceInstructorId'],
      associatedServiceUserId: created['associatedServiceUserId'],
    });
    expect(await count()).toBe(before + 1);
  });

  it('closes, and states its personality', async () => {
    const upstream = await service.start();
    await upstream.close();
    await expect(poster(upstream)({ operation: 'get-all-instructors', key })).rejects.toThrow(/ECONNREFUSED/);
    expect(Object.keys(service.personality).length).toBeGreaterThan(1);
  });
});

/** The outcome of each request in turn. */
async function outcomes(options: drops.DropsOptions, count: number): Promise<readonly string[]> {
  const { post } = await run(drops, { limitScale: 10, ...options });
  const seen: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const answer = post({ operation: 'get-all-instructors', key: drops.schools[0]?.apiKeys[0] });
    seen.push(
      await answer.then(
        ({ status }) => String(status),
        () => 'broken',
      ),
    );
  }
  return seen;
}

describe('personalities', () => {
  it('json-errors: applies a batch as a whole or not at all', async () => {
    const { post, upstream } = await run(jsonErrors);
    const operation = 'update-interactive-coding-lab';
    const sample = jsonErrors.samples[operation] as { labId: string };
    const key = jsonErrors.schools[0]?.apiKeys[0];
    const failed = await post({ operation, key, elements: [sample, { labId: 'nowhere' }] });
    expect(failed.status).toBe(404);
    expect(upstream.stored(sample.labId)).not.toMatchObject(sample);
    expect((await post({ operation, key, elements: [{ ...sample, extra: 1 }] })).status).toBe(422);
    const foreign = await post({ operation, key: jsonErrors.schools[1]?.apiKeys[0], elements: [sample] });
    expect(foreign.status).toBe(403);
  });

  it('always-200: fails element by element and accepts numbers as text', async () => {
    const { post } = await run(always200);
    const key = always200.schools[0]?.apiKeys[0];
    const elements = [{ pageNumber: '1', limit: '2' }, { pageNumber: 'x' }];
    const answer = await post({ operation: 'get-instructor-permission-presets', key, elements });
    expect(outputsOf(answer)).toMatchObject([
      { status: 'ok' },
      { status: 'error', errorMessage: 'Invalid input' },
    ]);
    expect((await post({ operation: 'nothing', key })).status).toBe(200);
  });

  it('gateway: refuses long bodies and wrong paths in front, wrong values behind', async () => {
    const { post } = await run(gateway);
    const key = gateway.schools[0]?.apiKeys[0];
    const long = await post({ operation: 'get-quiz-details', key, body: 'x'.repeat(1_048_577) });
    expect(long).toMatchObject({ status: 413, body: '{"message":"Request Too Long"}' });
    const lost = await post({ operation: 'nothing', key });
    expect(lost.status).toBe(404);
    expect(lost.headers['content-type']).toMatch(/^text\/html/);
    const wrong = await post({ operation: 'get-quiz-details', key, elements: [{ quizId: 7 }] });
    expect(wrong.status).toBe(400);
    expect(wrong.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('first-only: returns one output for several elements', async () => {
    const { post } = await run(firstOnly);
    const key = firstOnly.schools[0]?.apiKeys[0];
    const answer = await post({ operation: 'get-all-live-events', key, elements: [{}, {}, {}] });
    expect(outputsOf(answer)).toHaveLength(1);
    const [event] = dataOf(answer)['liveEvents'] as { liveEventId: unknown; sessions: object[] }[];
    expect(event?.liveEventId).toBeTypeOf('number');
    expect(event?.sessions[0]).toMatchObject({
      scheduledStartAtIso: expect.stringMatching(/\+0200$/) as string,
    });
  });

  it('drops: has the same fate for each request with the same seed', async () => {
    const rates = { drop: 0.2, burst: 0.1, truncate: 0.2, slow: 0, hang: 0 };
    const once = await outcomes({ seed: 5, rates }, 40);
    expect(new Set(once)).toEqual(new Set(['200', '502', '503', 'broken']));
    expect(await outcomes({ seed: 5, rates }, 40)).toEqual(once);
    expect(await outcomes({ seed: 6, rates }, 40)).not.toEqual(once);
  });

  it('drops: can hang, be slow, and lose the response of what took effect', async () => {
    const key = drops.schools[0]?.apiKeys[0];
    const hanging = await run({ start: () => drops.start({ rates: { ...drops.calm, hang: 1 } }) });
    const call = hanging.post({ operation: 'get-all-instructors', key });
    const quiet = new Promise<string>((done) => void setTimeout(done, 100, 'no response'));
    expect(await Promise.race([call, quiet])).toBe('no response');
    await hanging.upstream.close();
    await expect(call).rejects.toThrow();
    expect(await outcomes({ rates: { ...drops.calm, slow: 1 }, slowMs: 40 }, 1)).toEqual(['200']);
    const { post, upstream } = await run({ start: () => drops.start({ rates: { ...drops.calm, drop: 1 } }) });
    const operation = 'update-interactive-coding-lab';
    const sample = drops.samples[operation] as { labId: string; labTitle: string };
    const { labTitle } = sample;
    await expect(post({ operation, key, elements: [sample] })).rejects.toThrow();
    expect(upstream.stored(sample.labId)).not.toMatchObject({ labTitle });
    await expect(post({ operation, key, elements: [sample] })).rejects.toThrow();
    expect(upstream.stored(sample.labId)).toMatchObject({ labTitle });
  });

  it('locked-down: requires its header and keeps the connection', async () => {
    const upstream = await lockedDown.start();
    onTestFinished(() => upstream.close());
    const post = poster(upstream);
    const key = lockedDown.schools[0]?.apiKeys[0];
    const headers = { 'X-Gateway-Key': 'wrong' };
    expect(await post({ operation: 'get-all-instructors', key, headers })).toMatchObject({
      status: 403,
      body: '',
    });
    expect((await post({ operation: 'get-all-instructors', key })).status).toBe(200);
    expect(upstream.calls()).toBe(2);
    expect(upstream.connections()).toBe(1);
  });
});
