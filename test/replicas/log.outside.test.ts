import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../support/command.ts';
import { quiz } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

function linesOf(program: Program): readonly unknown[] {
  const lines = program.said().out.slice(program.banner.length).trim().split('\n');
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
}

const call = (url: string, sent: Readonly<Record<string, string>>) =>
  supertest(url)
    .post('/public/get-quiz-details')
    .set({ ...sent, 'SERVICE-API-KEY': 'sbx_one_riverside' })
    .send({ data: [{ data: { quizId: quiz.id } }] })
    .expect(200);

describe('the log of replicas', () => {
  it('has each request once, where it was processed, with the client and the trace that it is part of', async () => {
    const data = await postgres.database();
    const start = (): Promise<Program> => startReplica(data, ['--log', 'json', '--trust-proxy', '1']);
    const [owner, other] = [await start(), await start()];
    await supertest(owner.url).post('/control/sandboxes').send({ id: 'one' }).expect(201);
    const headers = { traceparent, 'X-Forwarded-For': '198.51.100.7' };
    // The first call decides which replica owns the sandbox.
    await call(owner.url, {});
    await call(other.url, headers);
    await supertest(other.url)
      .post('/control/sandboxes/one/clock/advance')
      .set(headers)
      .send({ seconds: 1 })
      .expect(200);
    const about = { address: '198.51.100.7', traceId };
    await eventually(() =>
      expect(linesOf(owner)).toMatchObject([
        { kind: 'control', sandbox: 'one', status: 201 },
        { operation: 'get-quiz-details', status: 200 },
        { operation: 'get-quiz-details', status: 200, ...about },
        {
          kind: 'control',
          sandbox: 'one',
          path: '/control/sandboxes/one/clock/advance',
          status: 200,
          ...about,
        },
      ]),
    );
    expect(linesOf(other)).toEqual([]);
    const { body } = await supertest(other.url).get('/control/sandboxes/one/journal').expect(200);
    expect(body).toMatchObject({ entries: [{}, { requestHeaders: { traceparent } }] });
  });
});
