import { describe, expect, it } from 'vitest';
import * as always200 from './always-200.ts';
import { dataOf, outputsOf, poster, run, type Answer } from './client.ts';
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
    start: jsonErrors.start,
    schools: jsonErrors.schools,
    samples: jsonErrors.samples,
    personality: jsonErrors.personality,
    name: 'json-errors',
    refusal: { status: 401, body: /^\{"error":\{"code":"invalid_api_key"/ },
    throttled: { status: 429, body: /"rate_limited"/, header: 'retry-after' },
    allowed: 3,
  },
  {
    start: always200.start,
    schools: always200.schools,
    samples: always200.samples,
    personality: always200.personality,
    name: 'always-200',
    refusal: { status: 200, body: /"errorMessage":"unknown key wrong-key"/ },
    throttled: { status: 200, body: /"errorMessage":"Too many requests"/ },
    allowed: 3,
  },
  {
    start: gateway.start,
    schools: gateway.schools,
    samples: gateway.samples,
    personality: gateway.personality,
    name: 'gateway',
    refusal: { status: 403, body: /^\{"message":"Forbidden"\}$/ },
    throttled: { status: 429, body: /^\{"message":"Limit Exceeded"\}$/ },
    allowed: 3,
  },
  {
    start: firstOnly.start,
    schools: firstOnly.schools,
    samples: firstOnly.samples,
    personality: firstOnly.personality,
    name: 'first-only',
    refusal: { status: 401, body: /"errorMessage":"E1001 unauthorized"/ },
    throttled: { status: 429, body: /"errorMessage":"E1002 slow down"/, header: 'x-retry-in-ms' },
    allowed: 3,
  },
  {
    start: startCalm,
    schools: drops.schools,
    samples: drops.samples,
    personality: drops.personality,
    name: 'drops',
    refusal: { status: 401, body: /^\{"status":"error","errorMessage":"The API key is not known"\}$/ },
    throttled: { status: 429, body: /"Too many requests"/, header: 'retry-after' },
    allowed: 3,
  },
  {
    start: lockedDown.start,
    schools: lockedDown.schools,
    samples: lockedDown.samples,
    personality: lockedDown.personality,
    name: 'locked-down',
    refusal: { status: 401, body: /^\{"errors":\["unauthorized"\]\}$/ },
    throttled: { status: 429, body: /^\{"errors":\["quota"\]\}$/, header: 'retry-after' },
    allowed: 1,
  },
];

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
