import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { lpSandbox, run, temporaryFolder, type Ended } from '../support/command.ts';
import { linkModule, linkProgram } from '../support/package.ts';
import { pageCommands } from '../support/recipes.ts';
import { serve } from '../support/serve.ts';

/** The folder, with the programs installed in it. */
function project(folder: string, ...programs: readonly string[]): string {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  for (const program of programs) linkProgram(folder, program);
  return folder;
}

/** Runs a command as it stands, but for the address of the server. What is not there is not fetched. */
function follow(command: string, server: SandboxServer, folder: string): Promise<Ended> {
  const here = command.replaceAll('http://127.0.0.1:4010', server.url);
  return run(['-c', here], {
    program: ['sh'],
    cwd: folder,
    env: { npm_config_offline: 'true', NO_COLOR: '1' },
  });
}

function compile(folder: string): Promise<Ended> {
  return run(['-p', '.'], { program: ['node_modules/.bin/tsc'], cwd: folder });
}

/** How many of something newman says were there, and how many of them failed. */
function counted(out: string, what: string): readonly number[] {
  const [, all = '', failed = ''] = new RegExp(`│ +${what} │ +(\\d+) │ +(\\d+) │`).exec(out) ?? [];
  return [Number(all), Number(failed)];
}

// Each starts programs that take seconds.
const timeout = 60_000;

