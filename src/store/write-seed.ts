import { closeSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Misuse } from '../sandbox/misuse.ts';
import { collectionNames } from '../sandbox/seed.ts';
import type { World } from '../generate/world.ts';
import { seedText } from './seed-text.ts';

/** Throws Misuse where a seed must not be written: `replaces` says whether it may take the place of another one. */
export function checkSeedFolder(folder: string, replaces: boolean): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new Misuse(`--out ${folder} is a file; name a folder.`);
  const seedFiles = new Set(collectionNames.map((name) => `${name}.json`));
  const files = readdirSync(folder);
  const stray = files.find((file) => !seedFiles.has(file));
  if (stray !== undefined) {
    throw new Misuse(`--out ${folder} holds other things than a seed, such as ${stray}. Name a folder that is empty, or not there yet.`);
  }
  if (files.length > 0 && !replaces) {
    throw new Misuse(`--out ${folder} holds a seed already. Name a folder that is empty, or not there yet, or replace it with --force.`);
  }
}

/** Writes a seed: a file for each collection. */
export function writeSeed(folder: string, world: World): void {
  mkdirSync(folder, { recursive: true });
  for (const name of collectionNames) {
    const file = openSync(join(folder, `${name}.json`), 'w');
    try {
      for (const piece of seedText(world[name])) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  }
}
