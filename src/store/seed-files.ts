import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createFolder } from './create-folder.ts';
import { seedText } from './seed-text.ts';

/**
 * Fills a folder as a whole, so that no process reads an incomplete one: `write` fills a draft, whose files
 * are then moved to the folder. Creates the folder if necessary. Leaves nothing behind if `write` fails.
 */
export async function writeWhole(
  path: string,
  write: (draft: string) => void | Promise<void>,
): Promise<void> {
  const folder = resolve(path);
  const exists = existsSync(folder);
  // An existing folder may not be replaceable, such as the current directory of a shell.
  const parent = exists ? folder : dirname(folder);
  createFolder(parent);
  // Only the owner can read a temporary folder; the draft inside has the default permissions.
  const temporary = mkdtempSync(join(parent, '.draft-'));
  try {
    const draft = join(temporary, 'seed');
    mkdirSync(draft);
    await write(draft);
    if (exists) for (const file of readdirSync(draft)) renameSync(join(draft, file), join(folder, file));
    else renameSync(draft, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Writes a file for each collection, with a record on each line. */
export function writeCollections(
  folder: string,
  collections: Iterable<readonly [name: string, records: readonly object[]]>,
): void {
  for (const [name, records] of collections) {
    const file = openSync(join(folder, `${name}.json`), 'w');
    try {
      for (const piece of seedText(records)) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  }
}
