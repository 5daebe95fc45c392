import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { isOfSystem, unreadableFile } from './unusable-data.ts';
import { checkpointFile } from './seed-source.ts';

/** Throws SandboxError if no new folder can be created at a path. */
export function requireFreeFolder(path: string): void {
  if (isFree(path)) return requireWritable(dirname(resolve(path)));
  if (!statSync(path).isDirectory())
    throw new SandboxError(`${path} is a file; give the path of a new folder.`);
  if (existsSync(join(path, checkpointFile)))
    throw new SandboxError(
      `The folder ${path} has the checkpoint of a recording. To use it, run: lp-sandbox start --seed ${path}. To continue it, set --append. Otherwise, give the path of a new folder.`,
    );
  throw new SandboxError(`The folder ${path} is not empty; give the path of a new one, or empty it.`);
}

/** Throws SandboxError if the nearest existing parent is not writable. */
function requireWritable(folder: string): void {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    // The `/.` makes it fail for a file.
    accessSync(`${existing}/.`, constants.W_OK);
  } catch {
    throw new SandboxError(
      `No folder can be created in ${existing}: it is a file, or this user may not write to it.`,
    );
  }
}

function isFree(path: string): boolean {
  try {
    statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // The parents are checked below.
    if (!isOfSystem(error, 'ENOTDIR')) throw unreadableFile('--out', path, error);
  }
  return !existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0);
}

/** Returns the path, with a number if it is no longer free. */
export function freePath(path: string): string {
  let free = path;
  for (let number = 2; !isFree(free); number += 1) free = `${path}-${number}`;
  return free;
}
