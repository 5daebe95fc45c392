import { closeSync, openSync, rmSync } from 'node:fs';
import { writeWhole } from './disk.ts';
import { unfinishedName } from './unfinished-files.ts';

/** More would block other calls, in bytes. */
const maxTriedBytes = 8_388_608;

/** Whether the system lets a file of this size be written beside a state file. */
export function hasRoom(stateFile: string, bytes: number): boolean {
  const file = unfinishedName(stateFile);
  try {
    const opened = openSync(file, 'ax', 0o600);
    try {
      writeWhole(opened, ' '.repeat(Math.min(bytes, maxTriedBytes)));
    } finally {
      closeSync(opened);
      rmSync(file, { force: true });
    }
    return true;
  } catch {
    return false;
  }
}
