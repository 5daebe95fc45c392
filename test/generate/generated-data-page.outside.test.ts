import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planNamed } from '../../src/generate/counts.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { run, startProgram, temporaryFolder } from '../support/command.ts';
import { pageCommands } from '../support/recipes.ts';

const page = readFileSync('docs/generated-data.md', 'utf8');
const [begin = ''] = pageCommands('generated-data', '# Generate data');
const [make = '', serve = ''] = (pageCommands('generated-data', 'Write a folder')[0] ?? '').split('\n');
const [create = ''] = pageCommands('generated-data', 'Use it in one sandbox');
const [careless = '', read = ''] = pageCommands('generated-data', 'Start without data');

/** The arguments of a command of the page. */
function argumentsOf(command: string): readonly string[] {
  const [program, ...args] = command.split(' ');
  expect(program).toBe('lp-sandbox');
  return args;
}

/** What a `curl` of the page answers when it is sent to a server. */
async function answerOf(command: string, url: string): Promise<unknown> {
  const script = command
    .replace('curl ', 'curl --silent --show-error --fail ')
    .replaceAll('http://127.0.0.1:4010', url);
  const { code, out, err } = await run(['-c', script], { program: ['sh'] });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('docs/generated-data.md', () => {
  it('begins with a seed that can be had', () => {
    const [, , seed = ''] = argumentsOf(begin);
    expect(planNamed(seed).plan.counts).toMatchObject({ videos: 100_000, schools: 3 });
  });

  it('has commands that write a folder and start from it, which is what the page says that it is', async () => {
    const cwd = temporaryFolder();
    const written = await run(argumentsOf(make), { cwd });
    expect([written.code, written.err]).toEqual([0, '']);
    const { plan } = planNamed(/`--seed (generated:\S+)`/.exec(page)?.[1] ?? '');
    const { collections } = await readSeed(join(cwd, 'big-school'));
    expect([collections.videos.byId.size, collections.schools.byId.size]).toEqual([
      plan.counts.videos,
      plan.counts.schools,
    ]);
    const program = await startProgram([...argumentsOf(serve), '--port', '0'], { cwd });
    expect(program.banner).toMatch(/sbx_default_riverside[^]*sbx_default_hillcrest/);
    expect(await program.stop('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('has curls that answer as it says', async () => {
    const program = await startProgram([...argumentsOf(careless), '--port', '0']);
    try {
      expect(await answerOf(create, program.url)).toMatchObject({
        id: 'big',
        seed: 'generated:videos=2000,random-seed=7',
      });
      expect(await answerOf(read, program.url)).toMatchObject([
        { output: { status: 'ok', data: { quizTitle: expect.any(String) as string } } },
      ]);
    } finally {
      await program.stop('SIGTERM');
    }
  });

  it('links to what there is', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join('docs', link)))).toEqual([]);
    expect(links.length).toBeGreaterThan(0);
  });
});
