import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { reasonToBuild } from '../../scripts/up-to-date.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the program as it is built, from the project's. */
    readonly bundle: string;
  }
}

/** The test files that start the program. */
const starting = /\.(?:outside|clients|chaos)\.test\.ts$/;

/**
 * The validators are made from the contract, not committed; tests must never meet old ones. Tests that start
 * the program start it as it is built: from its sources each start would take several times as long. Every
 * run of such tests has a build of its own, which is a copy if the last build is up to date. Other runs, such as
 * `npm test`, need only what the server sends to browsers.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const bundle = `dist/test-${process.pid}`;
  const { testFiles } = await project.globTestFiles();
  const needsProgram = testFiles.some((file) => starting.test(file));
  if (reasonToBuild() !== null) {
    const parts = needsProgram ? [] : ['--without-program'];
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', bundle, ...parts], {
      stdio: 'inherit',
    });
  } else if (needsProgram) cpSync('dist/bundle', bundle, { recursive: true });
  project.provide('bundle', bundle);
  return () => rmSync(bundle, { recursive: true, force: true });
}
