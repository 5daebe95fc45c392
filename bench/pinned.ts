import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const canPin =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * Keeps this process off the first processor, which the measured servers have to themselves. Where the system
 * has no `taskset`, or one processor only, nothing is pinned.
 *
 * @returns whether it is.
 */
export function pinTheLoad(): boolean {
  const others = `1-${availableParallelism() - 1}`;
  return (
    canPin && spawnSync('taskset', ['-cp', others, String(process.pid)], { stdio: 'ignore' }).status === 0
  );
}

/** The command that runs Node on the first processor, where processes can be pinned. */
export function pinned(args: readonly string[]): readonly [string, readonly string[]] {
  return canPin ? ['taskset', ['-c', '0', process.execPath, ...args]] : [process.execPath, args];
}
