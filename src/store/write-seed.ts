import { accessSync, constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { collectionNames } from '../sandbox/seed.ts';
import type { World } from '../generate/world.ts';
import { recordingFiles } from './seed-source.ts';
import { writeCollections, writeWhole } from './seed-files.ts';
import { unusablePlace } from './unusable-data.ts';

/**
 * Throws if a seed cannot be written to a folder, before the seed is generated. `replaces` allows replacing another
 * seed.
 */
export function checkSeedFolder(folder: string, replaces: boolean): void {
  try {
    requireUsable(folder);
    if (existsSync(folder)) requireOnlySeed(folder, replaces);
  } catch (error) {
    throw unusablePlace('--out', folder, error);
  }
}

/** Throws if the folder, or the nearest folder above it that exists, is not writable. */
function requireUsable(folder: string): void {
  let existing = resolve(folder);
  // Throws if a part of the path is a file, or if the path is too long.
  while (statSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
  if (existing === resolve(folder) && !statSync(existing).isDirectory())
    throw new SandboxError(`--out ${folder} is a file; give the path of a folder.`);
  accessSync(existing, constants.W_OK | constants.X_OK);
}

/** Throws SandboxError if the folder has files of other kinds, or a seed that is not to be replaced. */
function requireOnlySeed(folder: string, replaces: boolean): void {
  const seedFiles = new Set([...collectionNames.map((name) => `${name}.json`), ...recordingFiles]);
  const files = readdirSync(folder);
  const stray = files.find((file) => !seedFiles.has(file));
  if (stray !== undefined) {
    throw new SandboxError(
      `--out ${folder} has files that are not part of a seed, such as ${stray}. Give the path of a new or empty folder.`,
    );
  }
  if (files.length > 0 && !replaces) {
    throw new SandboxError(
      `--out ${folder} already has a seed. Give the path of a new or empty folder, or replace the seed with --force.`,
    );
  }
}

/** Writes a seed, and replaces the one in the folder. Rejects with what to do if the system refuses it. */
export async function writeSeed(folder: string, world: World): Promise<void> {
  const collections = collectionNames.map((name) => [name, world[name]] as const);
  try {
    await writeWhole(folder, (draft) => writeCollections(draft, collections));
    // They belong to the recording that was replaced.
    for (const file of recordingFiles) rmSync(join(folder, file), { force: true });
  } catch (error) {
    throw unusablePlace('--out', folder, error);
  }
}
