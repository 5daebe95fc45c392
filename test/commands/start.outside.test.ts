import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lpSandbox, run, startProgram, type Program } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { unassignedPort } from '../support/ports.ts';

const body = { data: [{ data: {} }] };

describe('lp-sandbox without anything but a port', () => {
  let program: Program;
  beforeAll(async () => {
    // It is freed before the end of the test, which asks then whether anybody is still there.
    program = await startProgram(['--port', String(await unassignedPort())]);
  });
  afterAll(async () => void (await program.stop('SIGKILL')));

  it('says in its banner where it is, which schools there are with their keys, and what to try', () => {
    const { url, banner } = program;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(banner.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '))).toEqual([
      `Learning Platform Sandbox at ${url}`,
      'Riverside Academy  sbx_default_riverside',
      'Hillcrest College  sbx_default_hillcrest',
      'Instituto Marevista  sbx_default_marevista',
      `Guided demo  ${url}/demo`,
      `School  ${url}/school`,
      `API reference  ${url}/docs`,
      `Contract  ${url}/openapi.yaml`,
      `Console  ${url}/console`,
      `Control plane  ${url}/control/openapi.yaml`,
      'Try:',
      `curl ${url}/public/get-all-instructors \\`,
      "-H 'SERVICE-API-KEY: sbx_default_riverside' -H 'Content-Type: application/json' \\",
      `-d '{"data":[{"data":{}}]}'`,
      '',
    ]);
  });

  it('answers the curl of its banner, pasted into a shell', async () => {
    const curl = program.banner.slice(program.banner.indexOf('curl '));
    const { stdout } = await promisify(execFile)('sh', ['-c', curl]);
    expect(JSON.parse(stdout)).toMatchObject([
      { output: { status: 'ok', data: { instructors: expect.any(Array) } } },
    ]);
  });

  it('is what lp-sandbox ready waits for', async () => {
    expect(await run(['ready', '--wait'], { env: { SANDBOX_URL: program.url } })).toEqual({
      code: 0,
      signal: null,
      out: '',
      err: '',
    });
  });

  it('keeps its port: a second one there ends with 1 and says what to do', async () => {
    const { port } = new URL(program.url);
    const { code, out, err } = await run(['start', '--port', port]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `lp-sandbox: Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or choose another port: --port 4011, or --port 0 for any free port.\n`,
    );
  });

  // The last one: it ends the program.
  it('finishes at SIGTERM what is in flight, refuses what has not come whole and what is new, and ends with 0', async () => {
    const whole = supertest(program.url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_default_riverside');
    const held = whole
      .set('Sandbox-Fault', 'delay; ms=600000')
      .send(body)
      .then((reply) => reply);
    const half = await halfCall(program.url);
    // The call that is held was sent first, so it has arrived by then.
    await supertest(program.url).get('/healthz').expect(200);
    const ended = program.stop('SIGTERM');
    expect(await half.reply).toMatchObject({ status: 503, title: 'Server stopping' });
    expect(await held).toMatchObject({ status: 200 });
    await eventually(() => expect(supertest(program.url).get('/healthz')).rejects.toThrow('ECONNREFUSED'));
    expect(await ended).toMatchObject({ code: 0, signal: null, err: '' });
  });
});

