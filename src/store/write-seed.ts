import { readdirSync, statSync } from 'node:fs';
import { SandboxError } from '../base/errors.ts';
import { collectionNames } from '../sandbox/seed.ts';
import type { World } from '../generate/world.ts';
import { writeCollections, writeWhole } from './seed-files.ts';

/** Throws SandboxError where a seed must not be written: `replaces` says whether it may take the place of another one. */
export function checkSeedFolder(folder: string, replaces: boolean): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new SandboxError(`--out ${folder} is a file; name a folder.`);
  const seedFiles = new Set(collectionNames.map((name) => `${name}.json`));
  const files = readdirSync(folder);
  const stray = files.find((file) => !seedFiles.has(file));
  if (stray !== undefined) {
    throw new SandboxError(
      `--out ${folder} holds other things than a seed, such as ${stray}. Name a folder that is empty, or not there yet.`,
    );
  }
  if (files.length > 0 && !replaces) {
    throw new SandboxError(
      `--out ${folder} holds a seed already. Name a folder that is empty, or not there yet, or replace it with --force.`,
    );
  }
}

/** Writes a seed, in the place of what is in the folder. */
export function writeSeed(folder: string, world: World): void {
  const collections = collectionNames.map((name) => [name, world[name]] as const);
  writeWhole(folder, (draft) => writeCollections(draft, collections));
}
