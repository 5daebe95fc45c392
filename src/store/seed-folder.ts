import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { isOfSystem, unusablePlace } from './unusable-data.ts';
import { checkpointFile } from './seed-source.ts';

/** Throws an error if no new folder can be created at a path: SandboxError if another one has to be given. */
export function requireFreeFolder(path: string): void {
  if (isFree(path)) return requireWritable(path);
  if (!statSync(path).isDirectory())
    throw new SandboxError(`${path} is a file; give the path of a new folder.`);
  if (existsSync(join(path, checkpointFile)))
    throw new SandboxError(
      `The folder ${path} has the checkpoint of a recording. To use it, run: lp-sandbox start --seed ${path}. To continue it, set --append. Otherwise, give the path of a new folder.`,
    );
  throw new SandboxError(`The folder ${path} is not empty; give the path of a new one, or empty it.`);
}

/** Throws an error if the nearest existing parent is not writable. */
function requireWritable(path: string): void {
  let existing = dirname(resolve(path));
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    // The `/.` makes it fail for a file.
    accessSync(`${existing}/.`, constants.W_OK);
  } catch (error) {
    throw unusablePlace('--out', path, error);
  }
}

function isFree(path: string): boolean {
  try {
    statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // The parents are checked below.
    if (!isOfSystem(error, 'ENOTDIR')) throw unusablePlace('--out', path, error);
  }
  return !existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0);
}

/** Returns the path, with a number if it is no longer free. */
export function freePath(path: string): string {
  let free = path;
  for (let number = 2; !isFree(free); number += 1) free = `${path}-${number}`;
  return free;
}
