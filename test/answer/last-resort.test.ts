import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toEntry } from '../../src/sandbox/journal-entry.ts';
import { startServer, type Running, type Settings } from '../../src/server/server.ts';
import { quiz } from '../support/demo.ts';

/** A server in this process whose parts a test can break, and what it wrote to the terminal. */
async function breakable(settings: Settings = {}, observe?: () => void) {
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text);
  const channels = { out: write, err: write, owner: 'a test', ...(observe === undefined ? {} : { observe }) };
  const running = await startServer({ port: 0, ...settings }, channels);
  onTestFinished(() => running.stop());
  const call = (): supertest.Test =>
    supertest(running.url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send({ data: [{ data: { quizId: quiz.id } }] });
  return { running, lines, call };
}

function fail(): never {
  throw new Error('broken by the test');
}

/** Parts of the server that a call needs, each of which could fail. */
const parts: readonly (readonly [string, (running: Running) => void])[] = [
  ['whose sandbox cannot be found', ({ sandboxes }) => (sandboxes.identify = fail)],
  ['whose views cannot be made', ({ sandboxes }) => (sandboxes.default.views.from = fail)],
  ['whose state cannot be read', ({ sandboxes }) => (sandboxes.default.state.collection = fail)],
  [
    'whose faults cannot be looked at',
    ({ sandboxes }) => Object.defineProperty(sandboxes.default.faults, 'isEmpty', { get: fail }),
  ],
  ['whose exchange cannot be recorded', ({ sandboxes }) => (sandboxes.default.journal.append = fail)],
];

describe('a call at which the sandbox itself fails', () => {
  it.each(parts)('is answered with a problem document and its request id: %s', async (_, breakIt) => {
    const { running, lines, call } = await breakable();
    breakIt(running);
    const { status, type, body, headers } = await call();
    expect({ status, type }).toEqual({ status: 500, type: 'application/problem+json' });
    const requestId = headers['sandbox-request-id'];
    expect(requestId).toMatch(/^default-\d+$/);
    expect(body).toMatchObject({
      title: 'Internal error',
      detail: expect.stringContaining(`request id ${requestId}`),
    });
    expect(lines.join('')).toMatch(new RegExp(`^${requestId}: Error: broken by the test\n +at .*\\bfail\\b`));
  });

  it.each(parts)('can be read by a page of another origin that may make it: %s', async (_, breakIt) => {
    const { running, call } = await breakable({ assume: { cors: 'any-origin' } });
    breakIt(running);
    const { status, headers } = await call();
    expect({ status, headers }).toMatchObject({
      status: 500,
      headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
    });
  });

  it('has its place in the journal', async () => {
    const { running, call } = await breakable();
    running.sandboxes.default.views.from = fail;
    const { headers } = await call();
    expect(running.sandboxes.default.journal.stored.map(toEntry)).toMatchObject([
      { requestId: headers['sandbox-request-id'], status: 500, outcome: 'internal-error' },
    ]);
  });

  it('leaves nothing of a batch behind, and the next call is answered as if nothing had happened', async () => {
    const { running, call } = await breakable();
    const { views } = running.sandboxes.default;
    const from = views.from.bind(views);
    views.from = fail;
    expect((await call()).status).toBe(500);
    views.from = from;
    expect((await call()).status).toBe(200);
    expect(running.sandboxes.default.state.changedRecords).toBe(0);
  });

  it('is answered as it should be if only the log fails', async () => {
    const { lines, call } = await breakable({}, fail);
    expect((await call()).status).toBe(200);
    expect(lines.join('')).toContain('default-1: Error: broken by the test');
  });

  it('keeps its connection, so that other calls on it go on', async () => {
    const { running } = await breakable();
    running.sandboxes.default.views.from = fail;
    const headers = { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' };
    const reply = await fetch(`${running.url}/public/get-quiz-details`, {
      method: 'POST',
      headers,
      body: '{"data":[{"data":{"quizId":"x"}}]}',
    });
    expect({ status: reply.status, connection: reply.headers.get('connection') }).toEqual({
      status: 500,
      connection: 'keep-alive',
    });
  });
});
