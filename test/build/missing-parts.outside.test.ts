import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replaceFiles } from '../../scripts/replace-files.ts';
import { copyOfBuild, type Built } from '../support/built.ts';
import { startProgram, type Program } from '../support/command.ts';
import { sessions } from '../support/demo.ts';

const paths = ['/', '/control/sandboxes', '/console', '/docs', '/openapi.json'];

async function start(
  { bundle }: Built,
  program: readonly [string, ...string[]] = [process.execPath],
): Promise<Program> {
  const server = await startProgram([join(bundle, 'main.js'), 'start', '--port', '0'], { program });
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  return server;
}

async function statuses(url: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const path of paths)
    found.push((await supertest(url).get(path).set('Accept', 'application/json, text/html')).status);
  return found;
}

const all = (status: number): readonly number[] => paths.map(() => status);

describe('a server whose parts are gone', { timeout: 60_000 }, () => {
  it.each([
    ['all that is loaded when first needed', (): boolean => true],
    ['only parts of those that are', (piece: string): boolean => piece.startsWith('chunk-')],
  ])('refuses what it cannot load, says why to its owner, and tries again: %s', async (_, isGone) => {
    const built = copyOfBuild();
    const putBack = built.without(built.pieces.filter(isGone));
    const server = await start(built);
    expect(await statuses(server.url)).toEqual(all(503));
    const { headers, body } = await supertest(server.url).post('/control/sandboxes').send({}).expect(503);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': '1',
    });
    expect(body).toMatchObject({
      status: 503,
      title: 'Temporarily unavailable',
      detail: expect.stringContaining('Try again') as string,
    });
    const told = new RegExp(
      `^${headers['sandbox-request-id']}: Error: A part of the program cannot be loaded.*\\n {4}at [^]*caused by .*ENOENT`,
      'm',
    );
    await expect.poll(() => server.said().err, { timeout: 10_000 }).toMatch(told);
    await supertest(server.url).get('/healthz').expect(200);
    await supertest(server.url).get('/metrics').expect(200);
    putBack();
    expect(await statuses(server.url)).toEqual(all(200));
    await supertest(server.url).post('/control/sandboxes').send({}).expect(201);
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('has loaded by itself what it may need, so that an upgrade takes nothing but files away', async () => {
    const built = copyOfBuild();
    const watch = built.write(
      'watch.mjs',
      `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const open = fs.openSync;
      fs.openSync = (path, ...rest) => {
        if (/world-\\w+\\.js$/.test(String(path))) setTimeout(() => process.stderr.write('the last part\\n'), 500);
        return open(path, ...rest);
      };
      syncBuiltinESMExports();`,
    );
    const server = await start(built, [process.execPath, '--import', watch]);
    await expect.poll(() => server.said().err, { timeout: 30_000 }).toContain('the last part');
    built.without(built.pieces);
    expect(await statuses(server.url)).toEqual(all(200));
    const client = supertest(server.url);
    await client
      .post('/control/sandboxes')
      .send({ seed: 'generated:videos=5', assumptions: { requiredFields: 'all' } })
      .expect(201);
    await client
      .post('/control/sandboxes')
      .send({ assumptions: { unknownId: 'synthesise' }, scenario: 'flaky-network' })
      .expect(201);
    await client.post('/control/sandboxes/default/faults').send({ fault: 'http-error' }).expect(201);
    await client.get('/control/sandboxes/default/report.html').expect(200);
  });

  it('answers with a problem document where its other files are gone, and goes on', async () => {
    const built = copyOfBuild();
    const server = await start(built);
    const client = supertest(server.url);
    expect(await statuses(server.url)).toEqual(all(200));
    const signed = await client
      .post('/public/get-signed-url-data-for-live-event-session-playback')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send({ data: [{ data: { liveEventSessionId: sessions.oneSource } }] });
    // As the contract has it; the server's own tests hold it to that.
    const [source] = (
      signed.body as [{ output: { data: { playbackSources: readonly Record<string, string>[] } } }]
    )[0].output.data.playbackSources;
    const segment = `${source?.['masterM3u8Pathname']}${source?.['urlSearchParamString']}`
      .replace('master.m3u8', 'high-2.ts')
      .replace(server.url, '');
    await client.get(segment).expect(200);
    for (const folder of ['openapi', 'fixtures', 'dist/console', 'dist/reference'])
      renameSync(join(built.root, folder), join(built.root, `${folder}-gone`));
    const gone: readonly (readonly [path: string, status: number])[] = [
      ['/console', 404],
      ['/console/console.js', 404],
      ['/docs', 404],
      ['/docs/ci', 404],
      [segment, 503],
      ['/docs/postman.json', 503],
      ['/pages.css', 404],
      ['/openapi.yaml', 503],
      ['/control/openapi.yaml', 503],
      ['/control/seeds', 503],
      ['/assets/instructors/none.png', 404],
    ];
    for (const [path, status] of gone) {
      const reply = await client.get(path);
      expect([path, reply.status, reply.type]).toEqual([path, status, 'application/problem+json']);
    }
    await client.get('/control/sandboxes').expect(200);
    await client.get('/').expect(200);
  });
});

