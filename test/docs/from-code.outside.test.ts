import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';

const page = readFileSync('docs/from-code.md', 'utf8');
const run = promisify(execFile);

/** Runs a program of the page; rejects if it fails. */
async function runProgram(program: string): Promise<void> {
  const file = join(temporaryFolder(), 'example.mts');
  writeFileSync(
    file,
    program.replace(
      "'learning-platform-sandbox'",
      JSON.stringify(new URL('../../src/index.ts', import.meta.url).href),
    ),
  );
  await run(process.execPath, ['--import', 'tsx', file]);
}

it('docs/from-code.md has programs that run as they are written', async () => {
  const [first = '', rules = '', elsewhere = '', ...more] = [...page.matchAll(/```ts\n([\s\S]+?)```/g)].map(
    ([, program = '']) => program,
  );
  expect(more).toEqual([]);
  await using server = await startSandbox({ port: 0 });
  expect(elsewhere).toContain('http://127.0.0.1:4010');
  await Promise.all([
    runProgram(`${first}\n${rules}`),
    runProgram(elsewhere.replace('http://127.0.0.1:4010', server.url)),
  ]);
  expect(await server.sandbox('sandbox-1')).not.toBeNull();
});
