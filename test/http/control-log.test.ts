import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import type { Settings } from '../../src/server/server.ts';
import { quiz } from '../support/demo.ts';
import { hosted, operatorToken } from '../support/hosted.ts';
import { supertest } from '../support/supertest.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

/** Starts a server, and returns what it has written by the end. */
async function logOf(settings: Settings, use: (url: string) => Promise<void>): Promise<string> {
  const said: string[] = [];
  const write = (text: string): void => void said.push(text);
  const running = await startServer({ port: 0, ...settings }, { out: write, err: write, owner: 'a test' });
  try {
    await use(running.url);
  } finally {
    await running.stop();
  }
  return said.join('');
}

/** The lines of a log in JSON. */
function linesOf(log: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = log.split('\n').filter((line) => line !== '');
  // Each line is an object.
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log of changes through the control plane', () => {
  it('has a line for each change, with who sent it, to which sandbox, and what came of it', async () => {
    const log = await logOf({ log: 'json' }, async (url) => {
      const control = supertest(url);
      const { headers } = await control.post('/control/sandboxes').send({ id: 'build-1' }).expect(201);
      await control.post('/control/sandboxes/build-1/clock/advance').send({ seconds: 60 }).expect(200);
      await control.put('/control/sandboxes/build-1/snapshots/before').expect(200);
      await control.delete('/control/sandboxes/build-1').expect(204);
      expect(headers['sandbox-request-id']).toBe('default-1');
    });
    const path = '/control/sandboxes/build-1';
    const common = { kind: 'control', sandbox: 'build-1', who: 'open', address: '127.0.0.1' };
    const lines = linesOf(log);
    expect(lines).toMatchObject([
      { ...common, method: 'POST', path: '/control/sandboxes', status: 201, requestId: 'default-1' },
      { ...common, method: 'POST', path: `${path}/clock/advance`, status: 200 },
      { ...common, method: 'PUT', path: `${path}/snapshots/before`, status: 200 },
      { ...common, method: 'DELETE', path, status: 204 },
    ]);
    for (const line of lines) {
      expect(Date.now() - Date.parse(String(line['receivedAt']))).toBeLessThan(60_000);
      expect(line['durationMs']).toBeGreaterThan(0);
      expect(line).not.toHaveProperty('tokenSandbox');
      expect(line).not.toHaveProperty('traceId');
    }
  });

  it('has no line for a request that only reads, such as those with which the console keeps up to date', async () => {
    const log = await logOf({ log: 'json' }, async (url) => {
      const control = supertest(`${url}/control/sandboxes`);
      await control.get('/default/journal').expect(200);
      await control.head('/default').expect(200);
      await control.post('/default/journal/verify').send({ nothingElse: true }).expect(200);
      await supertest(url).options('/control/sandboxes');
    });
    expect(log).toBe('');
  });

  it('has a line for what was refused: invalid, unknown, or from a page of another origin', async () => {
    const log = await logOf({ log: 'json' }, async (url) => {
      const control = supertest(`${url}/control/sandboxes`);
      await control.patch('/default/clock').send({ unknown: 1 }).expect(405);
      await control.post('/default/clock/advance').send({ seconds: 'x' }).expect(400);
      await control.post('/default/clock/advance').type('text/plain').send('x').expect(415);
      await control.delete('/absent').expect(404);
      await control.delete('/default').set('Origin', 'https://other.example').expect(403);
    });
    expect(linesOf(log).map(({ status, who, sandbox }) => [status, who, sandbox])).toEqual([
      [405, 'open', 'default'],
      [400, 'open', 'default'],
      [415, 'open', 'default'],
      [404, 'open', 'absent'],
      [403, 'unknown', 'default'],
    ]);
  });

  it('tells the tokens apart, without showing any', async () => {
    const said: string[] = [];
    const server = await hosted({ log: 'json', warn: (text) => said.push(text) });
    const [one, two] = [await server.add(), await server.add()];
    await server.ask(one.token, 'POST', `${one.path}/reset`).expect(204);
    await server.ask(one.token, 'POST', `${two.path}/reset`).expect(403);
    await server.ask('a-wrong-token', 'POST', `${two.path}/reset`).expect(401);
    await server.ask(operatorToken, 'DELETE', two.path).expect(204);
    const key = `sbx_${one.id}_riverside`;
    for (const secret of [key, one.token])
      await server.ask(operatorToken, 'DELETE', `${one.path}/snapshots/${secret}`).expect(404);
    await server.ask(operatorToken, 'DELETE', `${one.path}?token=hush`).expect(400);
    await server.close();
    const lines = linesOf(said.join(''));
    expect(
      lines.map(({ who, sandbox, tokenSandbox, status }) => [who, sandbox, tokenSandbox, status]),
    ).toEqual([
      ['operator', one.id, undefined, 201],
      ['operator', two.id, undefined, 201],
      ['sandbox', one.id, one.id, 204],
      ['sandbox', two.id, one.id, 403],
      ['unknown', two.id, undefined, 401],
      ['operator', two.id, undefined, 204],
      ['operator', one.id, undefined, 404],
      ['operator', one.id, undefined, 404],
      ['operator', one.id, undefined, 400],
    ]);
    const [, , mac = ''] = /^(.*)\.([^.]+)$/.exec(one.token) ?? [];
    for (const secret of ['hush', 'a-wrong-token', operatorToken, one.token, mac, key])
      expect(said.join('')).not.toContain(secret);
  });

  it('tells that the client disconnected before the response', { tags: ['slow'] }, async () => {
    const log = await logOf({ log: 'json' }, async (url) => {
      await supertest(url).get('/control/access').expect(200);
      const { port, hostname } = new URL(url);
      const socket = connect(Number(port), hostname);
      const body = JSON.stringify({ seed: 'generated:videos=15000' });
      const head = `POST /control/sandboxes HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json`;
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      // The server is generating when the client leaves.
      await new Promise((done) => setTimeout(done, 100));
      socket.destroy();
      await new Promise((done) => setTimeout(done, 100));
    });
    expect(linesOf(log)).toMatchObject([
      { method: 'POST', path: '/control/sandboxes', status: 0, sandbox: null },
    ]);
  });

  it('names the client behind a proxy', async () => {
    const log = await logOf({ log: 'json', trustProxy: 1 }, async (url) => {
      await supertest(url)
        .post('/control/sandboxes/default/reset')
        .set('X-Forwarded-For', '198.51.100.7')
        .expect(204);
    });
    expect(linesOf(log)).toMatchObject([{ address: '198.51.100.7' }]);
  });

  it('is also that of a control plane on its own port', async () => {
    const said: string[] = [];
    const server = await hosted({ log: 'json', controlPort: 0, warn: (text) => said.push(text) });
    const { id } = await server.add();
    await server.close();
    expect(linesOf(said.join(''))).toMatchObject([{ kind: 'control', sandbox: id, status: 201 }]);
  });

  it('is for people a dim line between the calls, in the same columns', async () => {
    const log = await logOf({ log: 'pretty' }, async (url) => {
      await supertest(url).post('/control/sandboxes').send({ id: 'build-1' }).expect(201);
      await supertest(url)
        .post('/public/get-quiz-details')
        .set('SERVICE-API-KEY', 'sbx_build-1_riverside')
        .send({ data: [{ data: { quizId: quiz.id } }] })
        .expect(200);
      await supertest(url).delete('/control/sandboxes/absent').expect(404);
    });
    const lines = log.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}default-1 +open +\d+\.\d ms {2}201 +POST \/control\/sandboxes \(build-1\) from 127\.0\.0\.1$/,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}build-1-1 +riverside +\d+\.\d ms {2}200 +get-quiz-details/),
      expect.stringMatching(/ 404 +DELETE \/control\/sandboxes\/absent from 127\.0\.0\.1$/),
    ]);
    expect(new Set(lines.map((line) => line.search(/ \d\d\d  /))).size).toBe(1);
  });

  it('is empty if the log is silent', async () => {
    const log = await logOf({ log: 'silent' }, async (url) => {
      await supertest(url).post('/control/sandboxes/default/reset').expect(204);
    });
    expect(log).toBe('');
  });
});

/** Sends a call and a change with each header. Returns their lines in the log. */
async function tracedLines(
  ...headers: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const log = await logOf({ log: 'json' }, async (url) => {
    for (const header of headers) {
      await supertest(url).post('/public/get-all-instructors').set('traceparent', header).send({ data: [] });
      await supertest(url)
        .post('/control/sandboxes/default/clock/advance')
        .set('traceparent', header)
        .send({});
    }
  });
  return linesOf(log);
}

describe('the header traceparent', () => {
  it('puts its trace id into the lines of calls and of changes', async () => {
    const later = `cc-${traceId}-00f067aa0ba902b7-01-what-the-future-will-be`;
    const lines = await tracedLines(traceparent, later);
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line['traceId']).toBe(traceId);
  });

  it('is ignored if it is invalid', async () => {
    const lines = await tracedLines(
      `ff-${traceId}-00f067aa0ba902b7-01`,
      `${traceparent}-more`,
      `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId}-00f067aa0ba902b7`,
      `${traceparent}, ${traceparent}`,
      'x',
    );
    expect(lines).toHaveLength(16);
    for (const line of lines) expect(line).not.toHaveProperty('traceId');
  });
});
