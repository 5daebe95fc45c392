import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { reasonToBuild } from '../../scripts/up-to-date.mjs';
import { temporaryFolder } from '../support/command.ts';

/** A clone of the project that has not been built. */
function clone(): string {
  const root = realpathSync(temporaryFolder());
  for (const path of readdirSync('.'))
    if (!['.git', 'coverage', 'dist', 'node_modules'].includes(path))
      cpSync(path, join(root, path), { recursive: true });
  symlinkSync(realpathSync('node_modules'), join(root, 'node_modules'), 'dir');
  return root;
}

/** What `npm start` does before it starts the server. Resolves to what it prints. */
async function prepare(root: string): Promise<string> {
  const { stderr } = await promisify(execFile)('npm', ['run', '--silent', 'prestart'], { cwd: root });
  return stderr;
}

/** Whether a file of the program that was built has a text. */
function isBuilt(root: string, text: string): boolean {
  const bundle = join(root, 'dist/bundle');
  return readdirSync(bundle).some((file) => readFileSync(join(bundle, file), 'utf8').includes(text));
}

describe('two starts at once', () => {
  it('build once: the second one waits, and takes what the first one has built', async () => {
    const root = clone();
    const printed = await Promise.all([prepare(root), prepare(root)]);
    expect(printed.join('').match(/Building the sandbox/g)).toHaveLength(2);
    expect(printed.join('').match(/Waiting for another build/g)).toHaveLength(1);
    expect(printed.join('').match(/Built in/g)).toHaveLength(1);
    expect(reasonToBuild(root)).toBeNull();
    expect(await prepare(root)).toBe('');
  }, 300_000);

  it('never end with files of older sources, if sources change during the first build', async () => {
    const root = clone();
    // The build makes this file first, and reads most sources after it.
    const made = join(root, 'src/contract/generated/checked-seeds.js');
    rmSync(made, { force: true });
    const first = prepare(root);
    // A build takes longer than `eventually` waits, if the machine is busy.
    await vi.waitFor(() => expect(existsSync(made)).toBe(true), { timeout: 150_000 });
    appendFileSync(join(root, 'src/main.ts'), "\nif (process.title === 'a later source') out('');\n");
    const second = await prepare(root);
    await first;
    expect(isBuilt(root, 'a later source')).toBe(true);
    expect(second).toMatch(/^Building the sandbox, because /);
    expect(reasonToBuild(root)).toBeNull();
  }, 300_000);
});
