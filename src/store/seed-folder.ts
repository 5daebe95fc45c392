import { accessSync, constants, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import { readSeed } from './read-seed.ts';
import { reportFile } from './seed-source.ts';
import { writeCollections, writeWhole } from './seed-files.ts';

/** Throws SandboxError if no new folder can be created at a path. */
export function requireFreeFolder(path: string): void {
  if (isFree(path)) return requireWritable(dirname(resolve(path)));
  if (!statSync(path).isDirectory())
    throw new SandboxError(`${path} is a file; give the path of a new folder.`);
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
  return !existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0);
}

function freePath(path: string): string {
  let free = path;
  for (let number = 2; !isFree(free); number += 1) free = `${path}-${number}`;
  return free;
}

/**
 * Writes a seed and a report as a whole, after checking that the seed can be read. Returns its path, which
 * has a number if the given path is no longer free. Rejects with SandboxError if the seed is
 * invalid.
 */
export async function writeSeedFolder(
  path: string,
  collections: { readonly [N in CollectionName]: readonly object[] },
  report: object,
): Promise<string> {
  const free = freePath(path);
  await writeWhole(free, async (draft) => {
    writeCollections(
      draft,
      Object.entries(collections).filter(([, records]) => records.length > 0),
    );
    writeFileSync(join(draft, reportFile), `${JSON.stringify(report, null, 2)}\n`);
    await readSeed(draft);
  });
  return free;
}
