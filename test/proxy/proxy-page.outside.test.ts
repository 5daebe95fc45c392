import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { run, startProgram, temporaryFolder, watched, type Watched } from '../support/command.ts';
import { pageSections } from '../support/recipes.ts';

const page = readFileSync('docs/proxy.md', 'utf8');

/** The blocks of the section in their order: commands, and what the page says that they print. */
const blocks = pageSections('proxy').get('Try it out') ?? [];

/** The arguments behind `lp-sandbox`. */
function argumentsOf(command: string): readonly string[] {
  return command.trim().split(/\s+/).slice(1);
}

/** Waits until a program has said enough on stdout. */
function heard({ child, said }: Watched, words: RegExp): Promise<void> {
  return new Promise((done, fail) => {
    child.stdout?.on('data', () => void (words.test(said().out) && done()));
    child.once('close', () => fail(new Error(`It ended: ${said().err}${said().out}`)));
  });
}

describe('docs/proxy.md', () => {
  it('links to what there is', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('http'));
    expect(links.filter((link) => !existsSync(`docs/${link.split('#')[0]}`))).toEqual([]);
  });

  it('has commands that do what it says, up to the end and its reports', async () => {
    const [start, proxy, ...calls] = blocks
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text);
    const printed = blocks.filter(({ language }) => language === 'text').map(({ text }) => text.trim());
    expect([calls.length, printed.length]).toEqual([3, 3]);

    const sandbox = await startProgram(argumentsOf(start ?? '').map((word) => word.replace('4010', '0')));
    onTestFinished(async () => void (await sandbox.stop('SIGKILL')));
    const folder = temporaryFolder();
    const words = argumentsOf(proxy ?? '').map((word) => word.replace('http://127.0.0.1:4010', sandbox.url));
    const program = watched([...words, '--port', '0'], { cwd: folder });
    onTestFinished(() => void program.child.kill('SIGKILL'));
    await heard(program, /^Point the client at/m);
    const [, url = ''] = /^Validating proxy at (\S+)$/m.exec(program.said().out) ?? [];

    for (const [index, call] of calls.entries()) {
      const { code, out } = await run(['-c', call.replace('http://127.0.0.1:4011', url)], {
        program: ['sh'],
      });
      expect([code, out]).toEqual([0, expect.stringContaining(`${printed[index]}\r\n`)]);
    }
    program.child.kill('SIGINT');
    const { code, err } = await program.ended;
    expect(code).toBe(0);
    expect(err).toContain(
      '✗ default-1 get-quiz-details request: /data/0/data/quizId is required, but missing.',
    );
    expect(err).toContain(
      '✗ default-2 get-instructor-permission-presets response: the response is not JSON.',
    );
    expect(err).toContain('≠ default-3 get-quiz-details response: the response has the status 502');
    expect(err).toContain(
      `lp-sandbox: 3 calls for ${sandbox.url}: 1 with an invalid request, 1 with an invalid response, 1 with a response that differs from the sandbox's assumptions.`,
    );
    expect(err).toContain('lp-sandbox: wrote proxy.html, proxy.junit.xml');
    expect(readFileSync(join(folder, 'proxy.html'), 'utf8')).toContain('Contract violations by the service');
    const junit = readFileSync(join(folder, 'proxy.junit.xml'), 'utf8');
    expect(junit).toContain(`<testsuite name="upstream" tests="${operationNames.length}" failures="0"`);
  });
});
