import { execFileSync } from 'node:child_process';

/** The validators are made from the contract, not committed; tests must never meet old ones. */
export function setup(): void {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--runtime'], { stdio: 'inherit' });
}
