import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { seedText } from './seed-text.ts';

/**
 * Has a folder filled all at once, so that nobody finds it half done: `write` fills a draft, whose files then go into the folder, which is
 * made where it is not there. Of what fails nothing stays.
 */
export function writeWhole(path: string, write: (draft: string) => void): void {
  const folder = resolve(path);
  const isThere = existsSync(folder);
  // A folder that is there may be one that cannot be renamed, such as somebody's current one.
  const place = isThere ? folder : dirname(folder);
  mkdirSync(place, { recursive: true });
  // A folder made so is its owner's alone; the draft in it is for whom any folder is for.
  const around = mkdtempSync(join(place, '.draft-'));
  try {
    const draft = join(around, 'seed');
    mkdirSync(draft);
    write(draft);
    if (!isThere) return renameSync(draft, folder);
    for (const file of readdirSync(draft)) renameSync(join(draft, file), join(folder, file));
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

/** Writes a file for each collection, a record on each line. */
export function writeCollections(folder: string, collections: Iterable<readonly [name: string, records: readonly object[]]>): void {
  for (const [name, records] of collections) {
    const file = openSync(join(folder, `${name}.json`), 'w');
    try {
      for (const piece of seedText(records)) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  }
}
