import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { collectionNames } from '../sandbox/seed.ts';
import type { World } from '../generate/world.ts';
import { reportFile } from './seed-source.ts';
import { writeCollections, writeWhole } from './seed-files.ts';

/** Throws SandboxError if a seed cannot be written to a folder. `replaces` allows replacing another seed. */
export function checkSeedFolder(folder: string, replaces: boolean): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new SandboxError(`--out ${folder} is a file; give the path of a folder.`);
  const seedFiles = new Set([...collectionNames.map((name) => `${name}.json`), reportFile]);
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

/** Writes a seed, and replaces the one in the folder. */
export async function writeSeed(folder: string, world: World): Promise<void> {
  const collections = collectionNames.map((name) => [name, world[name]] as const);
  await writeWhole(folder, (draft) => writeCollections(draft, collections));
  // It described the recording that was replaced.
  rmSync(join(folder, reportFile), { force: true });
}
