import { accessSync, constants, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import { readSeed, reportFile } from './read-seed.ts';
import { writeCollections, writeWhole } from './seed-files.ts';

/** Holds a path to being free for a new folder that can be made, before anything is done for it. Throws SandboxError. */
export function requireFreeFolder(path: string): void {
  if (isFree(path)) return requireWritable(dirname(resolve(path)));
  if (!statSync(path).isDirectory()) throw new SandboxError(`${path} is a file; give the path of a new folder.`);
  throw new SandboxError(`The folder ${path} is not empty; give the path of a new one, or empty it.`);
}

/** What is not there yet can be made where what it is to be in can be written to. */
function requireWritable(folder: string): void {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  try {
    // Of a file there is nothing to open so.
    accessSync(`${there}/.`, constants.W_OK);
  } catch {
    throw new SandboxError(`No folder can be made in ${there}, as it is a file, or this user may not write there.`);
  }
}

function isFree(path: string): boolean {
  return !existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0);
}

function freePath(path: string): string {
  let free = path;
  for (let number = 2; !isFree(free); number += 1) free = `${path}-${number}`;
  return free;
}

/**
 * Writes a seed with a report beside its collections, all or nothing, once the draft was read as a seed is. Returns its path, which is another
 * one where somebody put something there meanwhile. Throws SandboxError where the seed does not fit.
 */
export function writeSeedFolder(path: string, collections: { readonly [N in CollectionName]: readonly object[] }, report: object): string {
  const free = freePath(path);
  writeWhole(free, (draft) => {
    writeCollections(
      draft,
      Object.entries(collections).filter(([, records]) => records.length > 0),
    );
    writeFileSync(join(draft, reportFile), `${JSON.stringify(report, null, 2)}\n`);
    readSeed(draft);
  });
  return free;
}