describe('docs/other-tools.md', { timeout }, () => {
  const examples = readFileSync('examples/requests.http', 'utf8').split(/^### /m).length - 1;

  it('has newman run every example with success, as often as one likes, and in a sandbox of its own', async () => {
    const server = await serve();
    const [plain = '', apart = ''] = pageCommands('other-tools', 'Postman');
    const folder = project(temporaryFolder(), 'newman');
    for (const command of [plain, plain, apart]) {
      const { code, out } = await follow(command, server, folder);
      expect({ code, assertions: counted(out, 'assertions') }).toEqual({
        code: 0,
        assertions: [2 * examples, 0],
      });
    }
    const { text } = await supertest(server.url).get('/control/sandboxes').expect(200);
    for (const id of ['throttled', 'build-481', 'build-481-throttled'])
      expect(text).toContain(`{"id":"${id}"`);
  });

  it('has newman notice what is answered otherwise', async () => {
    const server = await serve();
    await server.default.assumptions.choose({ operationFailureStatus: 'by-kind' });
    const [plain = ''] = pageCommands('other-tools', 'Postman');
    const { code, out } = await follow(plain, server, project(temporaryFolder(), 'newman'));
    expect(code).toBe(1);
    expect(out).toContain('expected response to have status code 200 but got 404');
  });

  it('has the files fetched that it tells of', async () => {
    const server = await serve();
    const folder = project(temporaryFolder(), 'openapi-typescript');
    for (const heading of ['VS Code and JetBrains', 'Bruno, Insomnia, Hoppscotch', 'TypeScript'])
      for (const command of pageCommands('other-tools', heading))
        expect(await follow(command, server, folder)).toMatchObject({ code: 0 });
    const [requests, contract, types] = [
      'requests.http',
      'learning-platform.yaml',
      'learning-platform.ts',
    ].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(requests).toContain(`@baseUrl = ${server.url}\n`);
    expect(contract).toContain(`  - url: ${server.url}\n`);
    expect(types).toBe(readFileSync('examples/typescript-client/learning-platform.ts', 'utf8'));
  });
});

describe('the client in TypeScript', { timeout }, () => {
  const source = 'examples/typescript-client';
  const commands = [
    ...readFileSync(`${source}/README.md`, 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm),
  ].flatMap(([, block = '']) => block.trim().split('\n'));

  /** The client in that folder, with what its package.json names. */
  function clientIn(folder: string): string {
    project(folder, 'tsc', 'openapi-typescript');
    cpSync(source, folder, { recursive: true });
    const { dependencies, devDependencies } = manifestIn(folder);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) linkModule(folder, name);
    return folder;
  }

  let compiled: string;
  beforeAll(async () => {
    compiled = clientIn(mkdtempSync(join(tmpdir(), 'lp-sandbox-client-')));
    expect(await compile(compiled)).toMatchObject({ code: 0, out: '' });
  }, timeout);
  afterAll(() => rmSync(compiled, { recursive: true, force: true }));

  function start(server: SandboxServer): Promise<Ended> {
    const env = { SANDBOX_URL: server.url, SANDBOX_API_KEY: server.default.apiKey('riverside') };
    return run(['dist/main.js'], { program: [process.execPath], cwd: compiled, env });
  }

  it('names the versions that it is tested with', () => {
    const { dependencies, devDependencies } = manifestIn(source);
    expect(manifestIn('.').devDependencies).toMatchObject({ ...dependencies, ...devDependencies });
  });

  it('lists, reads, submits and creates, and tells what failed', async () => {
    const server = await serve();
    const { code, out, err } = await start(server);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'Foundations of Biology has 3 assignments:',
      '- Observe and Draw Onion Cells',
      '- Measure the Breath of Yeast',
      '- Trace a Trait Through Three Generations',
      'One element failed in a reply with HTTP 200: /data/1/data/quizId: The school has no quiz with the identifier "984144c328c175680b6d36d2".',
      "The question: One strand of DNA reads 5'-ATGCCA-3'. Which is the complementary DNA strand?",
      'The answer is submitted.',
      expect.stringMatching(/^Sam Otieno is the instructor [0-9a-f]{24}\.$/) as string,
      '',
    ]);
    expect((await server.default.state.list('submissions')).length).toBeGreaterThan(0);
  });

  it('waits as Retry-After says, and repeats after a lost reply what may be repeated', async () => {
    const server = await serve();
    const { faults, journal } = server.default;
    await faults.add({
      operation: 'list-assignments',
      fault: 'throttled',
      with: { 'retry-after': 1 },
      when: { first: 1 },
    });
    await faults.add({
      operation: 'create-instructor-account',
      fault: 'truncated-body',
      phase: 'after',
      when: { first: 1 },
    });
    const { code, out } = await start(server);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('(/public/list-assignments: HTTP 429; again in 1 s)') as string,
    });
    expect(await journal.list({ operation: 'create-instructor-account' })).toHaveLength(2);
    const { conduct } = await server.default.report();
    const verdicts = conduct.map(({ check, verdict }) => `${check} ${verdict}`);
    expect(verdicts).toEqual(expect.arrayContaining(['retry-after passed', 'giving-up passed']));
    expect(verdicts.filter((verdict) => verdict.endsWith('failed'))).toEqual([]);
  });

  it('does not submit again where the reply is lost, and says so', async () => {
    const server = await serve();
    await server.default.faults.add({
      operation: 'submit-user-course-item',
      fault: 'reset',
      phase: 'after',
      when: { first: 1 },
    });
    const { code, err } = await start(server);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^\/public\/submit-user-course-item: no reply .*\. It may be done: look before you repeat it\.\n$/,
      ) as string,
    });
    expect(await server.default.journal.list({ operation: 'submit-user-course-item' })).toHaveLength(1);
  });

  it('has a README whose commands make the types anew, and take it through an outage', async () => {
    const [install, plain, types, storm, outage = '', ...more] = commands;
    expect([install, plain, types, more]).toEqual(['npm install', 'npm start', 'npm run types', []]);
    expect(storm).toMatch(/^lp-sandbox exec --scenario rate-limit-storm -- /);
    const folder = clientIn(temporaryFolder());
    const server = await serve();
    rmSync(join(folder, 'learning-platform.ts'));
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
    writeFileSync(join(folder, 'package.json'), manifest.replace('http://127.0.0.1:4010', server.url));
    expect(await follow('npm run types', server, folder)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'learning-platform.ts'), 'utf8')).toBe(
      readFileSync(`${source}/learning-platform.ts`, 'utf8'),
    );
    const { code, out, err } = await follow(
      outage.replace('lp-sandbox', lpSandbox.join(' ')),
      server,
      folder,
    );
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('HTTP 503; again in 0.25 s') as string,
    });
    expect(err).toContain('✓ The client did not violate the contract');
  });

  it('is checked by the compiler: a parameter that is misspelt does not compile', async () => {
    const folder = clientIn(temporaryFolder());
    const main = join(folder, 'main.ts');
    writeFileSync(
      main,
      readFileSync(main, 'utf8').replace('({ data: { quizId } })', '({ data: { quizID: quizId } })'),
    );
    const { code, out } = await compile(folder);
    expect(code).not.toBe(0);
    expect(out).toMatch(/^main\.ts\(\d+,\d+\): error TS\d+: [^]*quizID/);
  });
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifestIn(folder: string): Manifest {
  // The project's own files, whose form is known.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