describe('a server without file descriptors', { timeout: 60_000 }, () => {
  it('refuses what it cannot load, and loads it when it has some again', async () => {
    const built = copyOfBuild();
    const program = built.write(
      'program.mjs',
      `import { closeSync, openSync } from 'node:fs';
      import { Agent, get } from 'node:http';
      import { startSandbox } from './dist/bundle/index.js';
      const server = await startSandbox({ port: 0, warn: (text) => process.stderr.write(text) });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (path) => new Promise((done, fail) => get(server.url + path, { agent }, (reply) => reply.resume().on('end', () => done(reply.statusCode))).on('error', fail));
      const all = async () => { const found = []; for (const path of ${JSON.stringify(paths)}) found.push(await ask(path)); return found; };
      await ask('/healthz');
      const held = [];
      try { for (;;) held.push(openSync('/dev/null')); } catch {}
      const counts = [];
      // With some to spare too: a part must not be half loaded.
      for (const spare of [0, 1, 2, 3, 4]) { for (let some = 0; some < Math.min(spare, 1); some += 1) closeSync(held.pop()); counts.push(await all()); }
      for (const one of held) closeSync(one);
      console.log(JSON.stringify([counts, await all()]));
      agent.destroy();
      await server.close();`,
    );
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      'ulimit -n 64 && exec "$0" "$1"',
      process.execPath,
      program,
    ]);
    expect(JSON.parse(stdout)).toEqual([[all(503), all(503), all(503), all(503), all(503)], all(200)]);
  });

  it('stays up while 120 idle connections take them all', async () => {
    const built = copyOfBuild();
    const server = await start(built, ['bash', '-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath]);
    const port = Number(new URL(server.url).port);
    const idle: Socket[] = [];
    for (let count = 0; count < 120; count += 1) idle.push(connect(port, '127.0.0.1').on('error', () => {}));
    for (const path of paths)
      await fetch(`${server.url}${path}`, { headers: { Connection: 'close' } }).catch(() => null);
    for (const socket of idle) socket.destroy();
    await expect.poll(() => statuses(server.url).catch(() => []), { timeout: 20_000 }).toEqual(all(200));
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  });
});

describe('a build under a running server', { timeout: 60_000 }, () => {
  it('leaves what that server has not loaded yet', async () => {
    const built = copyOfBuild();
    const program = built.write(
      'program.mjs',
      `import { startSandbox } from './dist/bundle/index.js';
      const server = await startSandbox({ port: 0 });
      console.log(server.url);`,
    );
    const server = await serving(program);
    replaceFiles(
      built.bundle,
      new Map([
        ['main.js', ''],
        ['index.js', ''],
        ['load-other.js', ''],
        ['chunk-other.js', ''],
      ]),
    );
    expect(await statuses(server)).toEqual(all(200));
  });
});

/** Runs a program that prints where it serves, until the end of the test. */
function serving(program: string): Promise<string> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [program]);
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdout?.once('data', (text) => done(String(text).trim()));
  });
}
