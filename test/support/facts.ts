import { expect } from 'vitest';
import { coupon, labId, quiz } from './demo.ts';
import { supertest } from './supertest.ts';

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A sandbox of a server: the default one, if it has no id. */
export interface Place {
  readonly url: string;
  readonly id?: string;
}

/** Calls an operation with one element, as Riverside. */
export async function call(
  { url, id = 'default' }: Place,
  operation: string,
  parameters: object,
  { fault }: { fault?: string } = {},
) {
  return supertest(url)
    .post(`/public/${operation}`)
    .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
    .set(fault === undefined ? {} : { 'Sandbox-Fault': fault })
    .send({ data: [{ data: parameters }] });
}

/** Sends a request to the control plane of a sandbox, which must succeed. */
export async function control(
  { url, id = 'default' }: Place,
  method: 'get' | 'put' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
  sandbox = id,
): Promise<Json> {
  const reply = await supertest(url)[method](`/control/sandboxes/${sandbox}${path}`).send(body);
  expect([200, 201, 204], JSON.stringify(reply.body)).toContain(reply.status);
  return reply.body as Json;
}

/** Calls an operation that changes nothing. */
export const read = (server: Place): ReturnType<typeof call> =>
  call(server, 'get-quiz-details', { quizId: quiz.id });

/** Calls an operation that changes a record. */
export const describeCoupon = (server: Place, description: string): ReturnType<typeof call> =>
  call(server, 'update-digital-product-coupon', {
    serviceCouponCodeId: coupon.id,
    serviceDigitalProductId: coupon.productId,
    description,
  });

/** Everything that the control plane shows of a sandbox, but its journal, its address and running time. */
export async function shown(place: Place): Promise<Json> {
  const get = (path: string): Promise<Json> => control(place, 'get', path);
  const { baseUrl: _, exchanges: __, ...described } = await get('');
  const clock = await get('/clock');
  const isFrozen = clock['mode'] === 'frozen';
  return {
    ...described,
    clock: isFrozen ? clock : clock['mode'],
    faults: await get('/faults'),
    limits: await get('/limits'),
    quotas: await quotasOf(place),
    assumptions: await get('/assumptions'),
    snapshots: await get('/snapshots'),
    state: await get('/state'),
  };
}

/** The quotas, without what depends on time, on the journal, and on the memory of what was replaced. */
async function quotasOf(place: Place): Promise<Json> {
  const { stateRecords, ...others } = await control(place, 'get', '/quotas');
  const unused = Object.entries(others).map(([name, quota]) => [name, { ...(quota as Json), used: null }]);
  return { stateRecords, ...Object.fromEntries(unused) };
}

/** Each kind of fact: how it comes about. */
export const facts: readonly (readonly [string, (server: Place) => Promise<unknown>])[] = [
  ['a changed record', (server) => describeCoupon(server, 'kept')],
  [
    'a record from the control plane',
    (server) => control(server, 'patch', `/state/labs/${labId}`, { labTitle: 'kept' }),
  ],
  ['a removed record', (server) => control(server, 'delete', `/state/coupons/${coupon.id}`)],
  [
    'a reset',
    async (server) => {
      await describeCoupon(server, 'gone');
      await control(server, 'put', '/clock', { mode: 'frozen', now: '2020-01-01T00:00:00.000Z' });
      await control(server, 'post', '/reset');
    },
  ],
  [
    'an import',
    async (server) => {
      const state = await control(server, 'get', '/state');
      const collections = state['collections'] as Readonly<Record<string, readonly Json[]>>;
      const [first, ...labs] = collections['labs'] ?? [];
      await control(server, 'put', '/state', {
        ...state,
        collections: { ...collections, labs: [...labs, { ...first, labTitle: 'moved to the end' }] },
      });
    },
  ],
  [
    'a frozen clock',
    (server) => control(server, 'put', '/clock', { mode: 'frozen', now: '2030-05-06T07:08:09.000Z' }),
  ],
  [
    'assumptions',
    (server) =>
      control(server, 'patch', '/assumptions', { unknownId: 'http-404', rateLimitWindow: 'sliding' }),
  ],
  ['a profile', (server) => control(server, 'put', '/profile', { profile: 'strict' })],
  [
    'limits of its own',
    (server) => control(server, 'put', '/limits', { scale: 0.5, operations: { 'get-quiz-details': 7 } }),
  ],
  ['quotas', (server) => control(server, 'put', '/quotas', { stateRecords: 50, callsPerSecond: 1000 })],
  ['limits that are off', (server) => control(server, 'put', '/limits', { scale: null })],
  [
    'counted calls',
    async (server) => {
      for (let calls = 0; calls < 3; calls += 1) await read(server);
    },
  ],
  [
    'counted calls since a reset of the counters',
    async (server) => {
      await call(server, 'list-assignments', { courseIdentifier: {} });
      await read(server);
      await control(server, 'delete', '/limits/counters');
      await read(server);
    },
  ],
  [
    'counted calls in a sliding window',
    async (server) => {
      await control(server, 'patch', '/assumptions', { rateLimitWindow: 'sliding' });
      for (let calls = 0; calls < 3; calls += 1) await read(server);
    },
  ],
  [
    'a rule, with its counters',
    async (server) => {
      await control(server, 'post', '/faults', { fault: 'http-error', when: { skip: 1, first: 5 } });
      for (let calls = 0; calls < 3; calls += 1) await read(server);
    },
  ],
  [
    'a rule that was changed, and one that was removed',
    async (server) => {
      await control(server, 'post', '/faults', { id: 'one', fault: 'delay', with: { ms: 1 } });
      await control(server, 'post', '/faults', { id: 'two', fault: 'delay', with: { ms: 1 } });
      await control(server, 'patch', '/faults/one', { when: { times: 2 } });
      await control(server, 'delete', '/faults/two');
    },
  ],
  [
    'a scenario, with its counters',
    async (server) => {
      await control(server, 'put', '/scenario', { name: 'slow-day' });
      await control(server, 'put', '/scenario', {
        name: 'own',
        script: { summary: 'Ours.', rules: [{ fault: 'http-error', when: { first: 2 } }] },
      });
      await read(server);
    },
  ],
  [
    'snapshots',
    async (server) => {
      await describeCoupon(server, 'in the snapshot');
      await control(server, 'put', '/snapshots/one');
      await control(server, 'put', '/snapshots/two');
      await control(server, 'delete', '/snapshots/two');
      await describeCoupon(server, 'after it');
    },
  ],
  [
    'a snapshot that was restored',
    async (server) => {
      await describeCoupon(server, 'in the snapshot');
      await control(server, 'post', '/faults', { fault: 'delay', with: { ms: 1 } });
      await control(server, 'put', '/snapshots/one');
      await control(server, 'delete', '/faults');
      await control(server, 'put', '/clock', { mode: 'frozen' });
      await describeCoupon(server, 'after it');
      await control(server, 'post', '/snapshots/one/restore');
    },
  ],
];
