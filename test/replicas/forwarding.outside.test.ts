import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startServer, type Running } from '../../src/server/server.ts';
import { metricsOf } from '../support/metrics.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { quiz } from '../support/demo.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

async function replica(data: string): Promise<Running> {
  const port = await unassignedPort();
  const running = await startServer(
    {
      port,
      data,
      advertise: `http://127.0.0.1:${port}`,
      replicaSecret: 'secret-of-all-replicas',
      controlToken: 'operator-token',
      limits: 'off',
    },
    { out: () => {}, err: (text) => process.stderr.write(text), owner: `replica at ${port}` },
  );
  onTestFinished(() => running.stop().catch(() => {}));
  return running;
}

async function control(at: Running, method: string, path: string, body?: unknown) {
  const response = await fetch(`${at.url}/control${path}`, {
    method,
    headers: { Authorization: 'Bearer operator-token', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
  };
}

async function call(at: Running, id: string, operation: string, parameters: object) {
  const response = await fetch(`${at.url}/public/${operation}`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': `sbx_${id}_riverside`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: [{ data: parameters }] }),
  });
  return {
    status: response.status,
    requestId: response.headers.get('sandbox-request-id'),
    body: await response.json(),
  };
}

describe('replicas that share a database', () => {
  it('leave a new sandbox to the replica that its first call reaches', async () => {
    const data = await postgres.database();
    const [a, b] = [await replica(data), await replica(data)] as const;
    expect((await control(a, 'POST', '/sandboxes', { id: 'new' })).status).toBe(201);
    for (let number = 0; number < 3; number += 1)
      expect((await call(b, 'new', 'get-quiz-details', { quizId: quiz.id })).status).toBe(200);
    const forwarded = [a, b].map(async ({ url }) =>
      (await metricsOf(url)).get('lp_sandbox_forwarded_requests_total'),
    );
    expect(await Promise.all(forwarded)).toEqual([0, 0]);
  });

  it('forward what a fault responds with, and send the request to the owner once', async () => {
    const data = await postgres.database();
    const [a, b] = [await replica(data), await replica(data)] as const;
    await control(a, 'POST', '/sandboxes', { id: 'faulty' });
    await call(a, 'faulty', 'get-quiz-details', { quizId: quiz.id });
    // `fetch` would send it again itself.
    const reply = await supertest(b.url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_faulty_riverside')
      .set('Sandbox-Fault', 'http-error; status=421')
      .send({ data: [] });
    expect(reply.status).toBe(421);
    expect(reply.headers).not.toHaveProperty('sandbox-not-here');
    const journal = await control(b, 'GET', '/sandboxes/faulty/journal');
    expect(journal.body?.['entries']).toHaveLength(2);
  });

  it('find the owner of a percent-encoded sandbox, and answer what is to the server themselves', async () => {
    const data = await postgres.database();
    const [a, b] = [await replica(data), await replica(data)] as const;
    await control(a, 'POST', '/sandboxes', { id: 'encoded' });
    await call(a, 'encoded', 'get-quiz-details', { quizId: quiz.id });
    expect((await control(b, 'GET', '/sandboxes/%65ncoded')).status).toBe(200);
    expect((await control(b, 'DELETE', '/sandboxes/%65ncoded')).status).toBe(204);
    expect((await control(a, 'GET', '/sandboxes/encoded')).status).toBe(404);
    const { hostname, port } = new URL(b.url);
    const asked = request({ hostname, port, method: 'OPTIONS', path: '*' });
    asked.setHeader('SERVICE-API-KEY', 'sbx_encoded_riverside').end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(404);
  });

  it('say to a call without a sandbox how to get one, and give no id to two requests', async () => {
    const data = await postgres.database();
    const [one, two] = [await replica(data), await replica(data)];
    const ids: (string | null)[] = [];
    for (const { url } of [one, two, one, two]) {
      const headers = { Authorization: 'Bearer operator-token' };
      ids.push((await fetch(`${url}/control/sandboxes`, { headers })).headers.get('sandbox-request-id'));
      for (const key of ['nothing', 'sbx_nowhere_riverside']) {
        const refused = await supertest(url)
          .post('/public/get-all-instructors')
          .set('SERVICE-API-KEY', key)
          .send({ data: [{ data: {} }] })
          .expect(401);
        expect(refused.text).toContain('Create a sandbox with POST /control/sandboxes');
        expect(refused.text).not.toContain('riverside');
        ids.push(refused.get('Sandbox-Request-Id') ?? null);
      }
    }
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('create a sandbox once if several get the request at the same time', async () => {
    const data = await postgres.database();
    const all = [await replica(data), await replica(data), await replica(data)];
    for (let number = 0; number < 20; number += 1) {
      const outcomes = await Promise.all(
        all.map((one) => control(one, 'POST', '/sandboxes', { id: `same-${number}` })),
      );
      const statuses = outcomes.map(({ status }) => status);
      expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
      expect(JSON.stringify(outcomes)).toContain(`A sandbox \\"same-${number}\\" already exists.`);
    }
  });

  it('serve each sandbox, wherever its calls arrive, and continue after one of them stops', async () => {
    const data = await postgres.database();
    const all = [await replica(data), await replica(data), await replica(data)] as const;
    const [a, b, c] = all;
    expect((await control(a, 'POST', '/sandboxes', { id: 'shared' })).status).toBe(201);
    expect((await control(b, 'POST', '/sandboxes', { id: 'shared' })).status).toBe(409);
    const ids: (string | null)[] = [];
    for (const at of [a, b, c, b, a]) {
      const reply = await call(at, 'shared', 'get-quiz-details', { quizId: quiz.id });
      expect(reply.status).toBe(200);
      ids.push(reply.requestId);
    }
    expect(
      ids.toSorted((one, other) => String(one).localeCompare(String(other), 'en', { numeric: true })),
    ).toEqual(ids);
    expect(new Set(ids).size).toBe(5);
    const created = await call(b, 'shared', 'create-instructor-account', {
      instructorEmail: 'new@mail.example',
      instructorName: 'New',
    });
    expect(JSON.stringify(created.body)).toContain('"ok"');
    const before = await control(c, 'GET', '/sandboxes/shared/journal');
    expect(before.status).toBe(200);
    const stopping = a.stop();
    for (let round = 0; round < 60; round += 1) {
      const replies = await Promise.all(
        [b, c].map((at) => call(at, 'shared', 'get-quiz-details', { quizId: quiz.id })),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
    await stopping;
    const listed = await call(c, 'shared', 'get-all-instructors', {});
    expect(JSON.stringify(listed.body)).toContain('new@mail.example');
  });
});
