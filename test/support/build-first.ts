import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

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
 * run of such tests has a build of its own. Other runs, such as `npm test`, need only what the server sends to browsers.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const bundle = `dist/test-${process.pid}`;
  const { testFiles } = await project.globTestFiles();
  const parts = testFiles.some((file) => starting.test(file)) ? [] : ['--without-program'];
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', bundle, ...parts], {
    stdio: 'inherit',
  });
  project.provide('bundle', bundle);
  return () => rmSync(bundle, { recursive: true, force: true });
}