describe('lp-sandbox that is to stop', () => {
  it('ends at once at a second signal, whichever it is', async () => {
    const program = await startProgram(['--port', '0']);
    onTestFinished(async () => void (await program.stop('SIGKILL')));
    // A client that does not read its reply has the grace period.
    const { hostname, port } = new URL(program.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const text = JSON.stringify({ data: Array.from({ length: 4000 }, () => ({ data: {} })) });
    const head = [
      'Host: a',
      'SERVICE-API-KEY: sbx_default_riverside',
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
    ];
    socket.pause().write(`POST /public/get-all-live-events HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${text}`);
    await eventually(async () =>
      expect((await supertest(program.url).get('/metrics')).text).toMatch(/calls_total\{.* 1\n/),
    );
    void program.stop('SIGTERM');
    await eventually(() => expect(supertest(program.url).get('/healthz')).rejects.toThrow('ECONNREFUSED'));
    expect(await program.stop('SIGINT')).toMatchObject({ code: null, signal: 'SIGINT' });
  });
});

describe('lp-sandbox under npm start', () => {
  it('ends where the shell ends that npm ran it in', async () => {
    const program = [...lpSandbox, '--port', String(await unassignedPort())];
    // The shell must not become the program, as some do for the last command.
    const shell = spawn('sh', ['-c', `${program.join(' ')}; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
    });
    const [said] = (await once(shell.stdout, 'data')) as [Buffer];
    const [, url = ''] = /at (http:\S+)/.exec(said.toString('utf8')) ?? [];
    await supertest(url).get('/healthz').expect(200);
    shell.kill('SIGTERM');
    await eventually(() => expect(supertest(url).get('/healthz')).rejects.toThrow('ECONNREFUSED'));
  });
});

/** A call whose body has begun to come: the server has its headers, and its first half. */
async function halfCall(url: string): Promise<{ readonly reply: Promise<unknown> }> {
  const text = JSON.stringify(body);
  const call = request(`${url}/public/get-all-instructors`, {
    method: 'POST',
    headers: {
      'SERVICE-API-KEY': 'sbx_default_riverside',
      'Content-Type': 'application/json',
      'Content-Length': text.length,
      // The server answers it when it has the headers.
      Expect: '100-continue',
      Connection: 'keep-alive',
    },
  });
  const reply = new Promise<unknown>((done, fail) => {
    call.once('error', fail).once('response', (response) => {
      let heard = '';
      response.setEncoding('utf8').on('data', (piece: string) => (heard += piece));
      response.on('end', () => done(JSON.parse(heard)));
    });
  });
  await new Promise<void>((done) => {
    call.once('continue', done).flushHeaders();
  });
  call.write(text.slice(0, 10));
  return { reply };
}

describe('lp-sandbox with flags, variables and a file', () => {
  let folder: string;
  let program: Program;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-test-'));
    const file = [
      'log: silent',
      'limits: 5',
      'no-auto-create: true',
      'assume:',
      '  missingKey: http-403',
      '  emptyBatch: refuse',
    ];
    writeFileSync(join(folder, 'sandbox.config.yaml'), `${file.join('\n')}\n`);
    const env = { SANDBOX_LOG: 'pretty', SANDBOX_ASSUME: 'missingKey=output-error', SANDBOX_PORT: '1' };
    const args = [
      '--port',
      '0',
      '--log',
      'json',
      '--limits',
      '0.2',
      '--assume',
      'unknownFields=refuse',
      '--assume',
      'retryAfter=none',
    ];
    program = await startProgram(args, { cwd: folder, env });
  });

  afterAll(async () => {
    await program.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (key: string, elements: readonly unknown[] = body.data, operation = 'get-all-live-events') =>
    supertest(program.url).post(`/public/${operation}`).set('SERVICE-API-KEY', key).send({ data: elements });

  it('follows the file, but a variable beats it, and a flag beats both', async () => {
    const missingKey = await supertest(program.url).post('/public/get-all-instructors').send(body);
    expect([missingKey.status, missingKey.headers['sandbox-assumed']]).toEqual([
      200,
      'missingKey=output-error, failureMessages=descriptive',
    ]);
    const emptyBatch = await call('sbx_default_hillcrest', []);
    expect([emptyBatch.status, emptyBatch.headers['sandbox-assumed']]).toEqual([
      400,
      expect.stringContaining('emptyBatch=refuse'),
    ]);
    const unknownField = await call(
      'sbx_default_hillcrest',
      [{ data: { colour: 'red' } }],
      'get-video-library',
    );
    expect(unknownField.text).toContain('/data/0/data/colour is not a known field.');
  });

  it('scales the limits: 3 instead of 15 calls a minute with --limits 0.2', async () => {
    const statuses: number[] = [];
    let last: supertest.Response | null = null;
    for (let count = 0; count < 4; count += 1)
      statuses.push((last = await call('sbx_default_riverside')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(last?.headers).not.toHaveProperty('retry-after');
  });

  it('opens no sandbox for a key with --no-auto-create', async () => {
    expect((await call('sbx_build-1_riverside')).status).toBe(401);
  });

  // The last one: it ends the program, which then has written all its lines.
  it('logs a line of JSON per exchange with --log json, the key nowhere whole, and ends with 0 at SIGINT', async () => {
    await call('sbx_default_a-mistyped-key');
    const ended = await program.stop('SIGINT');
    expect(ended).toMatchObject({ code: 0, err: '' });
    const log = ended.out.slice(program.banner.length);
    const lines = log
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines.length).toBeGreaterThanOrEqual(1);
    expect(lines.at(-1)).toMatchObject({
      operation: 'get-all-live-events',
      status: 401,
      outcome: 'invalid-key',
      key: 'sbx_defa…ey',
      school: null,
      requestBytes: JSON.stringify(body).length,
    });
    for (const key of ['sbx_default_a-mistyped-key', 'sbx_default_riverside', 'sbx_default_hillcrest'])
      expect(log).not.toContain(key);
  });
});

describe('lp-sandbox', () => {
  it('ends with 2 for wrong usage, says what is wrong, and where to look', async () => {
    const { code, out, err } = await run(['--port', '0', '--profile', 'stict']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^lp-sandbox: --profile must be one of .*, but is "stict"\. Did you mean "strict"\?\nRun lp-sandbox --help for usage\.\n$/,
    );
  });

  it('ends with 2 for a seed that is not there', async () => {
    const { code, err } = await run(['--port', '0', '--seed', 'demos']);
    expect(code).toBe(2);
    expect(err).toContain('There is no seed "demos". Did you mean "demo"? Known seeds: demo, empty;');
  });

  it('tells its version, and its help', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const [told, help] = await Promise.all([run(['--version']), run(['--help'])]);
    expect(told).toEqual({ code: 0, signal: null, out: `${version}\n`, err: '' });
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toContain('Commands:');
  });
});
