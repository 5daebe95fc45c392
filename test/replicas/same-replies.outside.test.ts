import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import type { Program } from '../support/command.ts';
import { coupon, labId, quiz } from '../support/demo.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** A request to the sandbox `one`, or to the server. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: object | null;
}

const email = fc.constantFrom('a@x.example', 'b@x.example', 'c@x.example', 'not an address');
const word = fc.constantFrom('', 'one', 'two', 'Ünï', '"\\\u0000');

const called = fc
  .oneof(
    fc.record({
      operation: fc.constant('get-quiz-details'),
      parameters: fc.record({ quizId: fc.constantFrom<string>(quiz.id, 'none') }),
    }),
    fc.record({ operation: fc.constant('get-all-instructors'), parameters: fc.constant({}) }),
    fc.record({
      operation: fc.constant('create-instructor-account'),
      parameters: fc.record({ instructorEmail: email, instructorName: word }),
    }),
    fc.record({
      operation: fc.constant('update-digital-product-coupon'),
      parameters: fc.record({
        serviceCouponCodeId: fc.constant(coupon.id),
        serviceDigitalProductId: fc.constant(coupon.productId),
        description: word,
      }),
    }),
    fc.record({
      operation: fc.constant('update-interactive-coding-lab'),
      parameters: fc.record({ labId: fc.constant(labId), labTitle: word }),
    }),
  )
  .chain(({ operation, parameters }) =>
    fc.integer({ min: 1, max: 3 }).map((elements): Sent => ({
      method: 'POST',
      path: `/public/${operation}`,
      body: { data: Array.from({ length: elements }, () => ({ data: parameters })) },
    })),
  );

const inOne = (method: string, path: string, body: object | null = null): Sent => ({
  method,
  path: `/control/sandboxes/one${path}`,
  body,
});
const controlled = fc.oneof(
  fc.constantFrom(
    inOne('GET', '/faults'),
    inOne('GET', '/limits'),
    inOne('GET', '/assumptions'),
    inOne('GET', '/snapshots'),
    inOne('GET', '/state'),
    inOne('GET', '/clock'),
    inOne('POST', '/reset'),
    inOne('DELETE', '/faults'),
    inOne('DELETE', '/limits/counters'),
    inOne('POST', '/faults', { id: 'own', fault: 'http-error', when: { skip: 1, first: 3 } }),
    inOne('DELETE', '/faults/own'),
    inOne('PUT', '/limits', { scale: 0.2 }),
    inOne('PUT', '/limits', { scale: null }),
    inOne('DELETE', `/state/coupons/${coupon.id}`),
    inOne('PUT', '/scenario', { name: 'slow-day' }),
    { method: 'POST', path: '/control/sandboxes', body: { id: 'one' } },
  ),
  word.map((name) => inOne('PATCH', `/state/labs/${labId}`, { labTitle: name })),
  fc.constantFrom('first', 'second').map((name) => inOne('PUT', `/snapshots/${name}`)),
  fc.constantFrom('first', 'second').map((name) => inOne('POST', `/snapshots/${name}/restore`)),
  fc.constantFrom('first', 'second').map((name) => inOne('DELETE', `/snapshots/${name}`)),
  fc.integer({ min: 1, max: 100 }).map((seconds) => inOne('POST', '/clock/advance', { seconds })),
  fc
    .constantFrom(
      { rateLimitWindow: 'sliding' },
      { rateLimitUnit: 'element' },
      { unknownId: 'http-404' },
      { batchProcessing: 'all-or-nothing' },
    )
    .map((options) => inOne('PATCH', '/assumptions', options)),
);

const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.tuple(fc.oneof({ weight: 3, arbitrary: called }, controlled), fc.nat(2)) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('SIGKILL' as const, 'SIGTERM' as const), fc.nat(2)) },
  ),
  { minLength: 150, maxLength: 150 },
);

/** What a client can compare: ids of requests are only ever higher, and addresses differ. */
async function replyOf(url: string, { method, path, body }: Sent): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'SERVICE-API-KEY': 'sbx_one_riverside', 'Content-Type': 'application/json' },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const text = (await response.text()).replaceAll(/\bone-\d+/g, 'one-N').replaceAll(url, 'URL');
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) =>
      /^(sandbox-(?!request-id|revision)|retry-after|ratelimit|content-type|etag)/.test(name),
    ),
  );
  return { status: response.status, headers, text };
}

describe('random calls and requests to the control plane', () => {
  it(
    'get the same replies from one process and from three replicas that are stopped and killed meanwhile',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const data = await postgres.database();
          const alone = await startServer({ port: 0 }, { out: () => {}, err: () => {}, owner: 'alone' });
          onTestFinished(() => alone.stop());
          const ports = [await unassignedPort(), await unassignedPort(), await unassignedPort()];
          const replicas: Program[] = [];
          for (const port of ports) replicas.push(await startReplica(data, [], port));
          const beginning = {
            method: 'POST',
            path: '/control/sandboxes',
            body: { id: 'one', clock: { mode: 'frozen', now: '2026-11-20T10:00:05.000Z' } },
          };
          for (const url of [alone.url, replicas[0]?.url ?? '']) await replyOf(url, beginning);
          const done: string[] = [];
          for (const [step, index] of all) {
            const replica = replicas[index];
            if (replica === undefined) continue;
            if (typeof step === 'string') {
              done.push(step);
              await replica.stop(step);
              replicas[index] = await startReplica(data, [], ports[index]);
            } else {
              done.push(`${step.method} ${step.path} ${JSON.stringify(step.body)} at ${index}`);
              const expected = await replyOf(alone.url, step);
              expect(await replyOf(replica.url, step), done.slice(-12).join('\n')).toEqual(expected);
            }
          }
        }),
        { numRuns: Number(process.env['RUNS'] ?? 2), endOnFailure: true },
      );
    },
  );
});
