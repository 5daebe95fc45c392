import { rmSync } from 'node:fs';
import { StorageError } from '../sandbox/ledger.ts';
import type { SandboxFiles } from './locations.ts';
import { syncFolder } from './disk.ts';
import type { DataSync } from './log-files.ts';
import { kindOf } from './own-files.ts';
import { deleteSource } from './state-port.ts';

/** Deletes the files of a sandbox, but not those of other programs. Throws StorageError. */
export function deleteFiles(id: string, { file, logs }: SandboxFiles, sync: DataSync): void {
  try {
    // The state file first: without it, the rest of a log is no sandbox.
    for (const one of [file, ...logs]) if (kindOf(one).kind !== 'other') rmSync(one, { force: true });
    deleteSource(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The sandbox "${id}" could not be deleted: ${reason}`);
  }
  if (sync === 'always') syncFolder(file);
}
