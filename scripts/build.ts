/**
 * Runs a build: what the server needs of `generate.ts`, then `build-files.ts` with these arguments. Only one
 * build runs at a time: an older one must not replace the files of a newer one. With `--if-needed`, nothing is
 * built if `dist/` is up to date, such as because the build that this one waited for has built it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { lockBuild } from './build-lock.ts';
import { replaceFile } from './replace-files.ts';
import {
  fingerprintOfInputs,
  fingerprintOfOutputs,
  readStamp,
  reasonToBuild,
  stampFile,
} from './up-to-date.mjs';

/** How often a build is repeated if sources change while it runs. */
const maxAttempts = 3;

/** Not synchronous: other builds ask this process for the lock. */
async function run(script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${script}`, ...args], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(typeof code === 'number' ? code : 1);
}

async function build(args: readonly string[]): Promise<void> {
  await run('generate.ts', ['--runtime']);
  await run('build-files.ts', args);
}

/** Builds until no source has changed meanwhile, and certifies it. */
async function buildStamped(args: readonly string[]): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    rmSync(stampFile, { force: true });
    const inputs = fingerprintOfInputs();
    await build(args);
    if (inputs === fingerprintOfInputs()) {
      replaceFile(stampFile, JSON.stringify({ inputs, outputs: fingerprintOfOutputs() }));
      return;
    }
    process.stderr.write('Building again, because sources changed during the build …\n');
  }
  throw new Error('The sources changed during each build. Try again when nothing else changes them.');
}

/** Builds the program into a folder of its own, but the files for browsers into those of every build. */
async function buildApart(args: readonly string[]): Promise<void> {
  const stamp = readStamp();
  rmSync(stampFile, { force: true });
  await build(args);
  // It is still true if this build made the same files.
  if (stamp !== null && stamp.outputs === fingerprintOfOutputs())
    replaceFile(stampFile, JSON.stringify(stamp));
}

const args = process.argv.slice(2).filter((arg) => arg !== '--if-needed');
const isIfNeeded = process.argv.includes('--if-needed');
const lock = await lockBuild(() => process.stderr.write('Waiting for another build …\n'));
if (!isIfNeeded || reasonToBuild() !== null) {
  const started = performance.now();
  await (args.some((arg) => !arg.startsWith('-')) ? buildApart(args) : buildStamped(args));
  if (isIfNeeded) process.stderr.write(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`);
}
await lock.free();
