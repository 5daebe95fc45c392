import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and those above it, if necessary. Like a recursive `mkdirSync`, which never ends in folders such as
 * `/proc`. Throws the error of the system.
 */
export function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  createFolder(dirname(resolve(folder)));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another program may create it at the same time.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
