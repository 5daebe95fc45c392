import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../src/index.ts';

const readme = readFileSync('README.md', 'utf8');
const run = promisify(execFile);

/** Each `curl` of the README with the answer printed below it, where there is one. */
const examples = [...readme.matchAll(/```sh\n(curl [^`]+)```(?:\n\n```json\n([^`]+)```)?/g)].map(([, command = '', answer]) => ({
  command,
  answer,
}));

describe('the README', () => {
  it('has curl examples, the first of them with its answer', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
    expect(examples[0]?.answer).toBeDefined();
  });

  it.each(examples)('has a curl that answers as it says: $command', async ({ command, answer }) => {
    const server = await startSandbox({ port: 0 });
    try {
      const { stdout } = await run('sh', [
        '-c',
        command.replace('curl ', 'curl --silent --show-error ').replaceAll('http://127.0.0.1:4010', server.url),
      ]);
      const reply: unknown = JSON.parse(stdout);
      if (command.includes('/control/')) expect(reply).toEqual(expect.not.objectContaining({ type: 'about:blank' }));
      else if (answer === undefined) expect(reply).toEqual([{ output: { status: 'ok', data: expect.any(Object) as unknown } }]);
      else expect(reply).toEqual(JSON.parse(answer));
    } finally {
      await server.close();
    }
  });

  it('shows how to start and test in one command each', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(readme).toContain('npm ci && npm start');
    expect(readme).toContain('npm ci && npm test');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['prestart', 'start', 'test']));
  });
});
