import { readFileSync, statSync } from 'node:fs';

/** The text of a file, or null where there is none. */
export function readTextFile(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : null;
}
