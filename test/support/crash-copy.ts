import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './command.ts';

/** Copies the data of a running server as it would be left by a crash at this moment. */
export function crashCopy(data: string): string {
  const copy = join(temporaryFolder(), 'copy');
  cpSync(data, copy, { recursive: true, filter: (file) => !file.endsWith('.lock') });
  return copy;
}
