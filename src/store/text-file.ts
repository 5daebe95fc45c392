import { existsSync, readFileSync } from 'node:fs';

/** The text of a file, or null where there is none. */
export function readTextFile(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
