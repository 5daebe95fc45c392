import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { run, temporaryFolder, type Ended } from '../support/command.ts';
import { linkModule, linkProgram } from '../support/package.ts';
import { pageCommands } from '../support/recipes.ts';
import { serve } from '../support/serve.ts';

/** A folder in which the programs are installed. */
function project(...programs: readonly string[]): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  for (const program of programs) linkProgram(folder, program);
  return folder;
}

/** Runs a command as it stands, but for the address of the server. What is not there is not fetched. */
function follow(command: string, server: SandboxServer, folder: string): Promise<Ended> {
  const here = command.replaceAll('http://127.0.0.1:4010', server.url);
  return run(['-c', here], { program: ['sh'], cwd: folder, env: { npm_config_offline: 'true', NO_COLOR: '1' } });
}

/** How many of something newman says were there, and how many of them failed. */
function counted(out: string, what: string): readonly number[] {
  const [, all = '', failed = ''] = new RegExp(`│ +${what} │ +(\\d+) │ +(\\d+) │`).exec(out) ?? [];
  return [Number(all), Number(failed)];
}

describe('docs/other-tools.md', () => {
  const examples = readFileSync('examples/requests.http', 'utf8').split(/^### /m).length - 1;

  it('has newman run every example with success, as often as one likes, and in a sandbox of its own', async () => {
    const server = await serve();
    const [plain = '', apart = ''] = pageCommands('other-tools', 'Postman');
    const folder = project('newman');
    for (const command of [plain, plain, apart]) {
      const { code, out } = await follow(command, server, folder);
      expect({ code, assertions: counted(out, 'assertions') }).toEqual({ code: 0, assertions: [2 * examples, 0] });
    }
    const { text } = await supertest(server.url).get('/control/sandboxes').expect(200);
    for (const id of ['throttled', 'build-481', 'build-481-throttled']) expect(text).toContain(`{"id":"${id}"`);
  }, 60_000);

  it('has newman notice what is answered otherwise', async () => {
    const server = await serve();
    await server.default.assumptions.choose({ operationFailureStatus: 'by-kind' });
    const [plain = ''] = pageCommands('other-tools', 'Postman');
    const { code, out } = await follow(plain, server, project('newman'));
    expect(code).toBe(1);
    expect(out).toContain('expected response to have status code 200 but got 404');
  }, 60_000);

  it('has the files fetched that it tells of', async () => {
    const server = await serve();
    const folder = project('openapi-typescript');
    for (const heading of ['VS Code and JetBrains', 'Bruno, Insomnia, Hoppscotch', 'TypeScript'])
      for (const command of pageCommands('other-tools', heading)) expect(await follow(command, server, folder)).toMatchObject({ code: 0 });
    const [requests, contract, types] = ['requests.http', 'learning-platform.yaml', 'learning-platform.ts'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    expect(requests).toContain(`@baseUrl = ${server.url}\n`);
    expect(contract).toContain(`  - url: ${server.url}\n`);
    expect(types).toBe(readFileSync('examples/typescript-client/learning-platform.ts', 'utf8'));
  });
});

describe('the client in TypeScript', () => {
  /** The client in a folder of its own, with what its package.json names. */
  function client(): string {
    const folder = project('tsc', 'openapi-typescript');
    cpSync('examples/typescript-client', folder, { recursive: true });
    const { dependencies, devDependencies } = manifestIn(folder);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) linkModule(folder, name);
    return folder;
  }

  async function start(server: SandboxServer, folder = client()): Promise<Ended> {
    const env = { SANDBOX_URL: server.url, SANDBOX_API_KEY: server.default.apiKey('riverside') };
    return run(['--silent', 'start'], { program: ['npm'], cwd: folder, env });
  }

  it('names the versions that it is tested with', () => {
    const { dependencies, devDependencies } = manifestIn('examples/typescript-client');
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
      'One element failed in a reply with HTTP 200: The school has no quiz with the identifier "984144c328c175680b6d36d2".',
      "The question: One strand of DNA reads 5'-ATGCCA-3'. Which is the complementary DNA strand?",
      'The answer is submitted.',
      expect.stringMatching(/^Sam Otieno is the instructor [0-9a-f]{24}\.$/) as string,
      '',
    ]);
  });

  it('waits as Retry-After says, backs off, and repeats after a lost reply what may be repeated, with the conduct that the report wants', async () => {
    const server = await serve();
    const { faults } = server.default;
    await faults.add({ operation: 'list-assignments', fault: 'throttled', with: { 'retry-after': 1 }, when: { first: 1 } });
    await faults.add({ operation: 'get-quiz-details', fault: 'http-error', with: { status: 503 }, when: { first: 2 } });
    await faults.add({ operation: 'create-instructor-account', fault: 'truncated-body', phase: 'after', when: { first: 1 } });
    const { code, out } = await start(server);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('(/public/list-assignments: HTTP 429; again in 1 s)') as string,
    });
    const kept = ['retry-after', 'backoff', 'giving-up'];
    const { conduct } = await server.default.report();
    const verdicts = Object.fromEntries(conduct.map(({ check, verdict }) => [check, verdict]));
    expect(verdicts).toMatchObject(Object.fromEntries(kept.map((check) => [check, 'passed'])));
    expect(Object.values(verdicts)).not.toContain('failed');
    const made = await server.default.journal.list({ operation: 'create-instructor-account' });
    expect(made).toHaveLength(2);
  });

  it('does not submit again where the reply is lost, and says so', async () => {
    const server = await serve();
    await server.default.faults.add({ operation: 'submit-user-course-item', fault: 'reset', phase: 'after', when: { first: 1 } });
    const { code, err } = await start(server);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^\/public\/submit-user-course-item: no reply .*\. It may be done: look before you repeat it\.\n$/,
      ) as string,
    });
    expect(await server.default.journal.list({ operation: 'submit-user-course-item' })).toHaveLength(1);
  });

  it('is checked by the compiler: a misspelt parameter does not compile', async () => {
    const folder = client();
    const main = join(folder, 'main.ts');
    writeFileSync(main, readFileSync(main, 'utf8').replace('({ data: { quizId } })', '({ data: { quizID: quizId } })'));
    const { code, out } = await run(['--silent', 'start'], { program: ['npm'], cwd: folder });
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
