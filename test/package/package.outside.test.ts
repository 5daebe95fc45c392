import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, startProgram } from '../support/command.ts';
import { sessions } from '../support/demo.ts';
import { installPackage, type Installation } from '../support/package.ts';

const runFile = promisify(execFile);

let installed: Installation;
beforeAll(async () => {
  installed = await installPackage({ types: true });
}, 120_000);
afterAll(() => installed.remove());

/** Writes a file into the folder that the package is installed in. */
function write(name: string, text: string): string {
  const file = join(installed.folder, name);
  writeFileSync(file, text);
  return file;
}

describe('the package', () => {
  it('ships the program, its types, what it reads at run time, and what a person reads; no sources, no tests, no maps', () => {
    const { files } = installed;
    expect([...new Set(files.map((file) => file.split('/')[0]))]).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'examples',
      'fixtures',
      'openapi',
      'package.json',
    ]);
    expect(files.filter((file) => file.startsWith('examples/'))).toEqual([
      'examples/postman.json',
      'examples/requests.http',
      ...[
        'README.md',
        'learning-platform.ts',
        'main.ts',
        'package.json',
        'patient-fetch.ts',
        'tsconfig.json',
      ].map((file) => `examples/typescript-client/${file}`),
    ]);
    const built = files.filter((file) => file.startsWith('dist/'));
    expect(built).toEqual(
      expect.arrayContaining([
        'dist/bundle/index.d.ts',
        'dist/bundle/index.js',
        'dist/bundle/main.js',
        'dist/console/console.js',
        'dist/reference/index.html',
      ]),
    );
    // A map would hold the sources, and be larger than the program.
    expect(
      built.filter(
        (file) =>
          !/^dist\/(bundle\/([\w-]+\.js|index\.d\.ts)|console\/([\w-]+\.(js|css)|(index|school|demo)\.html)|reference\/[\w.-]+\.(js|css|html|json|txt|http))$/.test(
            file,
          ),
      ),
    ).toEqual([]);
    expect(
      built.filter((file) =>
        readFileSync(join(installed.folder, 'node_modules', installed.manifest.name, file)).includes(
          'sourceMappingURL',
        ),
      ),
    ).toEqual([]);
  });

  it('has a command that tells its version and its help', async () => {
    const { command, folder, manifest } = installed;
    const [version, help] = await Promise.all(
      ['--version', '--help'].map((flag) => run([flag], { program: [command], cwd: folder })),
    );
    expect(version).toEqual({ code: 0, signal: null, out: `${manifest.version}\n`, err: '' });
    expect(help).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^lp-sandbox start \[flags\]\n[^]*--scenario/) as string,
    });
  });

  it('has a command that serves all there is: operations, scenarios, both contracts, seeds, pictures, recordings and the control plane', async () => {
    const { command, folder } = installed;
    const server = await startProgram(['start', '--port', '0', '--scenario', 'flaky-network'], {
      program: [command],
      cwd: folder,
    });
    try {
      const client = supertest(server.url);
      const asked = { data: [{ data: {} }] };
      await client
        .delete('/control/sandboxes/default/faults')
        .set('Content-Type', 'application/json')
        .expect(204);
      const reply = await client
        .post('/public/get-all-instructors')
        .set('SERVICE-API-KEY', 'sbx_default_riverside')
        .send(asked)
        .expect(200);
      const [, picture = ''] = /"(http:[^"]+\/assets\/[^"]+)"/.exec(reply.text) ?? [];
      await client
        .get(new URL(picture).pathname)
        .expect(200)
        .expect('Content-Type', /^image\//);
      const { body } = await client
        .post('/public/get-signed-url-data-for-live-event-session-playback')
        .set('SERVICE-API-KEY', 'sbx_default_riverside')
        .send({ data: [{ data: { liveEventSessionId: sessions.oneSource } }] })
        .expect(200);
      // As the contract has it; the server's own tests hold it to that.
      const [source] = (
        body as [{ output: { data: { playbackSources: readonly Record<string, string>[] } } }]
      )[0].output.data.playbackSources;
      const playlist = `${source?.['masterM3u8Pathname']}${source?.['urlSearchParamString']}`;
      await client.get(playlist).expect(200);
      await client
        .get(playlist.replace('master.m3u8', 'high-2.ts'))
        .expect(200)
        .expect('Content-Type', 'video/mp2t');
      await client
        .get('/openapi.yaml')
        .expect(200)
        .expect(/^openapi: /);
      await client
        .get('/control/openapi.yaml')
        .expect(200)
        .expect(/^openapi: /);
      await client
        .post('/control/sandboxes')
        .send({ id: 'bare', seed: 'empty', assumptions: { requiredFields: 'all' } })
        .expect(201);
      await client
        .get('/control/sandboxes/default/report.html')
        .expect(200)
        .expect('Content-Type', /^text\/html/);
      await client.get('/metrics').expect(200);
    } finally {
      expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, err: '' });
    }
  });

  it('is imported by a plain module, which finds the documents too', async () => {
    const file = write(
      'program.mjs',
      `import { readFileSync } from 'node:fs';
      import { fileURLToPath } from 'node:url';
      import { connectSandbox, startSandbox } from 'learning-platform-sandbox';
      import manifest from 'learning-platform-sandbox/package.json' with { type: 'json' };
      const server = await startSandbox({ port: 0 });
      const sandbox = await (await connectSandbox({ url: server.url })).createSandbox({ scenario: 'outage-then-recovery' });
      const documents = ['learning-platform', 'control'].map((name) => import.meta.resolve('learning-platform-sandbox/openapi/' + name + '.yaml'));
      const first = documents.map((url) => readFileSync(fileURLToPath(url), 'utf8').split('\\n')[0]);
      console.log(JSON.stringify([manifest.name, sandbox.apiKey('riverside'), ...first]));
      await server.close();`,
    );
    const { stdout } = await runFile(process.execPath, ['--no-warnings', file]);
    expect(JSON.parse(stdout)).toEqual([
      'learning-platform-sandbox',
      'sbx_sandbox-1_riverside',
      'openapi: 3.1.0',
      'openapi: 3.1.0',
    ]);
  });
});

describe("the package's types", () => {
  const settings = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    // What a project hands on it declares, so every type must have a name that can be imported.
    declaration: true,
    // Nothing but what the package brings: no types of Node's, and no newer library than the language's.
    types: [],
    target: 'ES2022',
    lib: ['ES2022'],
  };

  it.each([
    ['Node', { module: 'NodeNext' }],
    ['bundlers', { module: 'ESNext', moduleResolution: 'bundler' }],
  ])(
    'compile strictly as they are resolved for %s, library check included, and refuse what is wrong',
    async (name, resolution) => {
      const program = write(`${name}.mts`, readFileSync(new URL('consumer.mts', import.meta.url), 'utf8'));
      const project = write(
        `tsconfig.${name}.json`,
        JSON.stringify({ compilerOptions: { ...settings, ...resolution }, files: [program] }),
      );
      const { stdout } = await runFile(process.execPath, [
        'node_modules/typescript/bin/tsc',
        '-p',
        project,
      ]).catch((error: unknown) => error as { stdout: string });
      expect(stdout).toBe('');
    },
  );
});
