import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../src/index.ts';

const readme = readFileSync('README.md', 'utf8');
const run = promisify(execFile);

/** Each `curl` of a page with the response printed below it, if there is one. */
function examplesOf(
  page: string,
): readonly { readonly page: string; readonly command: string; readonly answer: string | undefined }[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/```sh\n(curl [^`]+)```(?:\n\n```json\n([^`]+)```)?/g)].map(
    ([, command = '', answer]) => ({
      page,
      command,
      answer,
    }),
  );
}

const examples = ['README.md', 'docs/operations.md', 'docs/control-plane.md'].flatMap(examplesOf);

describe('the README and the first guides', () => {
  it('have curl examples, the first of them in the README, with its response', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
    expect(examples[0]?.page).toBe('README.md');
    expect(examples[0]?.answer).toBeDefined();
  });

  it.each(examples)(
    'have a curl that returns what the page says: $page $command',
    { tags: ['slow'] },
    async ({ command, answer }) => {
      const server = await startSandbox({ port: 0 });
      try {
        const { stdout } = await run('sh', [
          '-c',
          command
            .replace('curl ', 'curl --silent --show-error ')
            .replaceAll('http://127.0.0.1:4010', server.url),
        ]);
        const reply: unknown = JSON.parse(stdout);
        if (command.includes('/control/'))
          expect(reply).toEqual(expect.not.objectContaining({ detail: expect.any(String) as unknown }));
        else if (answer === undefined)
          expect(reply).toEqual([{ output: { status: 'ok', data: expect.any(Object) as unknown } }]);
        else expect(reply).toEqual(JSON.parse(answer));
      } finally {
        await server.close();
      }
    },
  );

  it('show how to start and test in one command each', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(readme).toContain('npm ci && npm start');
    expect(readme).toContain('npm ci && npm test');
    expect(readme.split('\n').length).toBeLessThanOrEqual(61);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['prestart', 'start', 'test']));
  });
});
