import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the program as it is built, from the project's. */
    readonly bundle: string;
  }
}

/**
 * The validators are made from the contract, not committed; tests must never meet old ones. Tests that start
 * the program start it as it is built: from its sources each start would take several times as long. Every
 * run of the tests has a build of its own.
 */
export function setup({ provide }: TestProject): () => void {
  const bundle = `dist/test-${process.pid}`;
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--runtime'], {
    stdio: 'inherit',
  });
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', bundle], { stdio: 'inherit' });
  provide('bundle', bundle);
  return () => rmSync(bundle, { recursive: true, force: true });
}
